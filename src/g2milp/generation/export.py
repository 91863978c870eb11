"""The shareable folder of a trained model, and in plain words what it gives away.

The network alone is a summary; but generated instances are not: every row that is not redrawn is
the template's own. So an export leaves the templates out unless it is told otherwise, and says what
it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from g2milp.errors import UsageError
from g2milp.generation.folder import CARD, load_generator, save_generator
from g2milp.generation.integrity import MANIFEST_NAME, read_json_object, write_integrity

if TYPE_CHECKING:
    from g2milp.generation.contract import Generator


@dataclass(frozen=True)
class Export:
    """What was written, and the sentences that say what it discloses."""

    folder: Path
    templates: int
    disclosure: tuple[str, ...]


def export(
    run: str | Path,
    target: str | Path,
    cls: type[Generator],
    *,
    with_templates: bool = False,
    overwrite: bool = False,
) -> Export:
    """Write the model of `run` to `target`, without templates unless told."""
    from g2milp.instance.io.atomic import write_bytes

    source, folder = Path(run), Path(target)
    if source.resolve() == folder.resolve():
        raise UsageError("the export must go to another folder than the model's own")
    generator = load_generator(source, cls)
    if with_templates and not generator.templates_:
        raise UsageError(
            f"{source} holds no templates to take along",
            hint="Export the folder that training wrote, or leave --with-templates out.",
        )
    count = len(generator.templates_ or ()) if with_templates else 0
    save_generator(generator, folder, templates=with_templates, overwrite=overwrite)
    said = disclosure(generator, count)
    lines = "".join(f"- {line}\n" for line in said)
    card = f"{(folder / CARD).read_text(encoding='utf-8')}\n## What this discloses\n\n{lines}"
    write_bytes(folder / CARD, card.encode(), overwrite=True)
    listed = read_json_object(folder / MANIFEST_NAME)["files"]
    write_integrity(folder, listed, kind=generator.kind)
    return Export(folder, count, said)


def disclosure(generator: Generator, templates: int) -> tuple[str, ...]:
    """What whoever has the folder learns about the training instances."""
    said = [
        "Weights of a network, from which single numbers of small training sets might be guessed.",
        "Ranges of the training data: smallest and largest sides, coefficients, costs and bounds "
        "by kind of row and column, whether they are whole, mean sizes, and distinct values where "
        "there are few.",
    ]
    if getattr(generator, "columns_", None) is not None:
        said.append(
            "Costs and bounds of single variables as the training instances have them: these are a "
            "series, with the same constraints in all."
        )
    if templates:
        said.append(
            f"{templates} training instances as they are, with all names. Every generated instance "
            "contains the rows of its template that were not redrawn."
        )
    else:
        said.append(
            "No training instance. Whoever generates needs templates of their own; rows that are "
            "not redrawn are those templates' own rows."
        )
    said.append("No promise of differential privacy is made.")
    return tuple(said)
