# BAKE:BEGIN origin
# The Othello simulation's answer as it stands in Stonesmith's source tree. Licence: MIT OR Apache-2.0.
# BAKE:END origin

# For Python 3. Input: T, then per case `N M` (N is 4, 6 or 8) and M moves `column row colour`, counted from 1, colour
# 1 black and 2 white. Output: `#case black white`. A colour may move twice in a row; a move that turns nothing or falls
# on an occupied square changes nothing. Line ends and blanks do not matter; input that ends early or makes no sense
# ends the answers, never the program.

import sys

# A board is a list of 10 * 10 cells with a border: 0 empty, 1 black, 2 white, 3 no square.
STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)


def start(size):
    board = [3] * 100
    for row in range(1, size + 1):
        board[10 * row + 1 : 10 * row + 1 + size] = [0] * size
    middle = 11 * (size // 2)
    board[middle] = board[middle + 11] = 2
    board[middle + 1] = board[middle + 10] = 1
    return board


def play(board, square, color):
    if board[square] != 0:
        return
    other = 3 - color
    turned = []
    for step in STEPS:
        at = square + step
        while board[at] == other:
            at += step
        if board[at] == color:
            turned.extend(range(square + step, at, step))
    if turned:
        board[square] = color
        for at in turned:
            board[at] = color


def main():
    words = sys.stdin.buffer.read().replace(b"\xef\xbb\xbf", b"").split()
    answers = []
    numbers = iter(words)
    try:
        for case in range(1, int(next(numbers)) + 1):
            size, moves = int(next(numbers)), int(next(numbers))
            if size not in (4, 6, 8) or moves < 0:
                break
            board = start(size)
            for _ in range(moves):
                column, row, color = int(next(numbers)), int(next(numbers)), int(next(numbers))
                if color not in (1, 2):
                    raise ValueError(color)
                if 1 <= row <= size and 1 <= column <= size:
                    play(board, 10 * row + column, color)
            answers.append("#%d %d %d\n" % (case, board.count(1), board.count(2)))
    except (StopIteration, ValueError):
        pass
    sys.stdout.write("".join(answers))
    sys.stdout.flush()


main()
