"""Binds arrays to a skeleton and looks at what came out."""

from __future__ import annotations

import ligament


def main() -> None:
    arrays = ligament.open("sample:tube@400").arrays()
    result = ligament.bind(**arrays, influences=2)
    for vertex in (0, len(result.weights) // 2, len(result.weights) - 1):
        joints = [arrays["names"][joint] for joint in result.indices[vertex]]
        print(vertex, dict(zip(joints, result.weights[vertex].round(3).tolist(), strict=True)))


if __name__ == "__main__":
    main()
