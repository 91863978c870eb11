"""Workers fail in every way there is; each task still ends exactly once."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests_execution_tasks import double, misbehave, slow_first

from g2milp.errors import UsageError
from g2milp.execution.local import run
from g2milp.execution.task import Done, Failed, Failure, Task, WorkerLimits, kill_after


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_task_gets_its_value(jobs: int) -> None:
    results = list(run((Task(k, k) for k in range(100)), double, jobs=jobs))
    assert {r.task.key: r.value for r in results if isinstance(r, Done)} == {
        k: 2 * k for k in range(100)
    }
    assert len(results) == 100


def test_a_worker_that_does_not_start_is_replaced_and_not_taken_for_a_slow_task() -> None:
    limits = WorkerLimits(start_seconds=0.001)
    (failed,) = run([Task("slow", 1, seconds=100)], double, limits=limits)
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.attempts) == (Failure.CRASHED, 2)
    assert "did not start in 0.001 s, in each of 2 attempts" in failed.reason


def test_ordered_results_wait_for_the_slow_one() -> None:
    results = run([Task(k, k) for k in range(200)], slow_first, jobs=2, ordered=True)
    assert [r.task.key for r in results] == list(range(200))


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken = 0

    def tasks() -> object:
        nonlocal taken
        for k in range(10_000):
            taken += 1
            yield Task(k, k)

    results = run(tasks(), double, jobs=2)  # type: ignore[arg-type]
    next(results)
    assert taken < 10
    results.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("what", "failure", "words", "attempts"),
    [
        ("raise", Failure.ERROR, "ValueError: no such thing", 1),
        ("exit", Failure.CRASHED, "exited with code 7", 2),
        ("segfault", Failure.CRASHED, "died of SIGSEGV", 2),
        ("hang", Failure.KILLED, "out of time", 1),
        ("swell", Failure.MEMORY, "more than 100 MB", 1),
    ],
)
def test_a_failure_costs_one_task(what: str, failure: Failure, words: str, attempts: int) -> None:
    tasks = [Task(w, w, seconds=0.5 if w == "hang" else 60.0) for w in ("a", what, "b")]
    found = {r.task.key: r for r in run(tasks, misbehave, limits=WorkerLimits(memory_mb=100))}
    failed = found[what]
    assert isinstance(failed, Failed)
    assert (failed.failure, failed.attempts) == (failure, attempts)
    assert words in failed.reason
    assert [found[w].value for w in "ab"] == ["a", "b"]  # type: ignore[union-attr]


def test_a_second_attempt_may_be_an_easier_one() -> None:
    (result,) = run([Task("x", "segfault", second_payload="calm")], misbehave)
    assert isinstance(result, Done)
    assert (result.value, result.attempts) == ("calm", 2)


def test_workers_see_no_terminal_and_say_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    values = [r.value for r in run([Task(w, w) for w in ("print", "stdin")], misbehave)]  # type: ignore[union-attr]
    assert values == ["print", ""]
    assert capfd.readouterr() == ("", "")


def test_a_worker_is_kept_and_replaced_in_time() -> None:
    limits = WorkerLimits(tasks=3)
    pids = [r.value for r in run([Task(k, "pid") for k in range(7)], misbehave, limits=limits)]  # type: ignore[union-attr]
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [3, 3, 1]
    assert all(is_gone(pid) for pid in pids)
    assert os.getpid() not in pids


def test_closing_early_leaves_no_worker() -> None:
    results = run([Task(k, "pid") for k in range(50)], misbehave, jobs=2)
    first = next(results)
    results.close()  # type: ignore[attr-defined]
    assert isinstance(first, Done)
    assert is_gone(first.value)


def test_killing_an_idle_worker_is_not_blamed_on_the_next_task() -> None:
    results = run((Task(k, "pid") for k in range(3)), misbehave, limits=WorkerLimits(attempts=1))
    first = next(results)
    assert isinstance(first, Done)
    os.kill(first.value, 9)
    time.sleep(0.1)
    assert all(isinstance(result, Done) for result in results)


def test_no_tasks_no_workers() -> None:
    assert list(run([], double, jobs=4)) == []


@pytest.mark.parametrize("function", [lambda x: x, Path.exists])
def test_a_function_must_be_importable(function: object) -> None:
    with pytest.raises(UsageError, match="cannot run in a worker process"):
        list(run([Task(0, 0)], function))  # type: ignore[arg-type]


def test_kill_after() -> None:
    assert kill_after(None) is None
    assert kill_after(10.0) == 25.0


@settings(max_examples=5, deadline=None)
@given(st.lists(st.sampled_from(["raise", "exit", "a", "b"]), max_size=6), st.integers(1, 3))
def test_any_mix_ends_each_task_once_and_in_order(whats: list[str], jobs: int) -> None:
    limits = WorkerLimits(attempts=1)
    tasks = [Task(k, what) for k, what in enumerate(whats)]
    results = list(run(tasks, misbehave, jobs=jobs, ordered=True, limits=limits))
    assert [r.task.key for r in results] == list(range(len(whats)))
    assert [isinstance(r, Done) for r in results] == [what in "ab" for what in whats]
