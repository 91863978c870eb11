"""How values are predicted, with the published protocols by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from g2milp.downstream.comparison import Comparison
from g2milp.downstream.fitting import Schedule
from g2milp.downstream.network import NetworkSettings
from g2milp.downstream.options import changed
from g2milp.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The same for every training set; see the parts for their fields."""

    comparison: Comparison = field(default_factory=Comparison)
    schedule: Schedule = field(default_factory=Schedule)
    network: NetworkSettings = field(default_factory=NetworkSettings)


PRESETS: dict[str, Protocol] = {
    "mik": Protocol(),
    "mis": Protocol(comparison=Comparison(added=(0.25, 0.5, 1.0))),
    "nurse": Protocol(
        comparison=Comparison(validation_share=0.0), schedule=Schedule(epochs=80, batch=1)
    ),
}
"""Appendix D.3 and the table of data set sizes; epochs for MIS are not published, those of MIK."""


def protocol(preset: str = "mik", **given: Any) -> Protocol:
    """The protocol of this name with some settings changed; unknown names are errors."""
    if preset not in PRESETS:
        raise UsageError(
            f"there is no protocol {preset!r}", hint=f"Choose from {', '.join(PRESETS)}."
        )
    return changed(PRESETS[preset], given)
