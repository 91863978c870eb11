"""``g2milp check``: read strictly, report what is wrong or odd, go on to the next file."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.files import Paths, Readings, files_in, model_files_in
from g2milp.cli.options import PANEL_INSTANCES, Accept, AsJson, Debug, NoSeed
from g2milp.cli.progress import progress
from g2milp.errors import DamagedArtifact, InputError, ItemsFailed

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

STYLES = {"infeasible": "red", "warning": "yellow", "note": None}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_INSTANCES)(check)


def check(
    paths: Paths,
    certificates: Annotated[
        bool,
        typer.Option("--certificates", help="Verify the stored proofs, too, in exact arithmetic."),
    ] = False,
    accept: Accept = None,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Read model files strictly and list what is wrong or odd in each."""
    readings = Readings(accept)
    checked: list[dict[str, Any]] = []
    files = _all_files(paths, readings)
    recorded = _recorded_hashes(paths)
    for path, milp in readings.instances(files, "Checking"):
        checked.append(_checked(path, milp, recorded.get(path)))
    verdicts = _verify(paths) if certificates and checked else []
    output.result(
        {"files": checked, "certificates": verdicts, "failures": readings.failures},
        as_json=as_json,
    )
    for file in checked:
        _show(file, notes=len(checked) == 1)
    clean = sum(not any(f["severity"] != "note" for f in file["findings"]) for file in checked)
    if len(checked) > 1 or clean:
        output.say(f"{len(checked)} read, {clean} without a warning.")
    readings.finish()
    _finish_certificates(verdicts)


def _all_files(paths: list[Path], readings: Readings) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        try:
            files += files_in(path)
        except InputError as error:
            readings.tried += 1
            readings.note(path, error)
            if path.is_dir() and os.access(path, os.R_OK | os.X_OK):
                files += model_files_in(path)
    return files


def _recorded_hashes(paths: list[Path]) -> dict[Path, str]:
    """The content hashes that the manifests of the folders claim."""
    from g2milp.datasets.manifest import read_manifest

    recorded: dict[Path, str] = {}
    for folder in paths:
        try:
            records = read_manifest(folder) if folder.is_dir() else None
        except (DamagedArtifact, OSError):  # reported already: the folder is no data set
            continue
        for record in records or ():
            if isinstance(record.get("hash"), str):
                recorded[folder / record["file"]] = record["hash"]
    return recorded


def _checked(path: Path, milp: Milp, recorded: str | None) -> dict[str, Any]:
    from g2milp.instance.diagnose import Finding, diagnose
    from g2milp.instance.fingerprint import content_hash

    findings = diagnose(milp)
    if recorded is not None and recorded != content_hash(milp):
        words = "the content is not what the manifest recorded"
        findings.insert(0, Finding(code="changed", severity="warning", message=words, count=1))
    return {
        "path": str(path),
        "n_rows": milp.n_rows,
        "n_cols": milp.n_cols,
        "n_nonzeros": milp.n_nonzeros,
        "findings": [asdict(finding) for finding in findings],
        "accepted": list(milp.notes),
    }


def _verify(paths: list[Path]) -> list[dict[str, Any]]:
    from g2milp.generation.certificates.verify import verify_file, verify_folder

    verdicts: list[dict[str, Any]] = []
    for path in paths:
        if path.is_dir():
            with progress(f"Verifying {path}", None) as advance:
                found = verify_folder(path, progress=lambda done, total: advance())
        else:
            found = [verify_file(path)]
        folder = path if path.is_dir() else path.parent
        verdicts += [{**asdict(v), "file": str(folder / v.file)} for v in found]
    return verdicts


def _finish_certificates(verdicts: list[dict[str, Any]]) -> None:
    claimed = [verdict for verdict in verdicts if verdict["kind"] is not None]
    wrong = [verdict for verdict in verdicts if not verdict["ok"]]
    if verdicts and not wrong:
        without = len(verdicts) - len(claimed)
        rest = f"; {without} have none" if without else ""
        output.say(f"{len(claimed)} certificates hold{rest}.")
    if wrong:
        raise ItemsFailed(
            f"{len(wrong)} of {len(claimed)} certificates do not hold:",
            [(verdict["file"], verdict["reason"]) for verdict in wrong],
        )


def _show(file: dict[str, Any], *, notes: bool) -> None:
    """Print what was found in one file; mere notes only where it is the only file."""
    findings = [f for f in file["findings"] if notes or f["severity"] != "note"]
    if not findings and not file["accepted"]:
        return
    output.say(file["path"], style="bold")
    for note in file["accepted"]:
        output.say(f"  accepted: {note}")
    for finding in findings:
        names = finding["examples"]
        more = ", …" if finding["count"] > len(names) else ""
        where = f": {finding['count']:,} ({', '.join(names)}{more})" if names else ""
        output.say(
            f"  {finding['severity']}: {finding['message']}{where} [{finding['code']}]",
            style=STYLES[finding["severity"]],
        )
