"""Pictures of buckets stand on a light page and on a dark one."""

import io

import numpy as np
import pytest

from sixmax.abstraction.pictures import draw_preflop

GROUNDS = ((255, 255, 255), (0x14, 0x19, 0x1F))  # of the report in light and in dark


@pytest.fixture(scope="module")
def picture():
    from PIL import Image

    content = draw_preflop(6, np.linspace(0.3, 0.8, 36), np.arange(36) % 4)
    return Image.open(io.BytesIO(content))


def luminance(colour):
    part = np.asarray(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_picture__has_no_ground_and_few_colours(picture):
    assert picture.mode == "P"
    pixels = np.asarray(picture.convert("RGBA"))
    corners = pixels[[0, 0, -1, -1], [0, -1, 0, -1]]
    assert (corners[:, 3] == 0).all()


def test_picture__title_is_read_on_both_grounds(picture):
    title = np.asarray(picture.convert("RGBA"))[:30].reshape(-1, 4)
    ink = title[title[:, 3] > 250]
    assert len(ink) > 100
    for ground in GROUNDS:
        assert contrast(np.median(ink[:, :3], axis=0), ground) > 3.5
        assert contrast((0, 0, 0), GROUNDS[1]) < 3.5  # as of matplotlib's own ink
