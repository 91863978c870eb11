"""How tuning is compared: which instances a choice is made on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from g2milp.downstream.options import changed
from g2milp.downstream.tuning.search import SearchSettings
from g2milp.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The same for every split.

    Attributes
    ----------
    few
        Real instances of a split: those numbered k·few … (k + 1)·few − 1. Splits share none, so a
        generator can be fitted to those of one split alone.
    added
        Generated instances that join them; their templates are among them.
    splits
        How many splits; fewer where the set is too small.
    seeds, node_limit, time_limit
        Of each solve. The limit of nodes ends it at the same place on a busy machine.
    """

    few: int = 5
    added: int = 15
    splits: int = 5
    seeds: int = 1
    node_limit: int = 100_000
    time_limit: float = 300.0
    seed: int = 0
    search: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        if min(self.few, self.added, self.splits, self.seeds) < 1:
            raise UsageError("few, added, splits and seeds must be at least 1")


def protocol(**given: Any) -> Protocol:
    """The default protocol with some settings changed; unknown names are errors."""
    return changed(Protocol(), given)
