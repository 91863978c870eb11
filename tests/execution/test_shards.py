from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2milp.errors import UsageError
from g2milp.execution.shards import WHOLE, Shard


@given(st.lists(st.integers(), max_size=40), st.integers(1, 9))
def test_shards_divide_the_work(items: list[int], count: int) -> None:
    parts = [list(Shard(index, count).of(items)) for index in range(count)]
    assert sorted(x for part in parts for x in part) == sorted(items)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert list(WHOLE.of(items)) == items


@pytest.mark.parametrize(("index", "count"), [(-1, 2), (2, 2), (0, 0)])
def test_there_is_no_such_part(index: int, count: int) -> None:
    with pytest.raises(UsageError, match="there is no part"):
        Shard(index, count)
