"""The command line: which commands there are, and what an error becomes.

Every command is a module of this folder with ``register(app)``. Nothing heavy is imported before a
command runs: ``g2milp --help`` answers at once. An error of ours becomes its exit code, with what
happened and what to do on stderr; a traceback is shown with ``--debug`` only.
"""

from __future__ import annotations

import errno
import inspect
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from shutil import get_terminal_size
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from g2milp.cli import output
from g2milp.errors import G2MILPError, Interrupted, OutOfSpace, UnreadableFile

COMMANDS = (
    "doctor",
    "problems",
    "info",
    "check",
    "compare",
    "convert",
    "train",
    "generate",
    "baseline",
    "solve",
    "evaluate",
    "downstream",
    "paper",
    "export",
    "demo",
)
"""The modules of the commands, in the order of ``g2milp --help``."""

WIDE_ENOUGH = 72
"""Columns that the boxed help needs; a narrower terminal gets it as plain lines."""

REFUSALS = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EEXIST,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.ELOOP,
)
"""What the system says of a path that was given to a command; no fault of ours."""

HELP_NAMES: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

SHORT_TYPES = {
    "<bool>": "",
    "<int>": "N",
    "<int range>": "N",
    "<float>": "X",
    "<float range>": "X",
    "<path>": "PATH",
    "<str>": "TEXT",
    "<list[Path]>": "PATH",
}


class _InOrder(TyperGroup):
    """The commands in the order of `COMMANDS`; typer would put groups last."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name in COMMANDS if name in self.commands] + [
            name for name in self.commands if name not in COMMANDS
        ]


class _NarrowFormatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Options on lines of their own, with what they do below them."""

    def write_dl(
        self, rows: Sequence[tuple[str, str]], col_max: int = 10, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, 10), col_spacing)


class _NarrowContext(typer.Context):
    formatter_class = _NarrowFormatter


def build() -> typer.Typer:
    """Put the app together from its command modules."""
    columns = get_terminal_size().columns
    boxed = columns >= WIDE_ENOUGH
    app = typer.Typer(
        name="g2milp",
        cls=_InOrder,
        help="Learn from a handful of MILP models, write new ones, and prove how good they are.",
        epilog="Exit codes: 0 ok, 1 failure, 2 usage, 3 input, 4 solver or extra missing, "
        "5 some items failed, 6 quality gate not met, 130 interrupted.",
        no_args_is_help=True,
        rich_markup_mode="rich" if boxed else None,
        context_settings={
            **HELP_NAMES,
            "terminal_width": None if boxed else columns,
        },
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    for name in COMMANDS:
        import_module(f"g2milp.cli.{name}").register(app)
    return app


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code. This is the ``g2milp`` script."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    output.start(as_json="--json" in arguments)
    try:
        return run(arguments)
    except typer.TyperException as error:  # usage: unknown command, option, bad value
        if type(error).__name__ == "NoArgsIsHelpError":  # no command was given: here they are
            if error.format_message():  # empty if the boxed help was printed already
                output.say(error.format_message())
        else:
            output.fail(*_usage_message(error), kind="UsageError", code=error.exit_code)
        return int(error.exit_code)
    except G2MILPError as error:
        if debug:
            output.traceback()
        output.fail(error.message, error.hint, kind=type(error).__name__, code=error.exit_code)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        if debug:
            output.traceback()
        output.fail(
            "interrupted",
            "What was finished is kept; the same command continues it.",
            kind=Interrupted.__name__,
            code=Interrupted.exit_code,
        )
        return Interrupted.exit_code
    except BrokenPipeError:
        # The reader of our stdout has gone (`| head`): nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback for users
        if debug:
            output.traceback()
        refused = _refused_by_system(error)
        if refused is not None:
            name, code = type(refused).__name__, refused.exit_code
            output.fail(refused.message, refused.hint, kind=name, code=code)
            return code
        output.fail(
            f"unexpected {type(error).__name__}: {error}",
            "This is a fault of g2milp. Run it again with --debug and report what it prints.",
            kind=type(error).__name__,
            code=1,
        )
        return 1


def _refused_by_system(error: Exception) -> G2MILPError | None:
    """What the system would not do with a path, or a full disk; None for every other error."""
    if not isinstance(error, OSError):
        return None
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "Make room and run the same command again: finished files are kept."
        return OutOfSpace(f"{error.filename or 'writing'}: the disk is full", hint=hint)
    if error.filename is None or error.errno not in REFUSALS:
        return None
    return UnreadableFile(os.fsdecode(error.filename), error.strerror or str(error))


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; errors are raised."""
    command = typer.main.get_command(build())
    _quieten(command)
    if get_terminal_size().columns < WIDE_ENOUGH:
        _narrow(command)
    result = command.main(args=list(arguments), prog_name="g2milp", standalone_mode=False)
    sys.stdout.flush()
    code = result if isinstance(result, int) else 0
    if code == Interrupted.exit_code:  # typer turned a KeyboardInterrupt into this number
        raise KeyboardInterrupt
    return code


def _quieten(command: Any) -> None:
    """Shorten the types in the help (``--json <bool>`` reads as if it took a value), join lines.

    Paths are not tried here: what cannot be read is an error of input (3), not of usage (2).
    """
    for inner in getattr(command, "commands", {}).values():
        _quieten(inner)
    if command.help:
        command.help = re.sub(r"(?<!\n)\n(?!\n)", " ", inspect.cleandoc(command.help))
    for parameter in command.get_params(typer.Context(command, **HELP_NAMES)):
        described = getattr(parameter, "type_descriptor", None)
        if described is not None and described.parameter_info is not None:
            described.parameter_info.readable = False
        if parameter.param_type_name == "option" and parameter.metavar is None:
            parameter.metavar = SHORT_TYPES.get(parameter.display_type(None))


def _narrow(command: Any) -> None:
    """Let the plain help use all of a narrow terminal, and cut no sentence short."""
    command.context_class = _NarrowContext
    if command.help and not command.short_help:
        first = re.match(r"[^\n]*?(?:[.?!](?=\s|$)|$)", command.help)
        command.short_help = first[0] if first else None
    for inner in getattr(command, "commands", {}).values():
        _narrow(inner)


def _usage_message(error: typer.TyperException) -> tuple[str, str | None]:
    """What was wrong with the call, and where its help is."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "g2milp"
    message = error.format_message().replace("Value error, ", "")  # pydantic's, for choices
    return message, f"See '{path} --help'."


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Versions of g2milp and of the solvers.",
            is_eager=True,
            callback=lambda wanted: _print_version() if wanted else None,
        ),
    ] = False,
) -> None:
    pass


def _print_version() -> None:
    from g2milp.cli.doctor import version_line

    sys.stdout.write(f"{version_line()}\n")
    raise typer.Exit
