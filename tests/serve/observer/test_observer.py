"""The observer's page in a real Chromium: SERVING.md 4, by the names that a screen reader hears."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from pictures import CHROMIUM, THEMES, VIEWS, observed_server, start_runs

if CHROMIUM is None:
    pytest.skip("Chromium is not installed", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api")
from axe_playwright_python.sync_playwright import Axe  # noqa: E402

from jido_ai.serve.tokens import add_token  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180), pytest.mark.xdist_group("observer")]
expect = playwright.expect
EXPECTED_ERROR = re.compile(r"\b401\b|net::ERR_(CONNECTION_|EMPTY_RESPONSE|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH)")
"""What the browser says of a missing token, and of a server that is killed before, in or after an answer."""
AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


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
    one = browser.new_page(viewport={"width": 1180, "height": 860})
    errors: list[str] = []
    one.on("pageerror", lambda error: errors.append(str(error)))
    one.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    yield one
    one.close()
    assert [error for error in errors if not EXPECTED_ERROR.search(error)] == []


@pytest.mark.parametrize("view", list(VIEWS))
def test_every_view_has_one_heading_the_navigation_and_a_live_region(page: Any, server: str, view: str) -> None:
    page.goto(f"{server}/{VIEWS[view]}")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    links = page.get_by_role("navigation").get_by_role("link")
    expect(links).to_have_text(["Runs", "Tree", "Memory", "Progress", "Cost"])
    expect(page.locator("nav [aria-current=page]")).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    assert page.locator("[role=status], [aria-live=polite]").count() >= 1
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_view_of_runs_has_a_search_a_state_a_button_and_a_row_for_each_run(page: Any, server: str) -> None:
    page.goto(server)
    for word in ("Outcome", "Score", "Calls", "Cost", "Age"):
        expect(page.get_by_role("columnheader", name=re.compile(word)).first).to_be_visible()
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="essay-1"))
    expect(row).to_contain_text("accepted")
    state = page.get_by_role("combobox", name="State")
    assert state.locator("option").all_inner_texts() == [
        "all", "queued", "running", "suspended", "completed", "failed", "cancelled",
    ]  # fmt: skip
    state.select_option("failed")
    expect(page.get_by_role("link", name="fails-1")).to_be_visible()
    expect(page.get_by_role("link", name="essay-1")).to_have_count(0)
    state.select_option(index=0)
    page.get_by_role("searchbox", name="Search runs").fill("three plain sentences")
    expect(page.get_by_role("link", name="again-1")).to_be_visible()
    expect(page.get_by_role("link", name="essay-1")).to_have_count(0)


def test_a_run_is_started_from_the_page_and_shown(page: Any, server: str) -> None:
    page.goto(server)
    page.get_by_role("button", name="Start a run").click()
    dialog = page.get_by_role("dialog", name="Start a run")
    dialog.get_by_role("combobox", name="Pipeline or graph").select_option("essay")
    dialog.get_by_role("textbox", name="Prompt").fill("Explain supervision again.")
    dialog.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1, name=re.compile("^Explain supervision again. run"))).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("accepted")


def test_a_run_shows_its_steps_and_its_stop_reason(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/essay-1")
    expect(page.get_by_role("heading", level=1, name="essay-1")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("score.*severity|severity.*score", re.I)).first).to_be_visible()
    main = page.get_by_role("main")
    expect(main).to_contain_text("accepted")
    expect(main).to_contain_text("threshold 0.3")
    for name in ("Candidates", "Findings", "Lessons", "Calls"):
        expect(page.get_by_role("region", name=name, exact=True)).to_be_visible()
    candidates = page.get_by_role("region", name="Candidates", exact=True)
    assert candidates.get_by_role("insertion").count() > 3
    assert candidates.get_by_role("deletion").count() > 3
    findings = page.get_by_role("region", name="Findings", exact=True)
    expect(findings.get_by_role("row").filter(has_text="“very good” says nothing")).to_contain_text("fixed")
    calls = page.get_by_role("region", name="Calls", exact=True).get_by_role("row")
    assert calls.count() >= 8
    expect(calls.nth(1)).to_contain_text(re.compile(r"ms.*640.*\$0\.0009", re.S))


def test_a_graph_run_has_its_picture_and_its_nodes_as_text(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/letter-1")
    picture = page.get_by_role("img", name=re.compile("graph", re.I)).first
    expect(picture).to_be_visible()
    for node in ("outline", "facts", "draft", "sign_off"):
        expect(page.get_by_text(node, exact=True).first).to_be_visible()


def test_a_question_is_answered_from_the_page(page: Any, server: str) -> None:
    import httpx

    body = {"pipeline": "asks", "prompt": "Ask me.", "run_id": "asks-me"}
    httpx.post(f"{server}/v1/runs?wait=30", json=body, timeout=60).raise_for_status()
    page.goto(f"{server}/#/runs/asks-me")
    expect(page.get_by_role("button", name="Refuse")).to_be_visible()
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_role("main")).to_contain_text("declined", timeout=15_000)


def test_a_person_sees_the_question_to_decide(page: Any, server: str) -> None:
    page.goto(f"{server}/#/runs/asks-1")
    question = page.get_by_role("region", name="Waiting for a decision")
    expect(question.get_by_role("insertion").first).to_be_visible()
    expect(question).to_contain_text("its supervisor starts")
    page.goto(f"{server}/#/runs/letter-1")
    expect(question).to_contain_text("sign_off")
    expect(question).to_contain_text("at most three times in five seconds")


def test_a_word_diff_contains_both_texts(page: Any, server: str) -> None:
    page.goto(server)
    found = page.evaluate(
        """async () => {
            const { wordDiff } = await import("/observer/word_diff.js");
            const words = ["a", "tree", " ", "  ", "\\n", ".", "falls", "é", "日本", "<b>"];
            let seed = 7;
            const next = (most) => (seed = (seed * 48271) % 2147483647) % most;
            const text = (length) => Array.from({ length }, () => words[next(words.length)]).join("");
            const wrong = [];
            for (let round = 0; round < 400; round += 1) {
                const [before, after] = [text(next(40)), text(next(40))];
                const parts = wordDiff(before, after);
                const side = (kind) => parts.filter(([one]) => one !== kind).map(([, piece]) => piece).join("");
                if (side("+") !== before || side("-") !== after) wrong.push([before, after]);
            }
            const same = wordDiff("one tree", "one tree");
            return [wrong, same];
        }"""
    )
    assert found == [[], [["=", "one tree"]]]


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_the_dialog_and_in_a_waiting_run(page: Any, server: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    for place, button in (("#/runs", "Start a run"), ("#/runs/asks-1", None), ("#/runs/hostile-1", None)):
        page.goto("about:blank")
        page.goto(f"{server}/{place}")
        if button is not None:
            page.get_by_role("button", name=button).click()
            expect(page.get_by_role("dialog")).to_be_visible()
        else:
            expect(page.get_by_role("region", name="Candidates")).to_be_visible()
        found = Axe().run(page, options={"runOnly": {"type": "tag", "values": AXE_RULES}})
        assert found.violations_count == 0, found.generate_report()


def test_a_running_run_is_cancelled_from_the_page(page: Any, server: str) -> None:
    import httpx

    httpx.post(f"{server}/v1/runs", json={"pipeline": "waits", "prompt": "wait", "run_id": "waits-1"}, timeout=60)
    page.goto(f"{server}/#/runs/waits-1")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("main")).to_contain_text("cancelled", timeout=15_000)
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def test_the_tree_shows_states_restarts_with_reasons_and_mailboxes(page: Any, server: str) -> None:
    page.goto(f"{server}/#/tree")
    item = page.get_by_role("treeitem", name=re.compile(r"fails\.critiquer")).last
    expect(item).to_contain_text(re.compile(r"restarts [1-9]"))
    expect(item).to_contain_text("mailbox")
    expect(page.get_by_role("tree")).to_contain_text("the judge fell ill")


def test_the_tree_shows_messages_per_second(page: Any, server: str) -> None:
    import httpx

    page.goto(f"{server}/#/tree")
    expect(page.get_by_role("main")).to_contain_text("0 messages a second")
    page.evaluate("""() => {
        const tree = document.querySelector("[role=tree]");
        const look = () => { if (/[1-9][0-9]* msg\\/s/.test(tree.textContent)) window.wasBusy = true; };
        new MutationObserver(look).observe(tree, { subtree: true, childList: true, characterData: true });
    }""")
    for _ in range(1_000):  # the rate is over the time between two looks, which a busy machine makes long
        httpx.post(f"{server}/v1/runs", json={"pipeline": "essay", "prompt": "again"}, timeout=60).raise_for_status()
        if page.evaluate("window.wasBusy === true"):
            return
    pytest.fail("no actor had a message a second")


def test_memory_is_searched_by_enter_and_a_lesson_is_forgotten(page: Any, server: str) -> None:
    import httpx

    lesson = {"prompt": "Peel an onion", "mistake": "cried", "correction": "Hold it under water."}
    httpx.post(f"{server}/v1/memory/entries", json=lesson, timeout=60).raise_for_status()
    page.goto(f"{server}/#/memory")
    box = page.get_by_role("searchbox", name="Search memory")
    box.fill("Peel an onion")
    box.press("Enter")
    expect(page.get_by_role("main")).to_contain_text("Hold it under water.")
    expect(page.get_by_role("listitem").filter(has_text="Hold it under water.")).to_contain_text("not offered to a run")
    page.get_by_role("button", name="Forget Hold it under water.").click()  # others are listed until the answer comes
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Forget")).click()
    expect(page.get_by_text("Hold it under water.")).to_have_count(0)


def test_the_page_of_the_memory_shows_the_answer_of_an_example_and_its_task(page: Any, server: str) -> None:
    import httpx

    example = {"prompt": "Name a knot", "answer": "A bowline."}
    httpx.post(f"{server}/v1/memory/entries", json=example, timeout=60).raise_for_status()
    page.goto(f"{server}/#/memory")
    shown = page.get_by_role("listitem").filter(has_text="A bowline.")
    expect(shown).to_contain_text("Accepted answer to: Name a knot")
    expect(shown).to_contain_text("example")


@pytest.mark.parametrize("view", ["progress", "cost"])
def test_progress_and_cost_are_pictures_and_tables_that_a_phone_shows_whole(page: Any, server: str, view: str) -> None:
    page.set_viewport_size({"width": 400, "height": 860})
    page.goto(f"{server}/{VIEWS[view]}")
    picture = page.get_by_role("img", name=re.compile(view, re.I)).first
    expect(picture).to_be_visible()
    assert picture.locator("text").first.bounding_box()["height"] >= 10, "its words can be read"
    for table in page.locator(".wide").all():
        assert table.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, "no column is cut off"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", list(VIEWS))
def test_axe_finds_nothing(page: Any, server: str, view: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.goto(f"{server}/{VIEWS[view]}")
    page.wait_for_timeout(700)
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": AXE_RULES}})
    assert found.violations_count == 0, found.generate_report()


QUEUES = [
    {
        "name": "work",
        "waiting": 12,
        "running": 4,
        "workers": [
            {"id": "alpha-1", "status": "running", "running": 4, "concurrency": 4, "release": "0.1.0",
             "names": ["answer", "<img src=x>"], "silent_s": 0.4},
            {"id": "beta-2", "status": "silent", "running": 3, "concurrency": 4, "release": "0.1.0",
             "names": ["answer"], "silent_s": 12.3},
            {"id": "gamma-3", "status": "gone", "running": 2, "concurrency": 4, "release": "0.1.0",
             "names": ["answer"], "silent_s": 41.2},
        ],
        "handovers": [{"run_id": "order-17", "from": "gamma-3", "by": "alpha-1", "seconds_ago": 200}],
        "given_up": [{"run_id": "order-9", "attempts": 3, "seconds_ago": 80}],
    },
    {"name": "slow", "waiting": 1, "running": 0, "workers": [], "handovers": []},
]  # fmt: skip
"""As GET /v1/queues answers where there are workers: tests/integrations/test_dbos_observer.py."""


@pytest.mark.parametrize("theme", THEMES)
def test_queues_show_runs_workers_hand_overs_and_runs_given_up(page: Any, server: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.route("**/v1/queues", lambda route: route.fulfill(json={"data": QUEUES}))
    page.goto(server)
    page.get_by_role("navigation").get_by_role("link", name="Queues").click()
    work = page.get_by_role("region", name="work", exact=True)
    expect(work).to_contain_text("4 of 4")
    for name, state in (("alpha-1", "alive"), ("beta-2", "silent for 12 s"), ("gamma-3", "gone")):
        expect(work.get_by_role("region", name="Workers").get_by_role("row", name=name)).to_contain_text(state)
    expect(work.get_by_role("row", name="order-17")).to_contain_text("3 min")
    expect(work.get_by_role("region", name="Given up").get_by_role("row", name="order-9")).to_contain_text("80 s")
    expect(page.get_by_role("region", name="slow")).to_contain_text("1 run waits, and no worker is running.")
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": AXE_RULES}})
    assert found.violations_count == 0, found.generate_report()


COMPARED = {
    "run_id": "spring",
    "at": "2026-11-27T10:00:00+00:00",
    "recommendation": "One call is enough.",
    "baseline": "single",
    "tasks": 40,
    "rows": [
        {
            "name": name, "passed": 30, "total": 40, "weight": 40.0, "interval": [0.6, 0.86], "against": against,
            "calls": calls, "tokens": 9000, "cost_usd": None, "p50_s": 1.2, "p95_s": 3.0,
        }
        for name, calls, against in (("single", 40, None), ("loop", 120, {"gained": 2, "lost": 1, "p": 0.8123}))
    ],
    "remarks": ["loop is not shown to be better than single (p = 0.81)."],
    "lost": [{"strategy": "loop", "tasks": [{"id": "t7", "prompt": "<img src=x onerror=alert(1)>"}], "of": 1}],
}  # fmt: skip
"""As GET /v1/comparisons answers: tests/serve/test_served_comparisons.py."""


@pytest.mark.parametrize("theme", THEMES)
def test_comparisons_show_the_table_its_meaning_and_the_tasks_lost(page: Any, server: str, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    page.route("**/v1/comparisons", lambda route: route.fulfill(json={"data": [COMPARED]}))
    page.goto(server)
    page.get_by_role("navigation").get_by_role("link", name="Comparisons").click()
    shown = page.get_by_role("region", name="spring", exact=True)
    expect(shown).to_contain_text("One call is enough.")
    row = shown.get_by_role("row", name="loop")
    for text in ("30 of 40", "60 % to 86 %", "+2 −1, p = 0.81", "120", "unknown", "1.2 s"):
        expect(row).to_contain_text(text)
    expect(shown).to_contain_text("not shown to be better")
    shown.get_by_text("loop lost 1 task").click()
    expect(shown.get_by_text("<img src=x onerror=alert(1)>")).to_be_visible()
    found = Axe().run(page, options={"runOnly": {"type": "tag", "values": AXE_RULES}})
    assert found.violations_count == 0, found.generate_report()


def test_a_server_without_comparisons_names_the_command(page: Any, server: str) -> None:
    page.goto(f"{server}/#/comparisons")
    expect(page.get_by_role("main")).to_contain_text("No comparisons. `jido compare`")


def test_a_server_without_queues_explains_how_to_make_one(page: Any, server: str) -> None:
    page.goto(f"{server}/#/queues")
    expect(page.get_by_role("main")).to_contain_text("No queues.")


def test_hostile_texts_are_shown_and_never_run(page: Any, server: str) -> None:
    for place in ("#/runs", "#/runs/hostile-1", "#/runs/fails-1", "#/memory", "#/tree"):
        page.goto(f"{server}/{place}")
        page.wait_for_timeout(500)
        assert page.title() != "1", place
        assert page.locator("main img[src=x]").count() == 0, place
        assert "\u202e" not in page.locator("main").inner_text(), "an override that is not isolated turns what follows"
    page.goto(f"{server}/#/runs/hostile-1")
    expect(page.get_by_role("region", name="Candidates")).to_contain_text("<b>bold</b>")


def test_the_page_reports_a_lost_server_and_reconnects_by_itself(page: Any, tmp_path: Path) -> None:
    with observed_server(tmp_path) as address:
        page.goto(address)
        expect(page.get_by_role("button", name="Start a run")).to_be_visible()
    expect(page.get_by_text(re.compile("connect|offline|lost", re.I)).first).to_be_visible(timeout=20_000)
    with observed_server(tmp_path, port=int(address.rpartition(":")[2])):
        expect(page.locator("#connection")).not_to_contain_text(re.compile("offline|lost", re.I), timeout=30_000)


def test_with_tokens_the_page_asks_for_one_and_keeps_it_for_the_session(page: Any, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    token = add_token(tokens, tenant="a", project="b")
    with observed_server(tmp_path, str(tokens)) as address:
        page.goto(address)
        page.get_by_role("dialog").locator("input").fill(token)
        page.keyboard.press("Enter")
        expect(page.get_by_role("columnheader", name=re.compile("Age"))).to_be_visible()
        page.reload()
        expect(page.get_by_role("columnheader", name=re.compile("Age"))).to_be_visible()


def test_the_files_of_the_page_are_at_most_300_kb() -> None:
    import jido_ai.serve

    folder = Path(jido_ai.serve.__file__).parent / "observer"
    assert 0 < sum(file.stat().st_size for file in folder.iterdir()) <= 300_000
