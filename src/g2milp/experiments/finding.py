"""What an experiment finds: one number beside the published one, and all of them together."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One cell of a table.

    Attributes
    ----------
    row
        What the cell belongs to: a generator with its mask ratio, a set, a size.
    column
        The measure, with the data set in front where there are several.
    value, interval
        Our number and its 95 % interval; None where there is none, `note` says why.
    paper
        The published number.
    count
        Instances (solves, draws) behind the number.
    raw
        The single numbers of all seeds or draws.
    """

    row: str
    column: str
    value: float | None
    interval: tuple[float, float] | None = None
    paper: float | None = None
    count: int | None = None
    note: str = ""
    raw: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """All that an experiment found. `figures` are SVG texts by file name."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    figures: Mapping[str, str] = field(default_factory=dict)

    def rows(self) -> list[str]:
        """Rows in the order of their first appearance."""
        return list(dict.fromkeys(f.row for f in self.findings))

    def columns(self) -> list[str]:
        """Columns in the order of their first appearance."""
        return list(dict.fromkeys(f.column for f in self.findings))

    def cell(self, row: str, column: str) -> Finding | None:
        """The finding of that place."""
        for found in self.findings:
            if (found.row, found.column) == (row, column):
                return found
        return None

    def as_json(self) -> dict[str, Any]:
        """JSON values; figures stand in files of their own."""
        findings = []
        for found in self.findings:
            values = asdict(found)
            findings.append({k: v for k, v in values.items() if v not in (None, "", ())})
        return {
            "findings": findings,
            "notes": list(self.notes),
            "figures": sorted(self.figures),
        }

    @classmethod
    def from_json(
        cls, values: Mapping[str, Any], figures: Mapping[str, str] | None = None
    ) -> Outcome:
        """The inverse of `as_json`."""
        findings: Sequence[Mapping[str, Any]] = values["findings"]
        return cls(
            findings=tuple(
                Finding(
                    row=f["row"],
                    column=f["column"],
                    value=f.get("value"),
                    interval=tuple(f["interval"]) if "interval" in f else None,
                    paper=f.get("paper"),
                    count=f.get("count"),
                    note=f.get("note", ""),
                    raw=tuple(f.get("raw", ())),
                )
                for f in findings
            ),
            notes=tuple(values.get("notes", ())),
            figures=dict(figures or {}),
        )
