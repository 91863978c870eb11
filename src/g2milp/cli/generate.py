"""``g2milp generate``: new instances from a trained or shipped model, resumable and in parallel."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import (
    PANEL_MODELS,
    Accept,
    AsJson,
    Debug,
    Folder,
    Jobs,
    Overwrite,
    Resume,
    Seed,
    Settings,
    ShardOption,
    check_resume,
    jobs_of,
    settings_of,
    shard_of,
)
from g2milp.cli.progress import progress

if TYPE_CHECKING:
    from g2milp.generation.contract import Generator

Scope = StrEnum("Scope", ["rows", "cols", "both"])
Order = StrEnum("Order", ["uniform", "ascending", "descending"])
Certify = StrEnum("Certify", ["feasible", "bounded"])

Count = Annotated[int, typer.Option("-n", "--number", min=1, metavar="N", help="How many.")]
MaskRatio = Annotated[
    float | None,
    typer.Option("--mask-ratio", metavar="η", help="Share of rows or columns that is redrawn."),
]
ScopeOption = Annotated[
    Scope | None, typer.Option("--scope", help="What is redrawn; default: what was trained.")
]
OrderOption = Annotated[Order, typer.Option("--order", help="Order in which rows are redrawn.")]
Templates = Annotated[
    Path | None,
    typer.Option("--templates", metavar="DATA", help="Start from these instances instead."),
]
CertifyOption = Annotated[
    Certify | None,
    typer.Option("--certify", help="Make each instance so, and store an exact proof beside it."),
]
Solutions = Annotated[
    Path | None,
    typer.Option(
        "--solutions", metavar="PATH", help="Known points of templates: folder of .sol, or ledger."
    ),
]
Distinct = Annotated[
    bool, typer.Option("--distinct", help="Redraw what is isomorphic to a known instance.")
]
Anonymise = Annotated[
    bool,
    typer.Option("--anonymise", help="Without names, order and scale; keys go to OUTPUT-keys."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_MODELS)(generate)


def generate(
    run: Annotated[
        str, typer.Argument(metavar="RUN|mis|setcover|mik", help="Model folder, or a shipped one.")
    ],
    n: Count,
    folder: Folder,
    mask_ratio: MaskRatio = None,
    scope: ScopeOption = None,
    order: OrderOption = Order.uniform,
    templates: Templates = None,
    certify: CertifyOption = None,
    solutions: Solutions = None,
    distinct: Distinct = False,
    temperature: Annotated[
        float, typer.Option(metavar="T", help="Scale of the latent noise; 1 is the model's own.")
    ] = 1.0,
    anonymise: Anonymise = False,
    settings: Settings = None,
    accept: Accept = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Generate new instances from a trained model, or from what a baseline learned."""
    from g2milp.baselines.registry import load
    from g2milp.datasets.dataset import Dataset
    from g2milp.generation.pretrained import resolve_model, templates_for

    model, problem = resolve_model(run)
    generator = load(model)
    given = None if templates is None else Dataset.open(templates, accept=accept or ())
    if given is None and problem is not None:
        given = templates_for(problem, n, seed)
    chosen = {
        **settings_of(settings),
        **({} if mask_ratio is None else {"mask_ratio": mask_ratio}),
        **({} if scope is None else {"scope": scope.value}),
        "order": order.value,
        "certify": None if certify is None else certify.value,
        "distinct": distinct,
        "temperature": temperature,
    }
    write_instances(
        generator,
        n,
        folder,
        options=chosen,
        templates=given,
        solutions=solutions,
        anonymise=anonymise,
        jobs=jobs_of(jobs),
        shard=shard,
        resume=resume,
        overwrite=overwrite,
        seed=seed,
        as_json=as_json,
    )


