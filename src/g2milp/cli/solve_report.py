"""What ``g2milp solve`` says at the end: the summary, what failed, what is not in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.cli import output
from g2milp.errors import InputError, ItemsFailed

if TYPE_CHECKING:
    from g2milp.solvers.labelling import Labelling, Plan

Line = dict[str, Any]


def report(
    done: Labelling,
    lines: Sequence[Line],
    plan: Plan,
    ledger: Path,
    names: Sequence[str],
    known: Path | None,
    save_solu: Path | None,
    *,
    as_json: bool,
) -> None:
    """Print and write everything; raises `ItemsFailed` if a solve failed or contradicts.

    `names` are those of all instances, `lines` the solves of this run and of earlier ones.
    """
    from g2milp.solvers.base import DEFAULT_GAP
    from g2milp.solvers.solu import contradictions, read_solu
    from g2milp.solvers.summary import summary

    if done.unreadable and not done.asked:
        _nothing_readable([error for _, error in done.unreadable])
    gap = DEFAULT_GAP if plan.limits.gap is None else plan.limits.gap
    truths = read_solu(known) if known else {}
    against = contradictions(lines, truths, gap)
    failures = [
        *(_unreadable(name, error) for name, error in done.unreadable),
        *(_failure(line, _state(line), line["message"]) for line in lines if _has_failed(line)),
        *(_failure(line, "contradiction", reason) for line, reason in against),
    ]
    if save_solu:
        _write_solu(lines, save_solu)
    whole = summary(lines)
    payload = {"ledger": str(ledger), "new": done.new, "found": done.found, **whole}
    compared = len({line["instance"] for line in lines} & set(truths))
    if known:
        payload["known"] = {"path": str(known), "instances": compared}
    payload["failures"] = failures
    output.result(payload, as_json=as_json)
    _say(whole, done, ledger, (len(truths), compared) if known else None)
    if known and truths and not set(truths) & set(names):
        output.warn(f"{known}: none of its {len(truths)} names is an instance here")
    _say_what_is_missing(lines, done, plan, ledger)
    if failures:
        listed = [(failure["path"], failure["message"]) for failure in failures]
        of = "solve is" if len(lines) == 1 else "solves are"
        raise ItemsFailed(f"{len(failures)} failed, {len(lines)} {of} in the ledger", listed)


def _write_solu(lines: Sequence[Line], target: Path) -> None:
    from g2milp.solvers.solu import has_plain_name, truths_of, write_solu

    truths = truths_of(lines)
    plain = {name: truth for name, truth in truths.items() if has_plain_name(name)}
    write_solu(plain, target, overwrite=True)
    strange = [name for name in truths if name not in plain]
    if strange:
        output.warn(
            f"{target}: left out {len(strange)} names that are not one word, such as {strange[0]!r}"
        )


def _say_what_is_missing(lines: Sequence[Line], done: Labelling, plan: Plan, ledger: Path) -> None:
    """A ledger keeps what it has: options that came later do not reach back to its lines."""
    from g2milp.solvers.base import Checked, Status
    from g2milp.solvers.solution_files import solution_path

    if done.found and plan.cross_check:
        unasked = sum(
            not line["message"]
            and line["checked"] != Checked.CROSS_CHECKED
            and not Status(line["status"]).is_censored
            and plan.wants_second_opinion(line["instance_hash"], line["seed"])
            for line in lines
        )
        if unasked:
            output.warn(
                f"{unasked} of the solves found were made without --cross-check and stay as they "
                "are; use another ledger to have them confirmed"
            )
    if plan.save_solutions:
        without = sum(
            line["seed"] == plan.seeds[0]
            and line["objective"] is not None
            and not solution_path(ledger, line["instance"], line["instance_hash"]).exists()
            for line in lines
        )
        if without:
            output.warn(
                f"{without} instances have no .sol file: they were solved without "
                "--save-solutions, or have column names that such a file cannot hold"
            )


def _nothing_readable(errors: list[InputError]) -> None:
    if len(errors) == 1:
        raise errors[0]
    listed = "\n".join(f"  {error.message}" for error in errors[:20])
    raise InputError(f"none of the {len(errors)} instances can be read:\n{listed}")


def _has_failed(line: dict[str, Any]) -> bool:
    return line["status"] in ("error", "crashed") or line["checked"] == "wrong"


def _state(line: dict[str, Any]) -> str:
    return "wrong" if line["checked"] == "wrong" else str(line["status"])


def _failure(line: Mapping[str, Any], kind: str, message: str) -> dict[str, Any]:
    return {
        "path": line["instance"],
        "seed": line["seed"],
        "type": kind,
        "line": None,
        "rule": None,
        "message": message,
        "hint": None,
    }


def _unreadable(name: str, error: InputError) -> dict[str, Any]:
    return {
        "path": getattr(error, "path", name),
        "seed": None,
        "type": type(error).__name__,
        "line": getattr(error, "line", None),
        "rule": getattr(error, "rule", None),
        "message": error.message,
        "hint": error.hint,
    }


def _say(
    whole: dict[str, Any], done: Labelling, ledger: Path, known: tuple[int, int] | None
) -> None:
    facts = [
        ("ledger", f"{ledger}"),
        ("solves", f"{whole['solves']} ({done.new} new, {done.found} found)"),
        ("ended", ", ".join(f"{n} {status}" for status, n in whole["statuses"].items())),
        ("checked", ", ".join(f"{n} {level}" for level, n in whole["checked"].items())),
        ("censored", f"{whole['censored_share']:.1%}"),
    ]
    if known:
        facts.append(("known", f"{known[1]} instances compared, of {known[0]} in the file"))
    output.facts("Solved", facts)
    for solver, effort in whole["effort"].items():
        rows = [
            [
                measure,
                *(f"{of[k]:.4g}" for k in ("mean", "median", "shifted_geometric_mean", "max")),
            ]
            for measure, of in effort.items()
        ]
        headers = ["effort", "mean", "median", "shifted geom. mean", "largest"]
        spare = ("mean", "largest", "median")
        output.table(f"Effort of {solver}", headers, rows, left=1, spare=spare)
