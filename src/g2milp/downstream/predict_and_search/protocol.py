"""How predict-and-search is done; the same for every training set."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from g2milp.downstream.comparison import Comparison
from g2milp.downstream.fitting import Schedule
from g2milp.downstream.network import NetworkSettings
from g2milp.downstream.options import changed
from g2milp.downstream.predict_and_search.pool import PoolSettings
from g2milp.downstream.predict_and_search.search import Region


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """See the parts for their fields; `search_limit` are the seconds of one search."""

    comparison: Comparison = field(default_factory=lambda: Comparison(repeats=3, added=(1.0,)))
    schedule: Schedule = field(default_factory=lambda: Schedule(epochs=200))
    network: NetworkSettings = field(default_factory=NetworkSettings)
    pool: PoolSettings = field(default_factory=PoolSettings)
    region: Region = field(default_factory=Region)
    search_limit: float = 60.0


def protocol(**given: Any) -> Protocol:
    """The default protocol with some settings changed; unknown names are errors."""
    return changed(Protocol(), given)
