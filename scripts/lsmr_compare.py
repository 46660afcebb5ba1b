#!/usr/bin/env python3
"""Holds the fit against scipy's lsmr on the same rows, weights and ridge.

    stonesmith fit --data DIR --out F.wts --plain-ridge --lambda 20 --dump-system F.rows
    python3 scripts/lsmr_compare.py F.rows

Needs `pip install numpy scipy`. Prints the loss both solutions reach on the training rows and exits 1 when they
differ by more than 1 %. The file's layout is described in src/fit/dump.rs. What is minimised is
sum(weight * (row @ x - target)^2) + sum(ridge * x^2); lsmr gets it as one least-squares problem with the rows scaled
by the root of their weight and one more row per unknown for its ridge.
"""

import argparse
import sys
import time

import numpy as np
from scipy.sparse import csr_matrix, diags, vstack
from scipy.sparse.linalg import lsmr


def read_system(path):
    """The matrix, targets, weights, ridge and the solution stored with them."""
    with open(path, "rb") as file:
        if file.read(8) != b"STONEROW":
            sys.exit(f"{path}: expected a file that begins with STONEROW")
        rows, columns, entries = (int(n) for n in np.fromfile(file, "<u8", 3))
        parts = [("<u8", rows + 1), ("<u4", entries), ("<f4", entries), ("<f4", rows), ("<f4", rows)]
        parts += [("<f8", columns), ("<f8", columns)]
        found = [np.fromfile(file, kind, count) for kind, count in parts]
        if any(part.size != count for part, (_, count) in zip(found, parts)) or file.read(1):
            sys.exit(f"{path}: its size is not the one its header announces")
    starts, ids, shares, targets, weights, ridge, ours = found
    # 32-bit column numbers and row starts in one width, as scipy wants them.
    matrix = csr_matrix((shares.astype(np.float64), ids.astype(np.int64), starts.astype(np.int64)), (rows, columns))
    matrix.sum_duplicates()
    return matrix, targets.astype(np.float64), weights.astype(np.float64), ridge, ours


def losses(matrix, targets, weights, ridge, x):
    """Root mean squared error per label, and the regularised loss per label."""
    squared = float(np.sum(weights * (matrix @ x - targets) ** 2))
    return (squared / weights.sum()) ** 0.5, (squared + float(np.sum(ridge * x * x))) / weights.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", help="the file `stonesmith fit --dump-system` wrote")
    parser.add_argument("--iterations", type=int, default=1000, help="at most so many lsmr iterations")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="lsmr's atol and btol")
    options = parser.parse_args()

    matrix, targets, weights, ridge, ours = read_system(options.rows)
    free = np.isfinite(ridge)
    if np.any(ours[~free] != 0):
        sys.exit(f"{options.rows}: an unknown that is held at 0 is not 0")
    matrix, ridge, ours = matrix[:, free], ridge[free], ours[free]
    print(f"{matrix.shape[0]} rows, {matrix.shape[1]} free unknowns, {matrix.nnz} entries")

    root = np.sqrt(weights)
    system = vstack([diags(root) @ matrix, diags(np.sqrt(ridge))]).tocsr()
    begin = time.perf_counter()
    solved = lsmr(
        system,
        np.concatenate([root * targets, np.zeros(ridge.size)]),
        atol=options.tolerance,
        btol=options.tolerance,
        maxiter=options.iterations,
    )
    seconds = time.perf_counter() - begin
    theirs, iterations = solved[0], solved[2]
    speed = matrix.shape[0] * iterations / seconds / 1e6

    rmse_ours, loss_ours = losses(matrix, targets, weights, ridge, ours)
    rmse_theirs, loss_theirs = losses(matrix, targets, weights, ridge, theirs)
    print(f"ours  RMSE {rmse_ours:.5f}  regularised loss {loss_ours:.5f}")
    print(
        f"lsmr  RMSE {rmse_theirs:.5f}  regularised loss {loss_theirs:.5f}"
        f"  ({iterations} iterations, {seconds:.1f} s, {speed:.2f} M positions·iterations/s)"
    )
    difference = max(abs(rmse_ours / rmse_theirs - 1), abs(loss_ours / loss_theirs - 1))
    print(f"difference {100 * difference:.3f} %")
    sys.exit(1 if difference > 0.01 else 0)


if __name__ == "__main__":
    main()
