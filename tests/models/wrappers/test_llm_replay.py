"""What was recorded is played back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jido_ai.errors import ConfigurationError, NotFoundError, RateLimitError
from jido_ai.models.wrappers.replay import RecordingModel, ReplayModel
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message, Usage

KEY = "sk-planted0123456789abcdef"


def asking(text: str = "hi", **options: object) -> CompletionRequest:
    return CompletionRequest((Message("system", "be brief"), Message("user", text)), **options)


async def pieces_of(model: RecordingModel | ReplayModel, request: CompletionRequest) -> list[str | Completion]:
    return [piece async for piece in model.stream(request)]


async def test_the_same_request_gets_the_same_completion(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    answer = Completion("hello\ud800\0", model="m", usage=Usage(1, 2, 3, 0.5), finish_reason="length")
    recorder = RecordingModel(ScriptedModel([answer]), file)
    request = asking(temperature=0.0, schema={"type": "object"}, stop=("x",), seed=1)
    assert await recorder.complete(request) == answer
    assert await ReplayModel(file).complete(request) == answer


async def test_metadata_and_the_time_limit_do_not_distinguish_requests(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    await RecordingModel(ScriptedModel(["yes"]), file).complete(asking(metadata={"run": object()}, timeout_s=3.0))
    assert (await ReplayModel(file).complete(asking(metadata={"run": 2}))).text == "yes"


@pytest.mark.parametrize(
    "other", [asking("ho"), asking(temperature=0.5), asking(max_tokens=3), asking(model="n"), asking(seed=1)]
)
async def test_a_request_that_was_not_recorded_is_named(tmp_path: Path, other: CompletionRequest) -> None:
    file = tmp_path / "talk.jsonl"
    await RecordingModel(ScriptedModel(["yes"]), file).complete(asking())
    with pytest.raises(
        NotFoundError, match=r"has 1 exchanges, but none for this request: 2 messages, the last by user"
    ):
        await ReplayModel(file).complete(other)


async def test_a_request_recorded_twice_is_answered_in_order_and_then_with_the_last(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    recorder = RecordingModel(ScriptedModel(["one", "two"]), file)
    await recorder.complete(asking())
    await recorder.complete(asking())
    replay = ReplayModel(file)
    assert [(await replay.complete(asking())).text for _ in range(3)] == ["one", "two", "two"]


async def test_an_error_of_the_model_is_raised_again_unchanged(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    error = RateLimitError("slow down", provider="p", model="m", status=429, retry_after_s=7.0)
    with pytest.raises(RateLimitError):
        await RecordingModel(ScriptedModel([error]), file).complete(asking())
    with pytest.raises(RateLimitError) as caught:
        await ReplayModel(file).complete(asking())
    assert str(caught.value) == str(error)
    assert vars(caught.value) == vars(error)


async def test_a_stream_is_played_back_in_its_pieces(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    came = await pieces_of(RecordingModel(ScriptedModel([("a", "b", "c")]), file), asking())
    assert await pieces_of(ReplayModel(file), asking()) == came
    assert came[:-1] == ["a", "b", "c"]


async def test_a_broken_stream_is_played_back_up_to_the_break(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    recorder = RecordingModel(ScriptedModel([("a", RateLimitError("no", provider="p"))]), file)
    for model in (recorder, None):
        answer = (model or ReplayModel(file)).stream(asking())
        assert await anext(answer) == "a"
        with pytest.raises(RateLimitError, match="no"):
            await anext(answer)


async def test_a_model_that_cannot_stream_is_streamed_in_one_piece(tmp_path: Path) -> None:
    class Plain:
        async def complete(self, request: CompletionRequest) -> Completion:
            return Completion("whole")

    file = tmp_path / "talk.jsonl"
    assert await pieces_of(RecordingModel(Plain(), file), asking()) == ["whole", Completion("whole")]
    assert await pieces_of(ReplayModel(file), asking()) == ["whole", Completion("whole")]


async def test_no_secret_is_written(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    request = asking(f"my key is {KEY}, my word is swordfish", schema={"type": "object", "password": "hunter2!"})
    error = RateLimitError(f"key {KEY}", provider="p")
    recorder = RecordingModel(ScriptedModel([f"so {KEY} and swordfish", error]), file, secrets=["swordfish"])
    await recorder.complete(request)
    with pytest.raises(RateLimitError):
        await recorder.complete(request)
    written = file.read_text()
    for secret in (KEY, "swordfish", "hunter2!"):
        assert secret not in written
    replay = ReplayModel(file, secrets=["swordfish"])
    assert (await replay.complete(request)).text == "so [redacted] and [redacted]"
    with pytest.raises(NotFoundError) as caught:
        await replay.complete(asking(f"another {KEY}"))
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    ["nonsense", "{}", '{"request": 1}', '{"request": {"messages": [{"role": "user", "content": "x"}]}}', "[" * 9999],
)
def test_an_invalid_recording_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text("\n" + line + "\n")
    with pytest.raises(ConfigurationError, match="line 2"):
        ReplayModel(file)


def test_a_file_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no recording to play back"):
        ReplayModel(tmp_path / "none.jsonl")


async def test_a_recording_is_not_written_through_a_planted_link(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("kept")
    for name, target in (("linked", "other"), ("dangling", "new")):
        (tmp_path / name).symlink_to(tmp_path / target)
        with pytest.raises(OSError, match="symbolic"):
            await RecordingModel(ScriptedModel(["yes"]), tmp_path / name).complete(asking())
    assert (tmp_path / "other").read_text() == "kept"
    assert not (tmp_path / "new").exists()


async def test_a_recording_does_not_wait_for_the_reader_of_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="pipe"):
        await RecordingModel(ScriptedModel(["yes"]), tmp_path / "pipe").complete(asking())