def write_instances(
    generator: Generator,
    n: int,
    folder: Path,
    *,
    options: dict[str, Any],
    templates: Any,
    solutions: Path | None,
    anonymise: bool,
    jobs: int,
    shard: str | None,
    resume: bool,
    overwrite: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Generate into a folder with progress and a summary; for every command that generates."""
    from g2milp.execution.shards import Shard
    from g2milp.generation.given import read_solutions
    from g2milp.generation.run import generate_folder
    from g2milp.generation.stream import Session

    check_resume(folder, resume=resume, overwrite=overwrite)
    resolved = generator.options(**options)
    session = Session(
        generator, seed=seed, templates=templates, options=resolved, anonymise=anonymise
    )
    if solutions is not None:
        session = session.with_solutions(read_solutions(solutions, session.templates))
    part = shard_of(shard)
    with progress("Generating", n) as advance:
        outcome = generate_folder(
            session,
            n,
            folder,
            jobs=jobs,
            shard=Shard(part.index, part.count),
            overwrite=overwrite,
            progress=advance,
        )
    summary = _summary(folder) if outcome.complete else {}
    if summary:
        summary["made_anew"] = not generator.edits_templates
    output.result(
        {
            "folder": str(folder),
            "asked": n,
            "written": outcome.written,
            "found": outcome.found,
            "complete": outcome.complete,
            **summary,
        },
        as_json=as_json,
    )
    _tell(folder, outcome.written, outcome.found, summary)


def _summary(folder: Path) -> dict[str, Any]:
    """What the manifest says, in a few numbers."""
    from g2milp.datasets.manifest import read_manifest

    records = read_manifest(folder) or []
    claims = [r["certificate"] for r in records if "certificate" in r]
    summary: dict[str, Any] = {
        "masked_rows": sum(r["masked_rows"] for r in records),
        "changed_rows": sum(r["changed_rows"] for r in records),
        "masked_cols": sum(r["masked_cols"] for r in records),
        "changed_cols": sum(r["changed_cols"] for r in records),
        "copies": sum(r.get("same_as") is not None for r in records),
        "duplicates": sum(r.get("duplicate_of") is not None for r in records),
    }
    if claims:
        summary["certificates"] = {
            "exact": sum(c["level"] == "exact" for c in claims),
            "tolerance": sum(c["level"] == "tolerance" for c in claims),
            **{
                key: sum(c[key] for c in claims)
                for key in ("moved_sides", "redrawn_rows", "kept_rows", "repaired_cols")
            },
            "largest_move": max(c["largest_move"] for c in claims),
        }
    return summary


LITTLE = 0.25
"""Below this share of the masked, what changed is not what the mask ratio promised."""


def _little_changed(summary: dict[str, Any]) -> str | None:
    """A sentence where masks had little effect, with what can be done."""
    masked = summary.get("masked_rows", 0) + summary.get("masked_cols", 0)
    changed = summary.get("changed_rows", 0) + summary.get("changed_cols", 0)
    if not masked or summary.get("made_anew") or changed >= LITTLE * masked:
        return None
    wider = [("masked_cols", "variables"), ("masked_rows", "constraints")]
    missing = [what for key, what in wider if not summary.get(key)]
    other = f", --scope both (at training, too) also redraws {missing[0]}" if missing else ""
    return (
        f"only {changed / masked:.0%} of what was masked really changed: the rest is bound to what "
        "was not masked (data that several constraints share), or the same everywhere. A larger "
        f"--mask-ratio leaves more freedom{other}, and --distinct draws copies again"
    )


def _tell(folder: Path, written: int, found: int, summary: dict[str, Any]) -> None:
    facts: list[tuple[str, object]] = [
        ("folder", folder),
        ("instances", f"{written} new, {found} found"),
    ]
    if not summary:
        facts.append(("manifest", "when the other parts are finished"))
    if summary.get("made_anew"):
        facts.append(("constraints", f"all {summary['changed_rows']:,} made anew"))
    for side, word in (("rows", "constraints"), ("cols", "variables")):
        if summary.get(f"masked_{side}") and not summary.get("made_anew"):
            changed, masked = summary[f"changed_{side}"], summary[f"masked_{side}"]
            facts.append((word, f"{changed:,} changed of {masked:,} masked"))
    if summary.get("copies") or summary.get("duplicates"):
        facts.append(("not new", f"{summary['copies']} copies, {summary['duplicates']} duplicates"))
    if "certificates" in summary:
        claims = summary["certificates"]
        facts.append(("certified", f"{claims['exact']} exact, {claims['tolerance']} tolerance"))
        facts.append(
            (
                "to get there",
                f"{claims['moved_sides']} sides moved, {claims['redrawn_rows']} redraws, "
                f"{claims['kept_rows']} constraints kept",
            )
        )
    output.facts("Generated", facts)
    if (note := _little_changed(summary)) is not None:
        output.warn(note)
