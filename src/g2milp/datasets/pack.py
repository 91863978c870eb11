"""Many instances in one file that is mapped into memory, not read: the form for training.

The file is a plain safetensors file: arrays and JSON, no code. The arrays of all instances lie one
after the other (``objective``, ``values``, …), their ends and the small fields in the header's
metadata. `open_pack` checks the header strictly and, when asked, the SHA-256 of
the metadata and all arrays.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from g2milp.errors import DamagedArtifact, G2MILPError
from g2milp.instance.milp import Milp, default_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

PACK_VERSION = "1"
MAX_HEADER = 1 << 30

# Where each array's instances end: at their columns, rows, rows + 1, non-zeros or name bytes.
_ARRAYS: dict[str, tuple[str, str, str]] = {
    "objective": ("F64", "<f8", "cols"),
    "col_lower": ("F64", "<f8", "cols"),
    "col_upper": ("F64", "<f8", "cols"),
    "row_lower": ("F64", "<f8", "rows"),
    "row_upper": ("F64", "<f8", "rows"),
    "values": ("F64", "<f8", "nonzeros"),
    "indptr": ("I64", "<i8", "pointers"),
    "indices": ("I32", "<i4", "nonzeros"),
    "kinds": ("U8", "u1", "cols"),
    "names": ("U8", "u1", "name_bytes"),
}
_EXTENTS = ("cols", "rows", "nonzeros", "pointers", "name_bytes")


def write_pack(path: str | Path, milps: Iterable[Milp], *, overwrite: bool = False) -> None:
    """Write instances to one file, atomically."""
    from g2milp.instance.io.atomic import atomic_write

    chunks: dict[str, list[bytes]] = {name: [] for name in _ARRAYS}
    entries: list[dict[str, Any]] = []
    for milp in milps:
        names = _names_blob(milp)
        arrays = {name: getattr(milp, name) for name in _ARRAYS if name != "names"}
        for name, array in arrays.items():
            chunks[name].append(np.ascontiguousarray(array, _ARRAYS[name][1]).tobytes())
        chunks["names"].append(names)
        entries.append(
            {
                "cols": milp.n_cols,
                "rows": milp.n_rows,
                "nonzeros": milp.n_nonzeros,
                "pointers": milp.n_rows + 1,
                "name_bytes": len(names),
                "name": milp.name,
                "sense": milp.sense,
                "offset": milp.offset.hex(),
                "objective_name": milp.objective_name,
                "notes": list(milp.notes),
            }
        )
    listing = json.dumps(entries, ensure_ascii=False)
    digest = hashlib.sha256(listing.encode())
    header: dict[str, Any] = {}
    position = 0
    for name, (kind, dtype, _) in _ARRAYS.items():
        size = sum(map(len, chunks[name]))
        header[name] = {
            "dtype": kind,
            "shape": [size // np.dtype(dtype).itemsize],
            "data_offsets": [position, position + size],
        }
        position += size
        for chunk in chunks[name]:
            digest.update(chunk)
    header["__metadata__"] = {
        "format": f"g2milp pack {PACK_VERSION}",
        "sha256": digest.hexdigest(),
        "instances": listing,
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with atomic_write(path, overwrite=overwrite) as file:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for parts in chunks.values():
            for chunk in parts:
                file.write(chunk)


def open_pack(path: str | Path, *, verify: bool = True) -> list[Milp]:
    """The instances of a pack; their arrays are views of the mapped file."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
        arrays, listing, recorded = _opened(data)
        if verify:
            actual = hashlib.sha256(listing.encode())
            for array in arrays.values():
                actual.update(array.data)
            if actual.hexdigest() != recorded:
                raise DamagedArtifact(path, "its content does not match its SHA-256")
        return _instances(arrays, json.loads(listing))
    except DamagedArtifact:
        raise
    except (OSError, ValueError, KeyError, TypeError, OverflowError, G2MILPError) as error:
        raise DamagedArtifact(path, f"it is no pack of instances ({error})") from error


