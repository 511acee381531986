"""The rows of the specification: what each asks for, where it lives, and which tests show it.

`python tests/rows.py` renews `docs/planning/rows.md` from the table below and from the marks on the tests
(`@pytest.mark.rows("H1", "H2")`), which are read without importing a test; `test_rows.py` fails when that
was forgotten.
A row is marked on a test only if that test would fail when what the row asks for breaks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "planning" / "rows.md"

GROUPS = {
    "J": "The loop, critics and revisers (Jido AI)",
    "H": "Episodes, reflection, attempts, wisdom (HelixAgent)",
    "M": "Memory, learning, persistence (MCP decision server)",
    "C": "Reflexion in a retrieval pipeline (cognitive memory)",
    "R": "Reflection engine (agentic memory)",
}
COUNTS = {"J": 19, "H": 66, "M": 52, "C": 50, "R": 62}

# row | where, below jido_ai/ (- for what is left out) | what it asks for, or what we made of it
TABLE = """
J1 | values/candidate.py | Candidates, critiques, iterations, results as frozen values
J2 | values/critique.py | A critique needs a severity; how two merge
J3 | values/critique.py, loop/convergence.py | Low, medium, high; accepted is below the threshold
J4 | critics/llm_critiquer.py, models/prompts/critique.py | A model judges by schema; severity is never made up
J5 | models/prompts/template.py, models/prompts/lessons.py | Foreign text goes out as bounded data
J6 | critics/tool_critiquer.py, tools/tool.py | Tools judge side by side; how findings add up
J7 | critics/tool_critiquer.py, tools/sandbox/executor.py | What cannot run is refused, never passed
J8 | revisers/llm_reviser.py, models/prompts/revision.py | A model revises; the stored difference is the real one
J9 | revisers/targeted_reviser.py, critics/text_critiquer.py | Certain repairs without a model; bad ones are undone
J10 | models/llm_generator.py | Several candidates; one failing loses no other
J11 | loop/reflection_loop.py, loop/policies.py | Judge, ask pure rules, revise; evidence names why
J12 | loop/convergence.py | The documented stop rules
J13 | loop/reflection_loop.py | Gain is the difference of two scores
J14 | values/words.py | Keywords: folded words without 91 stop words
J15 | memory/index/similarity.py, memory/reflexion_memory.py | Thresholds belong to measures and are inclusive
J16 | loop/self_refine.py | Write, judge, revise, judge again, once
J17 | loop/journal.py, loop/replayed_run.py | Every iteration is kept; runs replay without a model
J18 | critics/findings.py | Findings keep their identity and have a status
J19 | critics/panel.py | Panels: at the same time, quorum, tools first
H1 | values/episode.py, reflection/episodes.py | An episode is the record of one attempt
H2 | values/episode.py | An episode carries free metadata
H3 | memory/reflexion_memory.py | Memory is bounded, ordered, safe under concurrent use
H4 | memory/intake.py, values/memory.py | What cannot be stored is refused; ids are filled
H5 | memory/stores/in_process.py, memory/stores/sqlite/store.py | At the limit the oldest goes
H6 | memory/scope_index.py | What was evicted is in no index either
H7 | memory/lessons.py | All of one agent
H8 | memory/lessons.py | All of one session; without one, in none
H9 | memory/reflexion_memory.py | The newest so many, newest first
H10 | memory/index/similarity.py | Relevance by the number of shared words
H11 | learning/consolidation.py | Words of tags; retrieval uses J14's words
H12 | memory/reflexion_memory.py | Count, clear, list everything
H13 | memory/exchange.py | A snapshot as JSON, and what loading mends
H14 | memory/exchange.py | Reflections of a turn are an array
H15 | memory/exchange.py | An episode as a row of debate turns
H16 | values/episode.py, models/prompts/reflection.py | Cause, problem, change, confidence, time
H17 | models/prompts/reflection.py | What a reflection is asked from
H18 | models/prompts/reflection.py | Task, code, results, errors, numbered priors in the prompt
H19 | models/prompts/reflection.py | Labelled lines are read
H20 | models/prompts/reflection.py | No lesson: rejected; anything else missing: filled
H21 | models/prompts/reflection.py | Confidence is clamped; no number is refused
H22 | reflection/reflector.py | Whatever becomes of the model, there is a reflection
H23 | reflection/diagnosis.py | The first class whose words match wins
H24 | reflection/diagnosis.py | Class compile
H25 | reflection/diagnosis.py | Class assertion
H26 | reflection/diagnosis.py | Class timeout
H27 | reflection/diagnosis.py | Class nil
H28 | reflection/diagnosis.py | Class index
H29 | reflection/diagnosis.py | Class permission
H30 | reflection/diagnosis.py | Class import
H31 | reflection/diagnosis.py | Class type
H32 | reflection/diagnosis.py | Class concurrency
H33 | reflection/diagnosis.py | Class memory
H34 | reflection/diagnosis.py | Nothing matches: unknown, 0.3
H35 | reflection/diagnosis.py | Each class has words of its own
H36 | reflection/diagnosis.py | Priors lower the confidence once and are cited
H37 | reflection/diagnosis.py | Python tracebacks are read by exception names first
H38 | reflection/reflector.py | One fallback, not two
H39 | critics/pytest_critiquer.py, values/run.py | Attempts, pass rate, time: defaults and limits
H40 | values/run.py, loop/pipeline.py | Each pipeline has its own configuration
H41 | loop/pipeline.py | Nothing to begin with is refused
H42 | loop/reflection_loop.py | Deadline and cancellation end a run
H43 | critics/pytest_critiquer.py, critics/pytest_executor.py | A test executor answers with named results
H44 | critics/pytest_critiquer.py | Pass rate; no test is no pass
H45 | critics/pytest_critiquer.py | Success: all pass and the threshold is met
H46 | critics/pytest_critiquer.py | Failed tests become named issues
H47 | loop/reflection_loop.py | Reflect, store, hand all reflections to the next attempt
H48 | loop/reflection_loop.py | Without a reviser: reflect and store, then end
H49 | values/run.py | What a result tells
H50 | critics/pytest_critiquer.py, values/critique.py | Pass rate and reflection confidence stand apart
H51 | loop/reflection_loop.py | A timeout leaves a partial result
H52 | loop/calls.py | An error leaves a partial result
H53 | loop/reflection_loop.py, reflection/episodes.py | A failing memory is told, and costs no run
H54 | loop/memory.py | Past experience is recalled before the first generation
H55 | values/memory.py, learning/consolidation.py | A lesson: pattern, evidence, frequency, impact, uses
H56 | learning/consolidation.py | Episodes of one cause become a lesson
H57 | learning/consolidation.py | Impact is how much confidence rose
H58 | learning/consolidation.py | A domain is told by signal words
H59 | learning/consolidation.py | Tags are the words of the pattern
H60 | memory/index/similarity.py, memory/lessons.py | Lessons by shared words; ties by impact
H61 | memory/lessons.py | A use is counted with its success
H62 | memory/lessons.py | Lessons of one domain; domains are free text
H63 | memory/exchange.py, memory/files.py | Lessons stored, written and read back
H64 | memory/stores/sqlite/store.py | Lessons outlast sessions
H65 | memory/lessons.py, loop/memory.py | Learnt again: one lesson more often; five at most
H66 | loop/reflection_loop.py | What an attempt taught is offered at once
M1 | config.py, loop/pipeline.py | Memory on or off
M2 | memory/reflexion_memory.py | Limit of entries per kind
M3 | models/prompts/reflection.py | Depth: basic, detailed, comprehensive
M4 | critics/criteria.py, models/prompts/critique.py | Criteria are free texts, each with a verdict
M5 | - | Learning rate
M6 | config.py, memory/intake.py, memory/lessons.py | Retention in days
M7 | loop/memory.py | Use is fed back to lessons
M8 | learning/maintenance.py, memory/reflexion_memory.py | Clean-up and thresholds
M9 | reflection/episodes.py | Attempt with memories used and made
M10 | reflection/episodes.py | Number of an attempt, gain over the one before
M11 | reflection/episodes.py | Outcome, errors, time
M12 | reflection/episodes.py | What an attempt took
M13 | values/critique.py | Overall score, criteria, strengths, weaknesses, confidence
M14 | models/prompts/reflection.py | Lessons, insights, strategies, gaps, applicability
M15 | values/memory.py | What a memory is
M16 | values/memory.py | Five kinds of memory
M17 | memory/lessons.py | Content: prompt, mistake, correction, evidence
M18 | memory/lessons.py | Importance by bands; reliability is the success rate
M19 | memory/memory_actor.py, memory/lessons.py | Typed links with a strength
M20 | values/memory.py, memory/lessons.py | A query: filters, similarity, how many
M21 | loop/lesson.py | Words of the context looked for, each once
M22 | loop/memory.py, loop/reflection_loop.py | Lessons go in; a trace comes out
M23 | critics/criteria.py | What the evaluator asks is criteria; errors are issues
M24 | reflection/evaluation.py, critics/criteria.py | Weights are optional, equal by default
M25 | models/prompts/reflection.py | Prompts for success, failure, neutral; depth asks more
M26 | memory/reflexion_memory.py | Create, retrieve, link, strengthen, clean up
M27 | models/prompts/lessons.py | Lessons in a prompt, one entry after the other
M28 | loop/reflection_loop.py | Retrieve, then execute
M29 | values/run.py | Phases have time limits
M30 | learning/maintenance.py | Link, consolidate, remove what is outdated
M31 | config.py | Settings per task type
M32 | loop/pipeline.py | Wrap a task; retrieve; learn over many
M33 | learning/history.py, learning/progress.py | Figures of learning per task type
M34 | learning/progress.py | Trends over 5, 20, all; plateau; volatility
M35 | learning/progress.py | Every figure has a formula
M36 | learning/progress.py | Trend: later half minus earlier half
M37 | learning/progress.py | Plateau: five attempts that stand still
M38 | learning/progress.py | Key lessons, persistent issues, next focus
M39 | learning/progress.py | Learning is verified, with an interval
M40 | learning/meta.py | What is known about learning itself
M41 | memory/files.py | Export root with five directories
M42 | memory/files.py | JSON per entry, a summary, an index
M43 | memory/exchange.py | What an index says of an entry
M44 | learning/maintenance.py, learning/decay.py | Limits per kind; what is outdated goes
M45 | memory/lessons.py | Important entries are kept longer
M46 | learning/consolidation.py, learning/merging.py | Lessons that say the same become one
M47 | memory/intake.py, text/redaction.py | Checked and masked before storing
M48 | values/scope.py, memory/reflexion_memory.py | A scope never sees another's
M49 | memory/memory_actor.py | Who read and wrote is recorded
M50 | loop/lesson.py, learning/consolidation.py | What failed often is not offered; contradictions
M51 | loop/reflection_loop.py | A failing memory leaves the original prompt
M52 | errors.py | Error kinds
C1 | loop/reflection_loop.py | Steps 4 to 7: recall, generate, judge, reflect
C2 | values/critique.py | A reward from -1 to 1 with words
C3 | critics/criteria.py, reflection/evaluation.py | Relevance 40, accuracy 40, completeness 20 %
C4 | reflection/reflector.py | Temperatures and lengths of the calls
C5 | reflection/evaluation.py | Reflect below 0.3, strictly, unless set otherwise
C6 | - | Expected trigger rate over the months
C7 | reflection/evaluation.py | Trigger statistics
C8 | models/prompts/reflection.py | Question, answer, judgement go into the reflection
C9 | loop/pipeline.py, components/component.py | Blank prompts and answers are refused
C10 | models/prompts/reflection.py | Problem, lesson, full text
C11 | models/prompts/reflection.py | "Problem:" and "Lesson:" with lines that go on
C12 | reflection/reflector.py | Unreadable text is kept, a lesson drawn anyway
C13 | memory/lessons.py | Problem and lesson are stored apart
C14 | memory/reflexion_memory.py | Store an episode's lesson
C15 | values/episode.py, memory/intake.py | Rewards, texts, tags are checked first
C16 | memory/stores/sqlite/store.py | What an entry holds is read back
C17 | memory/reflexion_memory.py | Prompts are what is matched
C18 | memory/memory_actor.py | Without its embedding an entry is stored nevertheless
C19 | memory/reflexion_memory.py | Storing answers with the entry, or an error
C20 | memory/reflexion_memory.py, mcp/resources.py | Minimum similarity and how many
C21 | memory/reflexion_memory.py | Results with similarity, nearest first
C22 | memory/scope_index.py | Cosine, 0.70 inclusive
C23 | - | Bands for reading a cosine
C24 | memory/reflexion_memory.py | A threshold out of range is rejected
C25 | models/prompts/lessons.py | Lessons stand in a section of their own
C26 | models/prompts/generation.py | Nothing similar: the prompt as it is
C27 | models/llm_generator.py | An answer with model, tokens, temperature
C28 | values/run.py, improve/improve.py | Lessons can be shown
C29 | loop/memory.py | The same mistake is not repeated
C30 | models/retry.py | Four retries after 1, 2, 4, 8 seconds
C31 | models/retry.py | Jitter of a fifth
C32 | models/retry.py | Which errors are tried again
C33 | loop/reflection_loop.py | Reflection that fails is skipped and counted
C34 | models/wrappers/retry.py, models/wrappers/ledger.py | Retries are told; failing records fail no call
C35 | models/wrappers/ledger.py | Cost rows by day, label, model
C36 | models/pricing.py | Cost is tokens times price, in dollars
C37 | models/wrappers/ledger.py | A month's sum; alert at four fifths
C38 | reflection/reflector.py, loop/reflection_loop.py | Reflection never blocks; budgets stop it first
C39 | - | Evaluation by heuristics
C40 | models/limits.py | A breaker that probes every 30 seconds
C41 | models/prompts/critique.py, reflection/evaluation.py | An unreadable judgement is no verdict
C42 | memory/reflexion_memory.py, cli/memory.py | Lists with limit, offset, filters, newest first
C43 | errors.py, memory/reflexion_memory.py | Store, search, list, and their errors
C44 | memory/reflexion_memory.py | Projects are kept apart
C45 | memory/intake.py | Retention is applied
C46 | - | Episodes in a general hybrid search
C47 | reflection/evaluation.py, loop/pipeline.py | Low, medium, similar, stored
C48 | models/providers/secret.py | A missing key is told at construction
C49 | values/episode.py | The lesson is a field
C50 | memory/memory_actor.py | A failed embedding is made later
R1 | loop/pipeline.py | Traces of other agents teach lessons
R2 | values/episode.py, models/prompts/reflection.py | Events of a trace
R3 | values/episode.py | Seven types of event
R4 | values/critique.py | Outcomes
R5 | reflection/diagnosis.py | Classes tool, validation, model, network beside H's
R6 | models/prompts/reflection.py | Error text and issues are the errors
R7 | values/episode.py, models/prompts/reflection.py | Everything known of an attempt is shown
R8 | values/episode.py, models/prompts/reflection.py | What a reflection holds
R9 | values/episode.py | Missing lists are empty; the time is now
R10 | models/prompts/reflection.py | The question fits the outcome
R11 | models/prompts/reflection.py | What a failure is asked
R12 | models/prompts/reflection.py | What a success is asked
R13 | models/prompts/reflection.py | Reply with strategy, importance, confidence, tags
R14 | models/prompts/reflection.py | What is not known is said so
R15 | models/prompts/reflection.py | Events as numbered lines
R16 | models/prompts/reflection.py | Numbers in every way they are written
R17 | models/prompts/reflection.py | Tags in every way they are written
R18 | models/prompts/reflection.py | Only the lesson is required
R19 | memory/lessons.py | Outcome, cause and number of events are kept as metadata
R20 | reflection/reflector.py | Strict: raised; else diagnosis
R21 | memory/reflexion_memory.py | Storing a reflection in its scope
R22 | memory/lessons.py | Tags, importance, source of what is stored
R23 | memory/lessons.py | A strategy is stored apart
R24 | memory/lessons.py | A tenth more important, at most 1
R25 | memory/lessons.py | Session, confidence, error class are stored
R26 | values/memory.py | Layers are kinds
R27 | memory/reflexion_memory.py | Query with text, number, importance, tags
R28 | memory/scope_index.py, memory/lessons.py | Filters first, then likeness
R29 | memory/lessons.py | Links between entries
R30 | memory/lessons.py | Importance has four bands
R31 | - | Request defaults that nobody reads
R32 | memory/lessons.py | A known lesson is not stored twice
R33 | learning/decay.py | What has expired is not offered
R34 | config.py | REFLECTIVE_MEMORY_ENABLED
R35 | loop/settings.py | Off: nothing is retrieved or generated
R36 | config.py, loop/pipeline.py | Mode lite or full
R37 | config.py, reflection/evaluation.py | Lite: successes are not reflected on
R38 | config.py, reflection/evaluation.py | Full: successes are reflected on
R39 | config.py | Explicit settings win over the mode
R40 | config.py | Default model from the environment
R41 | learning/dreams.py | Dreaming over recent important memories
R42 | learning/dreams.py | Figures of dreaming
R43 | learning/maintenance.py | Errors in dreaming
R44 | learning/maintenance.py | Maintenance of all scopes
R45 | learning/decay.py, memory/lessons.py | Recency halves in thirty days
R46 | - | Session summaries
R47 | memory/lessons.py | Rank: similarity, importance, recency
R48 | serve/routes/memory.py | REST endpoint
R49 | values/scope.py, serve/bodies.py | Limits of names and numbers
R50 | reflection/log.py | Events of reflection are logged
R51 | models/prompts/lessons.py | Lessons as lines of one block
R52 | memory/reflexion_memory.py | Tenants are kept apart
R53 | critics/criteria.py, critics/llm_critiquer.py | Criteria that models judge by
R54 | values/critique.py | Judgement: score, reasons, criteria, recommendations
R55 | reflection/evaluation.py, critics/criteria.py | A trace judged without a model
R56 | reflection/evaluation.py, critics/criteria.py | Outcome from a score
R57 | critics/criteria.py | Another critic stands in for a model that fails
R58 | reflection/evaluation.py | When an attempt is reflected on
R59 | reflection/evaluation.py | Importance of an outcome
R60 | protocols.py, registry.py | Parts can be replaced
R61 | - | Planned: clustering, versioning, running strategies
R62 | learning/consolidation.py | Summaries of tags without a model
"""

# Why a row is left out, or a part of it.
LEFT_OUT = {
    "H3": "a size below 1 is refused, not taken for 1000",
    "H11": "retrieval compares J14's words whatever the measure",
    "H60": "tags and domain are filters of a query, not points",
    "M2": "at least 1, without an upper limit",
    "M5": "a use counts as much as every other (H61): there is no rate to set",
    "M12": "hits of a cache are told by each completion, not added up per attempt",
    "M15": "being read is no figure of an entry; the audit has it (M49)",
    "M29": "one limit for every step, 60 s unless set, not one per phase",
    "M34": "no confidence of a plateau and no interventions",
    "M43": "relevance and accesses are not in it: an entry has neither",
    "C1": "query expansion, document search, working memory and reply are the caller's",
    "C4": "judging has J4's temperature, both can be set",
    "C6": "an expectation about months of use, no behaviour; C7's figures measure it",
    "C17": "the lesson's text is not matched, the prompt alone is",
    "C23": "advice for reading a cosine, no behaviour; the threshold is C22's",
    "C27": "the answer is plain text, without thought, reasoning and confidence of its own",
    "C29": "how much better that gets is for a benchmark to measure, not for a test",
    "C39": "heuristics would make up a judgement; the outcome stays unknown (C41)",
    "C42": "tags match any, and a total is `count`",
    "C46": "no search over documents here; that is the caller's",
    "C50": "at the next search, not by a policy of retries of its own",
    "R19": "task and session are fields of the entry, the events stay in the episode",
    "R27": "no minimum importance unless given",
    "R31": "defaults that nobody read; a query has no minimum unless given, the depth asks for strategies (M3)",
    "R46": "sessions are not summarised; attempts that share a tag are (R62)",
    "R61": "plans of the original; links are there (R29), and how often a lesson was learned is its frequency",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the specification.

    Attributes:
        where: files below `jido_ai/`; none for a row that is left out.
        tests: "tests/file.py::test", or a whole file.
    """

    id: str
    where: tuple[str, ...]
    title: str
    tests: tuple[str, ...]
    left_out: str | None


