"""Certificates of a folder, checked by the independent verifier; none where there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset


def verified(data: Dataset) -> dict[str, bool]:
    """Name → whether its certificate verifies, for instances whose manifest claims one."""
    from g2milp.datasets.members import instance_name
    from g2milp.generation.certificates.verify import verify_file

    records = data.manifest
    if records is None:
        return {}
    found = {}
    for record, path in zip(records, data.paths, strict=True):
        if path is not None and isinstance(record.get("certificate"), dict):
            found[instance_name(path)] = verify_file(path).ok
    return found