def _opened(
    data: NDArray[np.uint8],
) -> tuple[dict[str, NDArray[Any]], str, str]:
    """The arrays as views, the list of instances (JSON), and the recorded hash."""
    length = int.from_bytes(data[:8].tobytes(), "little")
    if not 0 < length <= min(MAX_HEADER, data.size - 8):
        raise ValueError("the header is cut")
    header = json.loads(data[8 : 8 + length].tobytes())
    metadata = header.pop("__metadata__")
    if metadata["format"] != f"g2milp pack {PACK_VERSION}" or list(header) != list(_ARRAYS):
        raise ValueError("the header is of another kind")
    body = data[8 + length :]
    arrays: dict[str, NDArray[Any]] = {}
    position = 0
    for name, (kind, dtype, _) in _ARRAYS.items():
        start, end = header[name]["data_offsets"]
        if header[name]["dtype"] != kind or start != position or not start <= end <= body.size:
            raise ValueError(f"{name} is out of place")
        arrays[name] = body[start:end].view(dtype)
        position = end
    if position != body.size:
        raise ValueError("the file is longer or shorter than its header says")
    return arrays, metadata["instances"], metadata["sha256"]


def _instances(arrays: dict[str, NDArray[Any]], entries: list[dict[str, Any]]) -> list[Milp]:
    ends = dict.fromkeys(_EXTENTS, 0)
    milps = []
    for entry in entries:
        starts = dict(ends)
        for extent in _EXTENTS:
            if not isinstance(entry[extent], int) or entry[extent] < 0:
                raise ValueError(f"{extent} is {entry[extent]!r}")
            ends[extent] += entry[extent]
        for name, (_, _, extent) in _ARRAYS.items():
            if ends[extent] > arrays[name].size:
                raise ValueError(f"{name} ends before the instances do")
        part = {
            name: arrays[name][starts[extent] : ends[extent]]
            for name, (_, _, extent) in _ARRAYS.items()
        }
        milps.append(_instance(part, entry))
    for name, (_, _, extent) in _ARRAYS.items():
        if ends[extent] != arrays[name].size:
            raise ValueError(f"{name} does not fit the instances")
    return milps


def _instance(part: dict[str, NDArray[Any]], entry: dict[str, Any]) -> Milp:
    rows, cols = entry["rows"], entry["cols"]
    names = json.loads(part.pop("names").tobytes())
    milp = Milp(
        name=str(entry["name"]),
        sense=entry["sense"],
        offset=float.fromhex(entry["offset"]),
        objective_name=str(entry["objective_name"]),
        row_names=_names(names["rows"], "r", rows),
        col_names=_names(names["cols"], "c", cols),
        notes=tuple(map(str, entry["notes"])),
        **cast("Any", part),
    )
    pointer = milp.indptr
    if pointer[0] != 0 or pointer[-1] != milp.n_nonzeros or np.any(np.diff(pointer) < 0):
        raise ValueError("the row pointers do not fit")
    if milp.n_nonzeros and (milp.indices.min() < 0 or milp.indices.max() >= cols):
        raise ValueError("a column index is out of range")
    starts_row = np.zeros(milp.n_nonzeros + 1, dtype=bool)
    starts_row[pointer] = True
    falls = np.diff(milp.indices.astype(np.int64)) <= 0
    if np.any(falls & ~starts_row[1:-1]) or np.any(np.equal(milp.values, 0)):
        raise ValueError("the columns of a row are not in order")
    milp.check_numbers()
    return milp


def _names_blob(milp: Milp) -> bytes:
    """Names as JSON; null for the default ones."""
    rows = None if milp.row_names == default_names("r", milp.n_rows) else milp.row_names
    cols = None if milp.col_names == default_names("c", milp.n_cols) else milp.col_names
    return json.dumps({"rows": rows, "cols": cols}).encode()


def _names(given: Any, letter: str, count: int) -> tuple[str, ...]:
    return default_names(letter, count) if given is None else tuple(map(str, given))