def rows(marks: dict[str, list[str]] | None = None) -> list[Row]:
    """Return all rows in the order of the table, with the tests that are marked with them."""
    marks = marked() if marks is None else marks
    found: list[Row] = []
    for line in TABLE.strip().splitlines():
        id, where, title = (part.strip() for part in line.split("|"))
        files = tuple(part.strip() for part in where.split(",") if part.strip() != "-")
        found.append(Row(id, files, title, tuple(marks.get(id, ())), LEFT_OUT.get(id)))
    return found


def marked() -> dict[str, list[str]]:
    """Return for every row that a mark names the tests that bear it, by file, in the order of the file."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for test, ids in _marks(ast.parse(path.read_text("utf-8"))):
            for id in ids:
                found.setdefault(id, []).append(f"{path.relative_to(ROOT).as_posix()}{test}")
    return found


def _marks(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                yield f"::{node.name}", _named(decorator)
        elif isinstance(node, ast.Assign) and any(ast.unparse(target) == "pytestmark" for target in node.targets):
            values = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
            for value in values:
                yield "", _named(value)


def _named(mark: ast.expr) -> list[str]:
    """Return the rows that a mark names; none for any other mark."""
    if not isinstance(mark, ast.Call) or ast.unparse(mark.func) != "pytest.mark.rows":
        return []
    return [ast.literal_eval(argument) for argument in mark.args]


def page(found: list[Row]) -> str:
    """Return `docs/planning/rows.md`."""
    shown = sum(bool(row.tests) for row in found)
    parts = [_HEAD.format(rows=len(found), shown=shown, left=sum(not row.tests for row in found))]
    for letter, title in GROUPS.items():
        lines = [f"## {letter}: {title}", "", "| row | what | where | shown by |", "|---|---|---|---|"]
        lines += [_line(row) for row in found if row.id[0] == letter]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _line(row: Row) -> str:
    where = "<br>".join(f"[{path}](../../jido_ai/{path})" for path in row.where)
    shown = [f"`{test.removeprefix('tests/')}`" for test in row.tests]
    if row.left_out is not None:
        shown.append(f"{'In part' if row.tests else 'Left out'}: {row.left_out}")
    return f"| {row.id} | {row.title} | {where} | {'<br>'.join(shown)} |"


_HEAD = """\
# Rows of the specification

The specification joins five designs of reflection, row by row. This page says of each of its {rows} rows what became of
it: where it lives, and the tests that fail when it breaks ({shown} rows), or why it is left out ({left} rows). Paths of
tests are below `tests/`.

The page is made: the tests name their rows (`@pytest.mark.rows("H1")`), `python tests/rows.py` writes it, and
`tests/test_rows.py` fails when it is stale, when a row has neither a test nor a reason, or when a name is wrong."""


if __name__ == "__main__":
    PAGE.write_text(page(rows()), "utf-8")
