from __future__ import annotations

from g2milp.solvers.base import Limits
from g2milp.solvers.settings import differences, settings_hash, settings_of


def test_the_hash_stands_for_all_that_matters() -> None:
    base = settings_of(Limits(seconds=300))
    others = [
        settings_of(Limits(seconds=301)),
        settings_of(Limits(seconds=300, nodes=1)),
        settings_of(Limits(seconds=300), threads=2),
        settings_of(Limits(seconds=300), presolve=False),
        settings_of(Limits(seconds=300), options={"a": 1}),
    ]
    hashes = {settings_hash(settings) for settings in (base, *others)}
    assert len(hashes) == 6
    assert all(len(digits) == 16 for digits in hashes)


def test_the_hash_does_not_depend_on_spelling() -> None:
    assert settings_hash(settings_of(Limits(seconds=300))) == settings_hash(
        settings_of(Limits(seconds=300.0), options={})
    )
    assert settings_hash(settings_of(Limits(), options={"a": 1, "b": 2})) == settings_hash(
        settings_of(Limits(), options={"b": 2, "a": 1})
    )


def test_the_hash_stays_as_it_is() -> None:
    """Ledgers are kept for years: a changed hash would have everything solved again."""
    assert settings_hash(settings_of(Limits(seconds=300.0, gap=1e-4))) == "6b7fabb0b6c7f833"


def test_differences_are_named() -> None:
    old = settings_of(Limits(seconds=300, nodes=5), options={"a": 1})
    new = settings_of(Limits(seconds=60, gap=0.0), threads=2, options={"a": 1})
    assert differences(old, new) == [
        "seconds 300.0 → 60.0",
        "nodes 5 → None",
        "threads 1 → 2",
        "gap None → 0.0",
    ]
    assert differences(old, old) == []
