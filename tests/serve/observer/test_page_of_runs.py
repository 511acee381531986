"""The page around runs in a real Chromium: calls, comparison, filters, notes, failures, narrow screens."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from observed_things import HOSTILE
from pictures import CHROMIUM, THEMES, observed_server, start_runs

if CHROMIUM is None:
    pytest.skip("Chromium is not installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")
from axe_playwright_python.sync_playwright import Axe  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180), pytest.mark.xdist_group("observer")]
expect = playwright.expect
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PLACES = {
    "runs": "#/runs",
    "run": "#/runs/calendar-1",
    "failed": "#/runs/down-1",
    "graph": "#/runs/letter-1",
    "compare": "#/compare/essay-1/calendar-1",
    "again": "#/again/essay-1/again-1",
    "tree": "#/tree",
    "cost": "#/cost",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    with observed_server(tmp_path_factory.mktemp("observer")) as address:
        start_runs(address)
        yield address


@pytest.fixture(scope="module")
def browser() -> Generator[Any]:
    with playwright.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Generator[Any]:
    """A page whose errors, among them what the content security policy forbids, fail the test."""
    one = browser.new_page(viewport={"width": 1280, "height": 860})
    errors: list[str] = []
    one.on("pageerror", lambda error: errors.append(str(error)))
    one.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield one
    one.close()
    assert errors == []


def region(page: Any, name: str) -> Any:
    return page.get_by_role("region", name=name, exact=True)


# -- a run -----------------------------------------------------------------------------------------


def test_the_task_the_answer_and_why_it_stopped_stand_side_by_side_at_the_top(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    expect(region(page, "Task")).to_contain_text("How many days has February 2023?")
    expect(region(page, "Answer")).to_contain_text("February 2023 has 28 days.")
    why = page.get_by_role("group", name="Why it stopped")
    expect(why).to_contain_text("accepted")
    task, reason, candidates = (one.bounding_box() for one in (region(page, "Task"), why, region(page, "Candidates")))
    assert reason["x"] > task["x"] + task["width"] - 1
    assert max(task["y"], reason["y"]) < candidates["y"]


def test_an_iteration_shows_the_words_and_the_severity_of_each_critic(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    first = region(page, "Candidates").locator("details").first
    expect(first).to_contain_text("Iteration 1")
    strict = first.locator(".critic").filter(has_text="model:strict")
    expect(strict).to_contain_text("severity 0.90")
    expect(strict).to_contain_text("2023 is no leap year, so February has 28 days.")
    expect(first.locator(".critic").filter(has_text="model:kind")).to_contain_text("severity 0.10")


def test_a_call_opens_with_what_was_sent_and_what_came_back(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    calls = region(page, "Calls")
    expect(calls.get_by_role("row")).to_have_count(8)  # with the head and the sum
    opener = calls.get_by_role("button", name="2: critic, iteration 1")
    opener.focus()
    page.keyboard.press("Enter")
    expect(opener).to_have_attribute("aria-expanded", "true")
    expect(calls).to_contain_text("You judge an answer to a task.")
    expect(calls).to_contain_text('"feedback": "2023 is no leap year, so February has 28 days."')
    page.keyboard.press("Enter")
    expect(calls).not_to_contain_text("You judge an answer to a task.")


def test_a_verdict_leads_to_its_call_and_the_call_to_its_iteration(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    candidates, calls = region(page, "Candidates"), region(page, "Calls")
    second = candidates.locator("details").nth(1)
    for model, number in (("strict", 5), ("kind", 6)):
        verdict = second.locator(".critic").filter(has=page.get_by_role("heading", name=f"model:{model}"))
        expect(verdict.get_by_role("button")).to_have_count(1)
        verdict.get_by_role("button", name=f"call {number}").click()
        opened = calls.get_by_role("button", name=f"{number}: critic, iteration 2")
        expect(opened).to_be_focused()
        expect(opened).to_have_attribute("aria-expanded", "true")
    second.locator("summary").first.click()
    expect(second).not_to_have_attribute("open", "")
    calls.get_by_role("button", name="To iteration 2").first.click()
    expect(second).to_have_attribute("open", "")
    expect(second.locator("summary").first).to_be_focused()


def test_a_typed_run_shows_its_json_with_a_line_for_each_part_and_the_path_of_a_finding(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/typed-1")
    expect(region(page, "Candidates").locator("code").first).to_have_text("items[2].price")
    row = region(page, "Findings").get_by_role("row").nth(1)
    expect(row).to_contain_text("items[2].price -2.0 is less than the minimum of 0")
    expect(row.locator("code")).to_have_text("items[2].price")
    answer = region(page, "Answer").locator("bdi").inner_text()
    assert '\n  "items": [\n    {\n      "name": "apple, [red]",\n      "price": 0.5\n    },' in answer
    assert '"number": 12345678901234567890' in answer, "digits are not rounded"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a":[],"b":{ },"c":[1.0,"x: [y]"]}', '{\n  "a": [],\n  "b": {},\n  "c": [\n    1.0,\n    "x: [y]"\n  ]\n}'),
        ('["\\"", -1e9, null]', '[\n  "\\"",\n  -1e9,\n  null\n]'),
        ('{"a": ', '{"a": '),
        ("[see below]", "[see below]"),
        ('"a: {b}"', '"a: {b}"'),
        ("12", "12"),
    ],
)
def test_only_json_objects_and_arrays_are_formatted(page: Any, server: str, text: str, shown: str) -> None:
    page.goto(server)
    assert page.evaluate("""async (text) => (await import("/observer/words.js")).formatted(text)""", text) == shown


def test_a_failed_run_names_its_error_and_leads_to_the_call_it_came_from(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/down-1")
    why = page.get_by_role("group", name="Why it stopped")
    expect(why).to_contain_text("the provider answered with status 500")
    expect(why.get_by_role("button", name="call 3: critic")).to_be_visible()
    assert not re.search(r"\byet\b", page.get_by_role("main").inner_text())
    why.get_by_role("button", name="call 3: critic").click()
    calls = region(page, "Calls")
    expect(calls.get_by_role("button", name="3: critic")).to_be_focused()
    expect(calls).to_contain_text("Tries that failed")
    expect(page.get_by_role("img", name=re.compile("score", re.I))).to_have_count(0)


@pytest.mark.parametrize("run", ["down-1", "fails-1"])
def test_a_failed_run_has_no_empty_parts(page: Any, server: str, run: str) -> None:
    page.goto(f"{server}/#/runs/{run}")
    expect(region(page, "Answer")).to_contain_text("No critic judged this text.")
    expect(region(page, "Findings")).to_have_count(0)
    assert not re.search(r"\byet\b|NaN|undefined|null", page.get_by_role("main").inner_text())


def test_every_node_of_a_graph_leads_to_its_output(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/letter-1")
    page.get_by_role("row").filter(has_text="facts").get_by_role("button", name="facts").click()
    expect(region(page, "Outputs of nodes")).to_contain_text("three facts about supervision trees")
    expect(region(page, "Waiting for a decision")).to_contain_text("sign_off waits for a person")


def test_a_thumb_and_a_note_are_kept_and_listed(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    opinion = region(page, "Your opinion")
    opinion.get_by_role("button", name="Thumbs down").click()
    expect(opinion.get_by_role("button", name="Thumbs down")).to_have_attribute("aria-pressed", "true")
    opinion.get_by_role("textbox", name="Note").fill(f"the critic is wrong {HOSTILE}")
    opinion.get_by_role("button", name="Keep the note").click()
    page.goto(f"{server}/#/runs")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="calendar-1"))
    expect(row).to_contain_text("thumbs down the critic is wrong")
    page.goto(f"{server}/#/runs/calendar-1")
    expect(opinion.get_by_role("textbox", name="Note")).to_have_value(re.compile("the critic is wrong"))


def test_the_json_of_a_run_has_its_result_its_notes_and_its_calls(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="JSON").click()
    run = json.loads(Path(waiting.value.path()).read_text())
    assert (run["run_id"], len(run["calls"]), run["result"]["stop_reason"]) == ("calendar-1", 6, "accepted")
    assert "notes" in run


# -- the list --------------------------------------------------------------------------------------


def test_the_list_is_filtered_by_pipeline_and_reason_and_keeps_it_in_its_address(page: Any, server: str) -> None:
    page.goto(server)
    page.get_by_role("combobox", name="Pipeline").select_option("wobble")
    expect(page.get_by_role("link", name="worse-1")).to_be_visible()
    expect(page.get_by_role("link", name="essay-1")).to_have_count(0)
    page.get_by_text("More filters").click()
    page.get_by_role("combobox", name="Stopped by").select_option("cycle")
    expect(page.get_by_role("link", name="plateau-1")).to_have_count(0)
    expect(page.get_by_role("link", name="worse-1")).to_be_visible()
    page.reload()
    expect(page.get_by_role("combobox", name="Pipeline")).to_have_value("wobble")
    expect(page.get_by_role("link", name="worse-1")).to_be_visible()
    expect(page.get_by_role("link", name="plateau-1")).to_have_count(0)
    page.get_by_label("Until").fill("2020-01-01T00:00")
    expect(page.get_by_text("No run matches.")).to_be_visible()


def test_the_list_is_sorted_by_its_heads_and_shows_the_median_and_the_rate_of_errors(page: Any, server: str) -> None:
    page.goto(server)
    page.get_by_role("columnheader", name="Score").get_by_role("button").click()
    expect(page.get_by_role("columnheader", name="Score")).to_have_attribute("aria-sort", "descending")
    expect(page.locator("tbody tr").first).to_contain_text("1.00")
    page.get_by_role("columnheader", name="Score").get_by_role("button").click()
    expect(page.locator("tbody tr").first).to_contain_text("asks-1")
    for words in ("p50", "p95", "Failed"):
        expect(page.get_by_role("main").get_by_text(re.compile(words)).first).to_be_visible()


def test_the_prompt_is_bold_and_the_id_small(page: Any, server: str) -> None:
    page.goto(server)
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="essay-1"))
    size = "(one) => [getComputedStyle(one).fontWeight, parseFloat(getComputedStyle(one).fontSize)]"
    weight, large = row.locator("b").evaluate(size)
    light, small = row.get_by_role("link").evaluate(size)
    assert int(weight) > 550 > int(light)
    assert large > small


def choose(page: Any, *runs: str) -> None:
    for run in runs:
        row = page.get_by_role("row").filter(has=page.get_by_role("link", name=run, exact=True))
        row.get_by_role("checkbox").check()


def test_two_runs_are_compared_side_by_side(page: Any, server: str) -> None:
    page.goto(server)
    choose(page, "essay-1")
    expect(page.get_by_role("button", name="Compare")).to_be_disabled()
    choose(page, "calendar-1")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1, name="Two runs compared")).to_be_visible()
    for name in ("Answers", "Candidates", "Findings", "Calls"):
        expect(region(page, name)).to_be_visible()
    expect(region(page, "Answers").get_by_role("insertion").first).to_be_visible()
    region(page, "Calls").get_by_text("2: critic").click()
    expect(region(page, "Calls")).to_contain_text("You judge an answer to a task.")


def test_two_runs_below_each_other_have_their_names(page: Any, server: str) -> None:
    page.set_viewport_size({"width": 400, "height": 860})
    page.goto(f"{server}/#/compare/essay-1/calendar-1")
    for name in ("Answers", "Candidates", "Findings", "Calls"):
        for run in ("essay-1", "calendar-1"):
            expect(region(page, name).get_by_text(run, exact=True)).to_be_visible()


def test_prompts_are_run_again_with_another_pipeline_and_shown_in_pairs(page: Any, server: str) -> None:
    page.goto(server)
    choose(page, "plateau-1", "worse-1", "letter-1")
    page.get_by_role("button", name="Run again with …").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("2 prompts, each once. 1 run of a graph is left out.")
    dialog.get_by_role("combobox", name="Pipeline").select_option("essay")
    dialog.get_by_role("button", name="Run again").click()
    expect(page.get_by_role("heading", level=1, name="Before and now")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Score: better in 2, worse in 0", timeout=30_000)
    expect(page.locator("tbody tr")).to_have_count(2)


def test_a_cost_that_is_unknown_is_never_shown_as_none(page: Any, server: str) -> None:
    summary = {"stop_reason": "accepted", "score": 0.5, "severity": 0.1, "iterations": 1, "calls": 3, "tokens": 9}
    run = {"run_id": "r", "kind": "pipeline", "name": "essay", "status": "completed", "prompt": "why", "error": None}
    run |= {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "notes": None}
    run |= {"summary": {**summary, "cost_usd": None, "duration_s": 1.0}, "result": None}
    figures = {"runs": 1, "failed": 0, "error_rate": 0.0, "p50_s": 1.0, "p95_s": 1.0}
    page.route(
        "**/v1/runs?*", lambda route: route.fulfill(json={"data": [run], "next_cursor": None, "figures": figures})
    )
    sums = {"runs": 1, "calls": 3, "tokens": 9, "cost_usd": None}
    report = {
        "days": 30,
        "by_day": [{"day": "2026-01-01", **sums}],
        "by_name": [{"name": "essay", **sums}],
        "total": sums,
    }
    page.route("**/v1/cost?*", lambda route: route.fulfill(json=report))
    page.goto(server)
    expect(page.get_by_role("row").nth(1)).to_contain_text("unknown")
    page.goto(f"{server}/#/cost")
    expect(page.get_by_role("row").nth(1)).to_contain_text("unknown")
    assert "$0" not in page.get_by_role("main").inner_text()


def test_healthy_branches_of_the_tree_are_folded_and_others_open(page: Any, server: str) -> None:
    page.goto(f"{server}/#/tree")
    expect(page.get_by_role("treeitem", name=re.compile(r"^essay, ")).first).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("treeitem", name=re.compile(r"^fails\.critiquer, "))).to_be_visible()
    expect(page.get_by_role("treeitem", name=re.compile(r"^essay\.critiquer, "))).to_have_count(0)
    page.get_by_role("treeitem", name=re.compile(r"^essay, ")).first.press("ArrowRight")
    page.wait_for_timeout(1200)  # two looks do not fold it again
    expect(page.get_by_role("treeitem", name=re.compile(r"^essay, ")).first).to_have_attribute("aria-expanded", "true")


# -- for everybody ---------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("view", list(PLACES))
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    page: Any, server: str, view: str, width: int, theme: str
) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 860})
    page.goto(f"{server}/{PLACES[view]}")
    page.wait_for_timeout(700)
    for call in page.locator(".twisty").all()[:2]:
        call.click()
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": AXE_RULES}})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_at_400_pixels_the_navigation_a_run_a_graph_and_its_calls_are_whole(page: Any, server: str) -> None:
    page.set_viewport_size({"width": 400, "height": 860})
    page.goto(server)
    for link in page.get_by_role("navigation").get_by_role("link").all():
        box = link.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="calendar-1"))
    for words in ("accepted", "0.90", "$"):
        box = row.get_by_role("cell").filter(has_text=words).first.bounding_box()
        assert box["x"] + box["width"] <= 400, words
    page.goto(f"{server}/#/runs/letter-1")
    expect(page.get_by_role("button", name="sign_off")).to_be_visible()
    page.goto(f"{server}/#/runs/calendar-1")
    last = region(page, "Calls").get_by_role("row").nth(1).get_by_role("cell").last
    box = last.bounding_box()
    assert box["x"] + box["width"] <= 400, "the cost of a call is on the screen"


def test_a_run_says_first_whether_it_was_accepted_and_its_title_is_the_task(page: Any, server: str) -> None:
    for run, word in (("calendar-1", "accepted"), ("worse-1", "not accepted")):
        page.goto(f"{server}/#/runs/{run}")
        expect(page.get_by_role("heading", level=1, name=run)).not_to_have_text(re.compile(f"^{run}"))
        expect(page.locator(".of-run .state")).to_have_text(word)
    page.goto(server)
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="worse-1"))
    expect(row.locator(".state")).to_have_text("not accepted")


def test_every_view_says_how_many_runs_wait_and_the_list_approves_one(page: Any, server: str) -> None:
    import httpx

    body = {"pipeline": "asks", "prompt": "Ask me in the list.", "run_id": "asks-in-list"}
    httpx.post(f"{server}/v1/runs?wait=30", json=body, timeout=60).raise_for_status()
    page.goto(f"{server}/#/cost")
    page.get_by_role("link", name=re.compile("waits? for you")).click()
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="asks-in-list"))
    expect(row).to_contain_text("waits for you")
    row.get_by_role("button", name="Refuse").click()
    expect(row).to_have_count(0, timeout=15_000)


def test_a_text_that_waits_is_edited_on_the_page(page: Any, server: str) -> None:
    import httpx

    body = {"pipeline": "asks", "prompt": "Ask me to edit.", "run_id": "asks-edit"}
    httpx.post(f"{server}/v1/runs?wait=30", json=body, timeout=60).raise_for_status()
    page.goto(f"{server}/#/runs/asks-edit")
    page.get_by_role("button", name="Edit").click()
    box = page.get_by_role("dialog", name="Edit and approve")
    box.get_by_role("textbox", name="Text").fill("My own words.")
    box.get_by_role("button", name="Approve this text").click()
    expect(region(page, "Candidates")).to_contain_text("My own words.", timeout=15_000)


def test_the_keys_j_k_and_slash_move_in_the_list_and_enter_opens(page: Any, server: str) -> None:
    page.goto(server)
    expect(page.get_by_role("link", name="essay-1")).to_be_visible()
    links = page.locator("tbody a.id")
    for key, place in (("j", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(links.nth(place)).to_be_focused()
    run = links.nth(0).inner_text()
    page.keyboard.press("/")
    page.keyboard.type("jk/")
    expect(page.get_by_role("searchbox", name="Search runs")).to_have_value("jk/")
    page.get_by_role("searchbox", name="Search runs").fill("")
    page.get_by_role("link", name="All", exact=True).focus()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=run)).to_be_visible()


def test_on_a_phone_why_a_run_stopped_is_before_your_opinion(page: Any, server: str) -> None:
    page.set_viewport_size({"width": 400, "height": 860})
    page.goto(f"{server}/#/runs/calendar-1")
    why = page.get_by_role("group", name="Why it stopped").bounding_box()
    assert why["y"] < region(page, "Your opinion").bounding_box()["y"]


def test_keys_reach_a_run_from_the_list_with_a_visible_ring(page: Any, server: str) -> None:
    page.goto(server)
    expect(page.get_by_role("link", name="essay-1")).to_be_visible()
    page.get_by_role("searchbox").focus()
    ring = """() => {
        const it = document.activeElement;
        return [it.textContent || it.ariaLabel, getComputedStyle(it).outlineStyle];
    }"""
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name, style = page.evaluate(ring)
        seen.append(name)
        assert style != "none", name
        if name == "essay-1":
            break
    assert {"More filters", "Score", "Choose", "essay-1"} <= set(seen)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="essay-1")).to_be_visible()


@pytest.mark.parametrize(
    "place", ["#/runs", "#/runs/evil-1", "#/runs/down-1", "#/compare/evil-1/hostile-1", "#/again/evil-1/hostile-1"]
)
def test_hostile_texts_of_models_and_people_stay_inert(page: Any, server: str, place: str) -> None:
    import httpx

    note = {"thumb": "up", "note": HOSTILE.replace("\x00", "")}
    httpx.post(f"{server}/v1/runs/evil-1/notes", json=note, timeout=60).raise_for_status()
    page.goto(f"{server}/{place}")
    page.wait_for_timeout(700)
    for call in page.locator(".twisty").all():
        call.click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(300)
    assert page.title() != "1"
    assert page.locator("main img[src=x], main b:text-is('bold')").count() == 0
    assert "\u202e" not in page.locator("main").inner_text()


def test_a_view_of_your_own_is_kept_as_a_link_and_forgotten_again(server: str, page: Any) -> None:
    page.goto(f"{server}/#/runs?status=completed&sort=score")
    views = page.get_by_role("group", name="Saved views")
    expect(views.get_by_role("button")).to_be_hidden()  # it is one of the five of everybody
    page.goto(f"{server}/#/runs?pipeline=calendar&sort=cost")
    views.get_by_role("button", name="Keep this view").click()
    page.goto(f"{server}/#/runs")
    page.reload()
    views.get_by_role("link", name="calendar, cheapest first").click()
    expect(page).to_have_url(f"{server}/#/runs?pipeline=calendar&sort=cost")
    views.get_by_role("button", name="Forget this view").click()
    expect(views.get_by_role("link", name="calendar, cheapest first")).to_have_count(0)


def test_the_calls_stand_over_a_scale_of_time(server: str, page: Any) -> None:
    page.goto(f"{server}/#/runs/calendar-1")
    marks = page.locator(".scale span")
    expect(marks).to_have_count(3)
    expect(marks.first).to_have_text("0")
    whole = page.locator("table.calls tfoot td, table.calls tfoot [role=cell]").nth(1).inner_text()
    assert marks.last.inner_text() == whole.strip()
