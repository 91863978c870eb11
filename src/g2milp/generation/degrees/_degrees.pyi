import numpy as np
from numpy.typing import NDArray

def run(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    masked: NDArray[np.uint8],
    row_at: NDArray[np.int32],
    col_at: NDArray[np.int32],
    row_of: NDArray[np.int32],
    col_of: NDArray[np.int32],
    block: NDArray[np.int32],
    antichain: NDArray[np.uint8],
    heads: NDArray[np.int64],
    row_law_start: NDArray[np.int64],
    row_law: NDArray[np.float64],
    col_law_start: NDArray[np.int64],
    col_law: NDArray[np.float64],
    row_seen_start: NDArray[np.int64],
    row_seen: NDArray[np.float64],
    col_seen_start: NDArray[np.int64],
    col_seen: NDArray[np.float64],
    peer_start: NDArray[np.int64],
    peers: NDArray[np.int64],
    member_start: NDArray[np.int64],
    members: NDArray[np.int64],
    draws: NDArray[np.float64],
) -> int: ...
