#!/usr/bin/env python3
"""Compares the forbidden points of `stonesmith forbidden` with the PyPI package `renju` on made-up positions.

Usage: scripts/renju_oracle.py BINARY [COUNT] [SEED]      (needs `pip install renju`)

Positions look like games: stones near stones, played with a liking for lines, passes now and then; every third is
mutated in a few points, every fifth is a small box of many black stones. The package names one reason a point
(overline before double four before double three), which must be the first of ours. Mismatches are printed as a board;
the exit code is 1 on any, 2 on bad usage.
"""
import json
import random
import subprocess
import sys

try:
    from renju.check_forbid import get_foul_type
except ImportError:
    sys.exit("renju_oracle.py: the package is missing: pip install renju")

SIZE = 15
REASONS = {1: "double_three", 2: "double_four", 3: "overline"}
BLACK, WHITE = 1, 2


def length_in_line(board, row, col, color):
    """How many stones of `color` stand within four cells of (row, col) on its best line, none of the other between."""
    best = 0
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 0
        for sign in (1, -1):
            for k in range(1, 5):
                r, c = row + sign * k * dr, col + sign * k * dc
                if not (0 <= r < SIZE and 0 <= c < SIZE) or board[r][c] == 3 - color:
                    break
                count += board[r][c] == color
        best = max(best, count)
    return best


def around(row, col):
    """The points within two rows and columns of (row, col)."""
    return {
        (r, c)
        for r in range(max(0, row - 2), min(SIZE, row + 3))
        for c in range(max(0, col - 2), min(SIZE, col + 3))
    }


def game(rng):
    """Stones near stones, colours in turn with a pass now and then, to a random length."""
    board = [[0] * SIZE for _ in range(SIZE)]
    board[7][7] = BLACK
    near = around(7, 7) - {(7, 7)}
    color = WHITE
    for _ in range(rng.randint(6, 70)):
        points = sorted(near)
        drawn = [rng.choice(points) for _ in range(rng.randint(1, 4))]
        row, col = max(drawn, key=lambda point: length_in_line(board, *point, color) + rng.random())
        board[row][col] = color
        near = {(r, c) for r, c in near | around(row, col) if board[r][c] == 0}
        if rng.random() < 0.95:
            color = 3 - color
    return board


def mutated(board, rng):
    stones = [(row, col) for row in range(SIZE) for col in range(SIZE) if board[row][col]]
    for _ in range(rng.randint(1, 5)):
        row, col = rng.choice(stones)
        if rng.random() < 0.5:
            board[row][col] = rng.choice((0, BLACK, WHITE))
        else:
            row, col = rng.choice(sorted(around(row, col)))
            board[row][col] = BLACK if rng.random() < 0.7 else WHITE
    return board


def box(rng):
    board = [[0] * SIZE for _ in range(SIZE)]
    size = rng.randint(5, 9)
    top, left = rng.randint(0, SIZE - size), rng.randint(0, SIZE - size)
    for row in range(top, top + size):
        for col in range(left, left + size):
            board[row][col] = rng.choices((0, BLACK, WHITE), (0.6, 0.3, 0.1))[0]
    return board


def position(seed, index):
    rng = random.Random(seed * 1_000_003 + index)
    if index % 5 == 4:
        return box(rng)
    board = game(rng)
    return mutated(board, rng) if index % 3 == 2 else board


def request(board):
    stones = {"black": [], "white": []}
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row][col]:
                stones["black" if board[row][col] == BLACK else "white"].append([row + 1, col + 1])
    return json.dumps(stones)


def expected(board):
    """Forbidden points by the package: {(row, col): reason}, from 1."""
    found = {}
    for row in range(SIZE):
        for col in range(SIZE):
            if board[row][col] == 0:
                kind = get_foul_type(board, row, col)
                if kind:
                    found[row + 1, col + 1] = REASONS[kind]
    return found


def main():
    if not 2 <= len(sys.argv) <= 4:
        print(__doc__, file=sys.stderr)
        return 2
    binary = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    boards = [position(seed, index) for index in range(count)]
    text = "".join(request(board) + "\n" for board in boards)
    answers = subprocess.run([binary, "forbidden"], input=text, capture_output=True, text=True)
    if answers.returncode != 0:
        print(answers.stderr, end="", file=sys.stderr)
        return 1
    lines = answers.stdout.splitlines()
    if len(lines) != count:
        print(f"expected {count} answers, found {len(lines)}")
        return 1
    mismatches = points = 0
    for index, (board, line) in enumerate(zip(boards, lines)):
        ours = {(row, col): reasons[0] for row, col, reasons in json.loads(line)["forbidden"]}
        theirs = expected(board)
        points += len(theirs)
        if ours != theirs:
            mismatches += 1
            differing = sorted(set(ours.items()) ^ set(theirs.items()))
            print(f"mismatch at position {index} of seed {seed}: {differing}")
            print("\n".join("".join(".BW"[cell] for cell in row) for row in board))
        if (index + 1) % 500 == 0:
            print(f"{index + 1} of {count} positions, {points} forbidden points", file=sys.stderr)
    print(f"{count} positions, {points} forbidden points, {mismatches} mismatches")
    return 1 if mismatches else 0


if __name__ == "__main__":
    sys.exit(main())
