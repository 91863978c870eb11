"""The table on predict-and-search adds as many instances as it says."""

from __future__ import annotations

import numpy as np

from g2milp.downstream.augmentation import draw, split_families
from g2milp.downstream.leakage import Identity
from g2milp.downstream.predict_and_search.protocol import protocol
from g2milp.experiments.generators import label_of
from g2milp.experiments.lab import Lab, Recipe
from g2milp.experiments.predict_and_search import GENERATORS, PAPER, TRAINING, pool_of


def test_as_many_can_be_added_as_the_paper_adds():
    """Children of validation instances may not enter: 100 would leave about 80."""
    real = [Identity(f"r{i}", f"r{i}", None, False) for i in range(TRAINING)]
    share = protocol().comparison.validation_share
    for seed in range(50):
        parents = np.random.default_rng(seed).integers(TRAINING, size=pool_of(TRAINING))
        pool = [Identity(f"c{k}", f"c{k}", f"r{i}", True) for k, i in enumerate(parents)]
        _, held = split_families(real, share, seed)
        forbidden = frozenset(real[i].structure for i in held)
        assert draw([pool], TRAINING, forbidden, seed).short == 0


def test_every_generator_has_something_to_predict(lab: Lab):
    """Bowly's programs as published have no binary columns: nothing of them could be added."""
    assert "bowly" not in GENERATORS
    made = lab.made(Recipe(of="mis", generator="bowly-integer", mask_ratio=0.01), 3)
    assert all(milp.is_binary.any() for milp in made)


def test_published_numbers_stand_in_rows_that_there_are():
    rows = {"real only", *map(label_of, GENERATORS)}
    assert {key.rpartition("/")[0] for key in PAPER} <= rows
