"""The table of costs: measured beside planned."""

import pytest

from sixmax.report.sections.cost import costs, total_cost


def test_costs__measured_beside_planned(inputs):
    rows = {row.stage: row for row in costs(inputs)}
    assert "report" not in rows
    assert rows["blueprint"].jobs == 4
    assert rows["blueprint"].seconds == 250.0
    assert rows["blueprint"].longest == 64.0
    assert rows["blueprint"].planned["seconds"] == 90.0
    assert rows["continuation"].seconds is None
    assert rows["continuation"].planned["disk_gb"] == 0.25


def test_total_cost__adds_times_and_takes_the_largest_memory(inputs):
    total = total_cost(inputs)
    assert total.seconds == pytest.approx(75.0 + 3 * 72.0 + 250.0 + 1.2 + 20.0)
    assert total.memory == 4000.25 * 2**20
    assert total.planned == {"seconds": 9 * 90.0, "memory_gb": 1.5, "disk_gb": 9 * 0.25}
