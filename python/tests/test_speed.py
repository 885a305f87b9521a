"""What Python costs over the Rust call."""

from __future__ import annotations

import time

import ligament


def test_arrays_of_50k_vertices_cost_under_five_milliseconds():
    character = ligament.open("sample:athlete@50000")
    arrays = character.arrays()
    assert len(arrays["vertices"]) > 45_000
    over = []
    for _ in range(5):
        start = time.perf_counter()
        result = ligament.bind(**arrays, method="closest")
        over.append(1e3 * (time.perf_counter() - start) - result.stages["total"])
    print(f"over the Rust call: {min(over):.2f} ms")
    assert min(over) < 5, over
