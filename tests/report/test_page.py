"""The page as a whole: it stands alone, says what is in the inputs, and hides nothing."""

import json
import os
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from processes import PYTHON, printed
from report.synthetic import put, write_run
from report.synthetic_evaluation import first_in, match
from sixmax.api.walk import Address
from sixmax.cli import app
from sixmax.report import page as page_module
from sixmax.report import template
from sixmax.report.gather import gather
from sixmax.report.page import SECTIONS, render

VOID = {"meta", "img", "br", "hr", "link", "input"}


class _Reader(HTMLParser):
    """Collects attributes and text, and sees that elements are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.sources, self.text, self.open = [], [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "xlink:href"):
                self.links.append(value)
            if name == "src":
                self.sources.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def text_of(page):
    return re.sub(r"\s+", " ", " ".join(_Reader(page).text))


def test_page__stands_alone(page):
    seen = _Reader(page)
    assert seen.open == []
    assert seen.sources
    assert all(source.startswith("data:image/png;base64,") for source in seen.sources)
    inside = {link[1:] for link in seen.links if link.startswith("#")}
    assert inside <= set(seen.ids)
    outside = [link for link in seen.links if not link.startswith("#")]
    assert all(link.startswith(f"{template.EXPLORER}/explore") for link in outside)
    assert set(re.findall(r"url\((.)", page)) <= {"#"}
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    for word in ("fetch", "XMLHttpRequest", "import", "innerHTML", "Storage", "eval"):
        assert word not in script
    rest = re.sub(r'base64,[^"]*|href="http:[^"]*"', "", page.replace(script, ""))
    for word in ("http:", "https:", "//", "@import", "<link", "<script ", "<iframe"):
        assert word not in rest


def test_page__ids_do_not_clash(page):
    ids = _Reader(page).ids
    assert len(ids) == len(set(ids))
    referred = re.findall(r"url\(#([^)]+)\)", page)
    assert referred
    assert set(referred) <= set(ids)


def test_page__has_every_section(page):
    for section in (
        "summary", "ranges", "checks", "pluribus", "training", "matches", "experiments",
        "abstraction", "continuations", "cost", "provenance",
    ):  # fmt: skip
        assert f'id="{section}"' in page
        assert f'href="#{section}"' in page


def test_page__holds_the_numbers(page, inputs):
    text = text_of(page)
    for row in inputs.matches["matches"]:
        assert f"{row['mean']:+,.1f}".replace("-", "−") in text
        assert f"{row['interval'][0]:+,.1f}".replace("-", "−") in text
    for number in ("200,000 deals, 1,200,000 hands", "12.5", "+277.3 to +326.2"):
        assert number in text
    for spot in inputs.first_in["first_in"]:
        assert f"{spot['raise']:.1f} %" in text.replace("\u202f", " ")
    for published in ("18.3", "24.0", "30.6", "42.4", "32.6", "29.0", "49.6"):
        assert f"{published} %" in text.replace("\u202f", " ")
    for number in ("1,286,792", "0.877", "8.84", "0.565", "171,250", "1.37", "103.5"):
        assert number in text
    for known in ("2026-01-02 03:04 UTC", "0123456789ab+"):
        assert known in text
    for known in (inputs.identity["digest"], "a1" * 8, inputs.blueprint["packages"]["numba"]):
        assert known in text


def test_page__all_checks_shown(page):
    assert page.count("✓ shown") == 13
    assert "✕ not shown" not in page
    assert "All 13 checks hold." in text_of(page)


def test_page__failed_checks_are_marked(run, shown):
    path = run / "evaluation" / "matches.json"
    table = json.loads(path.read_text())
    rows = [match(r["a"], "rule", 10.0) if r["b"] == "rule" else r for r in table["matches"]]
    put(path, {**table, "matches": rows})
    record = first_in(13)
    record["first_in"][2]["raise"] = record["first_in"][1]["raise"]
    put(run / "evaluation" / "firstin.json", record)
    page = shown()  # they stand before the sections
    assert page.count("✓ shown") == 11
    assert page.count("✕ not shown") == 2
    assert "the interval includes zero" in text_of(page)
    assert "CO does not raise more than HJ" in text_of(page)
    assert "11 of 13 checks hold; 2 not shown" in text_of(page)


def test_page__escapes_what_it_is_given(tmp_path):
    run = write_run(tmp_path / "results" / "R&D")
    path = run / "evaluation" / "matches.json"
    table = json.loads(path.read_text())
    table["protocol"]["design"] = "<script>alert(1)</script>"
    table["matches"].append(match("blueprint", "<b>$x^2$</b>", 5.0))
    put(path, table)
    page = render(gather(run))
    assert page.count("<script") == 1  # its own
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>$x" not in page
    assert page.count("&lt;b&gt;$x^2$&lt;/b&gt;") == 2  # in the table and in the figure
    assert "<h1>R&amp;D</h1>" in page


def test_page__short_deck_has_small_charts_and_no_pluribus(tmp_path):
    page = render(gather(write_run(tmp_path / "results" / "short", ranks=6)))
    names = re.findall(r"<text[^>]*>([^<]{2,3})</text>", page)
    assert "99" in names
    assert "22" not in names
    assert all(len(rows.split()) == 36 for rows in re.findall(r'data-rows="([^"]+)"', page))
    assert "plays another game" in text_of(page)
    assert "deck of 24 cards" in text_of(page)


def test_page__says_where_date_and_commit_were_not_recorded(run, shown):
    (run / "blueprint" / "strategy_made.json").unlink()
    assert text_of(shown("provenance")).count("not recorded") == 2


def test_page__without_plan_or_benchmarks(run, shown):
    (run / "plan" / "plan.json").unlink()
    for file in (run.parent).rglob("*.tsv"):
        file.unlink()
    assert "No benchmark files were found" in text_of(shown("cost"))


def test_command__writes_the_same_page_again_that_names_no_place(run, tmp_path, page):
    """Of the same run in another folder, by another process."""
    out = run / "report" / "index.html"
    verdicts = out.with_name("checks.json")
    options = ["--run", run, "--out", out, "--checks", verdicts]
    printed(PYTHON, "-m", "sixmax", "report", *options, PYTHONHASHSEED="17")
    assert {file.name for file in out.parent.iterdir()} == {"index.html", "checks.json"}
    listed = json.loads(verdicts.read_text())
    assert {tuple(check) for check in listed} == {("name", "passed", "evidence")}
    for check in listed:
        assert check["passed"] in (True, False)
        assert check["name"] in text_of(page)
    text = out.read_text(encoding="utf-8")
    assert text == page
    assert str(tmp_path) not in text
    assert os.uname().nodename not in text


def test_sections__each_template_is_listed():
    """A section that somebody forgot to list would be missing from the page without a word."""
    folder = Path(template.__file__).parent / "sections"
    listed = sorted(section.name for section in SECTIONS)
    assert sorted(f.name.partition(".")[0] for f in folder.glob("*.html.j2")) == listed


def test_sections__one_without_values_is_left_out(monkeypatch, inputs):
    none = SECTIONS[-1]._replace(values=lambda inputs: None)
    monkeypatch.setattr(page_module, "SECTIONS", (*SECTIONS[:1], none))
    assert none.title not in render(inputs)


def links(page):
    return [unescape(link) for link in re.findall(r'href="(http[^"]+)"', page)]


def test_home__is_where_the_command_serves():
    serve = app.get_command(None, "serve")
    defaults = {option.name: option.default for option in serve.params}
    assert f"http://{defaults['host']}:{defaults['port']}" == template.EXPLORER


def test_links__are_taken_by_the_explorer_s_own_parser(page, inputs):
    taken = []
    for link in links(page):
        parts = urlsplit(link)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == template.EXPLORER + "/explore"
        address = Address.of(dict(parse_qsl(parts.query, strict_parsing=True)))
        taken.append(address)
        assert address.fields() == dict(parse_qsl(parts.query))
    kinds = ("first_in", "facing_raise", "facing_three_bet")
    spots = [each["actions"] for kind in kinds for each in inputs.ranges[kind]]
    assert len(spots) == 35
    assert [address.actions for address in taken[:35]] == spots
    opponents = {m["b"] for m in inputs.matches["matches"]}
    assert opponents <= {a.beside for a in taken}


def test_template__digest_is_stable():
    assert template.digest() == template.digest()
    assert re.fullmatch("[0-9a-f]{16}", template.digest())
