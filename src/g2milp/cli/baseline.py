"""``g2milp baseline``: a baseline learns from instances and writes new ones, in one command."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.generate import (
    Anonymise,
    CertifyOption,
    Count,
    Distinct,
    MaskRatio,
    Order,
    OrderOption,
    ScopeOption,
    Solutions,
    Templates,
    write_instances,
)
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
from g2milp.errors import AlreadyExists, UsageError

if TYPE_CHECKING:
    from g2milp.generation.contract import Generator

Name = StrEnum("Name", ["random", "random-marginal", "bowly", "g2sat", "rewire", "copy", "perturb"])
FLAGS = {"seed": "--seed", "mask_ratio": "--mask-ratio"}
SAMPLING = ("repeats",)
"""Settings of the sampling that have no flag; all others are the baseline's own."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_MODELS)(baseline)


def baseline(
    name: Annotated[Name, typer.Argument(help="Which baseline; `rewire` is the quick way.")],
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Instances to learn from.")],
    n: Count,
    folder: Folder,
    mask_ratio: MaskRatio = None,
    scope: ScopeOption = None,
    order: OrderOption = Order.uniform,
    templates: Templates = None,
    certify: CertifyOption = None,
    solutions: Solutions = None,
    distinct: Distinct = False,
    anonymise: Anonymise = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="RUN", help="Keep what was learned here.")
    ] = None,
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
    """Generate new instances without a network, by one of the baselines."""
    from g2milp.baselines.registry import create
    from g2milp.datasets.dataset import Dataset

    check_resume(folder, resume=resume, overwrite=overwrite)
    shard_of(shard)
    given = settings_of(settings)
    for key in given.keys() & FLAGS.keys():
        raise UsageError(f"{key} is no setting", hint=f"Give it as {FLAGS[key]}.")
    options = {
        **{key: given.pop(key) for key in SAMPLING if key in given},
        **({} if mask_ratio is None else {"mask_ratio": mask_ratio}),
        **({} if scope is None else {"scope": scope.value}),
        "order": order.value,
        "certify": None if certify is None else certify.value,
        "distinct": distinct,
    }
    generator = create(name.value, seed=seed, **given)
    generator.options(**options)  # what cannot be done is refused before anything is learned
    generator.fit(Dataset.open(data, accept=accept or ()))
    describe = getattr(generator, "describe", None)
    if describe is not None:
        output.say("Rules that hold in all training instances and are kept:")
        for line in describe() or ["(none)"]:
            output.say(f"  {line}")
    if save is not None:
        _keep(generator, save, overwrite=overwrite)
    start = None if templates is None else Dataset.open(templates, accept=accept or ())
    write_instances(
        generator,
        n,
        folder,
        options=options,
        templates=start,
        solutions=solutions,
        anonymise=anonymise,
        jobs=jobs_of(jobs),
        shard=shard,
        resume=resume,
        overwrite=overwrite,
        seed=seed,
        as_json=as_json,
    )


def _keep(generator: Generator, folder: Path, *, overwrite: bool) -> None:
    """Write the model folder; one that holds the same already is left as it is."""
    from g2milp.baselines.registry import load
    from g2milp.generation.folder import fingerprint
    from g2milp.generation.integrity import MANIFEST_NAME
    from g2milp.instance.fingerprint import content_hash

    if overwrite or not (folder / MANIFEST_NAME).exists():
        generator.save(folder, overwrite=overwrite)
        return

    def known(of: Generator) -> list[Any]:
        data = of.templates_ or ()
        return [of.kind, of.seed, fingerprint(of), [content_hash(milp) for milp in data]]

    if known(load(folder)) != known(generator):
        raise AlreadyExists(
            f"{folder} holds another model", hint="Give another folder, or --overwrite."
        )
