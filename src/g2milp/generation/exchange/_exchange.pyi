import numpy as np
from numpy.typing import NDArray

def run(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    entries: NDArray[np.int64],
    entry_row: NDArray[np.int32],
    bucket: NDArray[np.int32],
    bucket_start: NDArray[np.int64],
    bucket_entries: NDArray[np.int64],
    rule: NDArray[np.uint8],
    row_of: NDArray[np.int32],
    col_of: NDArray[np.int32],
    overlap: NDArray[np.uint8],
    antichain: NDArray[np.uint8],
    turn: NDArray[np.int32],
    peeled: NDArray[np.uint8],
    draws: NDArray[np.float64],
    score_rows: NDArray[np.float32],
    score_cols: NDArray[np.float32],
    score_weights: NDArray[np.float32],
    number: NDArray[np.int32],
    limits: NDArray[np.float64],
    pair_start: NDArray[np.int64],
    pair_cols: NDArray[np.int32],
    pair_scores: NDArray[np.float32],
) -> tuple[int, int, int]: ...
def peel(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    rows: NDArray[np.uint8],
    luck: NDArray[np.float64],
    turn: NDArray[np.int32],
    rest: NDArray[np.int32],
) -> None: ...
