"""Each sentence of docs/explanation/security.md is a promise with tests, or says what is no promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "security.md"
WARNING = ("",)
"""Stands for a sentence that promises nothing: a limit, a reason or a pointer."""

INJECTION, LAYERS = "models/prompts/test_injection.py", "tools/sandbox/test_layers.py"
EXECUTOR, CONFIG, KEYS = "contracts/test_tool_executor.py", "test_config.py", "cli/test_keys_of_files.py"
HTTP, GUARD, TRUST = "models/providers/test_http.py", "serve/test_serve_guard.py", "cli/test_trust.py"
DOOR = "serve/test_openai_door.py"
TESTS: dict[str, tuple[str, ...]] = {
    "**Trusted**": WARNING,
    "**Not trusted**": WARNING,
    "A candidate, an issue or a lesson goes": (
        f"{INJECTION}::test_no_data_changes_the_structure_of_a_request_on_the_wire",
        "models/prompts/test_template.py::test_no_prompt_candidate_or_lesson_changes_the_structure_of_a_request_for_a_critique",
    ),
    "Nothing in a block is used as": (f"{INJECTION}::test_an_order_in_a_lesson_moves_no_secret",),
    "No library can keep a model": WARNING,
    "Names of files from git": (
        "files/test_below.py::test_no_name_of_a_stranger_leads_outside",
        "files/test_below.py::test_none_of_100_000_names_of_strangers_leads_outside",
        "improve/test_hostile_project.py::test_a_tree_with_a_name_that_leaves_the_copy_is_refused",
    ),
    "Tools and tests run on a copy": (
        f"{EXECUTOR}::test_a_run_works_in_a_copy_of_the_tree",
        f"{EXECUTOR}::test_the_environment_holds_no_secret_and_no_home_of_ours",
        f"{LAYERS}::test_a_hostile_program_cannot_break_out",
        f"{LAYERS}::test_a_limit_that_ends_a_run_is_reported",
    ),
    "There are two kinds of sandbox": WARNING,
    "At the first use": (f"{LAYERS}::test_the_best_layer_is_taken_and_recorded",),
    "`jido doctor` shows": (f"{LAYERS}::test_doctor_reports_the_layer_in_use_and_why_the_others_are_not_used",),
    "Without a layer": (f"{LAYERS}::test_without_a_layer_a_program_that_executes_is_refused_with_a_remedy",),
    "What a program may read is not for the project": (
        f"{LAYERS}::test_a_link_that_lies_in_the_project_makes_nothing_readable",
        "improve/test_hostile_project.py::test_no_interpreter_in_a_repository_opens_a_file_of_the_user",
        "improve/test_hostile_project.py::test_the_settings_of_a_project_choose_no_interpreter_without_trust",
    ),
    "Not in the copy": (f"{EXECUTOR}::test_the_secrets_of_a_project_stay_out_of_the_copy",),
    "`.env.example` and": (f"{EXECUTOR}::test_the_secrets_of_a_project_stay_out_of_the_copy",),
    "No layer protects from kernel bugs": WARNING,
    "The medium layer does not hide": WARNING,
    "There are layers only on Linux": WARNING,
    "A `jido.toml` comes with": WARNING,
    "If it could name any address": WARNING,
    "So a settings file can name": (
        f"{CONFIG}::test_a_file_names_no_address_elsewhere_and_no_password_is_quoted",
        f"{TRUST}::test_a_project_cannot_choose_a_memory_outside_of_its_directory",
        f"{TRUST}::test_trust_is_asked_once_and_remembered_for_that_project_alone",
    ),
    "A file that belongs to another user": (
        "cli/test_settings.py::test_a_file_of_another_user_is_skipped_with_one_warning",
    ),
    "`[providers.NAME]` may name": (f"{KEYS}::test_the_table_of_who_may_choose_what_holds",),
    "Options and `JIDO_*` variables": (f"{KEYS}::test_the_table_of_who_may_choose_what_holds",),
    "[Prompts](../how-to/prompts.md) come only": (
        "cli/test_prompts.py::test_a_settings_file_cannot_name_a_directory_outside_its_own",
    ),
    "Keys are read from the environment": (
        f"{HTTP}::test_no_key_shows_in_a_model",
        f"{HTTP}::test_no_key_is_logged_by_a_call",
        f"{HTTP}::test_a_secret_cannot_be_pickled_or_copied",
    ),
    "The key of a built-in provider": (
        f"{HTTP}::test_the_key_of_openai_is_sent_only_to_its_own_address",
        f"{KEYS}::test_no_built_in_key_follows_an_address_of_a_project",
        f"{KEYS}::test_no_key_of_the_user_arrives_at_an_address_that_a_file_chose",
    ),
    "A file of a project chooses one only": (
        f"{KEYS}::test_no_built_in_key_follows_an_address_of_a_project",
        f"{KEYS}::test_no_key_of_the_user_arrives_at_an_address_that_a_file_chose",
    ),
    "The same holds for `api_key_env`": (f"{KEYS}::test_the_table_of_who_may_choose_what_holds",),
    "You trust a project with": (
        f"{TRUST}::test_trust_is_asked_once_and_remembered_for_that_project_alone",
        f"{KEYS}::test_the_table_of_who_may_choose_what_holds",
    ),
    "Secrets of known forms": ("text/test_redaction.py::test_secrets_are_masked_and_their_names_stay",),
    "Without tokens it answers only": (
        "serve/test_serve_guard.py::test_without_tokens_a_foreign_host_is_421",
        "serve/test_serve_guard.py::test_without_tokens_a_foreign_origin_is_403",
    ),
    "With tokens each caller has": (
        f"{GUARD}::test_no_route_but_health_answers_without_a_token",
        f"{GUARD}::test_lessons_of_another_tenant_are_neither_found_nor_forgotten",
        f"{GUARD}::test_the_file_of_tokens_contains_no_token_and_is_private",
        "serve/test_scope_table.py::test_a_token_with_one_scope_is_refused_exactly_where_the_table_asks_for_others",
        "serve/test_resume_quotas.py::test_new_runs_that_come_at_once_keep_to_the_quota",
    ),
    "A caller names what you offer": (
        f"{DOOR}::test_an_unknown_model_is_404_and_a_wrong_token_401_as_the_package_expects",
    ),
    "The server does not speak TLS": WARNING,
    "[Supply chain](supply-chain.md)": WARNING,
}


def sentences() -> list[str]:
    text = PAGE.read_text("utf-8").partition("## The promises")[0]
    blocks = [" ".join(block.split()) for block in text.split("\n\n") if not block.startswith(("#", "|"))]
    return [one for block in blocks for one in re.split(r"(?<=\.)\s+(?=[A-Z`*\[])", block) if one]


@pytest.mark.parametrize("sentence", sentences())
def test_a_sentence_of_the_page_about_security_has_tests(sentence: str) -> None:
    assert [begin for begin in TESTS if sentence.startswith(begin)], f"no test is named for: {sentence}"


@pytest.mark.parametrize("begin", TESTS)
def test_a_test_of_the_page_about_security_exists(begin: str) -> None:
    assert any(sentence.startswith(begin) for sentence in sentences()), f"the page does not say: {begin}"
    for place in filter(None, TESTS[begin]):
        file, _, name = place.partition("::")
        assert re.search(rf"^(async )?def {name}\(", (ROOT / "tests" / file).read_text("utf-8"), re.MULTILINE), place
