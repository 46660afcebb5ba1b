/* BAKE:BEGIN origin */
/* The Othello simulation's answer as it stands in Stonesmith's source tree. Licence: MIT OR Apache-2.0. */
/* BAKE:END origin */

/* One file of C11 that is also C++17. Input: T, then per case `N M` (N is 4, 6 or 8) and M moves `column row colour`,
 * counted from 1, colour 1 black and 2 white. Output: `#case black white`. A colour may move twice in a row; a move
 * that turns nothing or falls on an occupied square changes nothing. Line ends and blanks do not matter; input that
 * ends early or makes no sense ends the answers, never the program. */

#include <stdio.h>
#include <string.h>

static int board[8][8]; /* row, column: 0 empty, 1 black, 2 white */
static int size;

/* The next whole number of the input, or -1 when there is none. */
static long next_number(void) {
    long value = 0;
    int letter = getchar();
    while (letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == 0xef || letter == 0xbb || letter == 0xbf) {
        letter = getchar();
    }
    if (letter < '0' || letter > '9') {
        return -1;
    }
    for (; letter >= '0' && letter <= '9'; letter = getchar()) {
        value = value < 100000000 ? 10 * value + (letter - '0') : value;
    }
    return value;
}

static int on_board(int row, int column) {
    return row >= 0 && row < size && column >= 0 && column < size;
}

static void start(void) {
    int middle = size / 2;
    memset(board, 0, sizeof board);
    board[middle - 1][middle - 1] = board[middle][middle] = 2;
    board[middle - 1][middle] = board[middle][middle - 1] = 1;
}

/* Turns what a disc of `color` at row and column encloses, and places it if that is anything. */
static void play(int row, int column, int color) {
    int turned = 0;
    if (!on_board(row, column) || board[row][column] != 0) {
        return;
    }
    for (int step = 0; step < 9; step++) {
        int down = step / 3 - 1, right = step % 3 - 1, r = row + down, c = column + right, run = 0;
        if (down == 0 && right == 0) {
            continue;
        }
        for (; on_board(r, c) && board[r][c] == 3 - color; r += down, c += right) {
            run++;
        }
        if (run == 0 || !on_board(r, c) || board[r][c] != color) {
            continue;
        }
        for (turned += run; run > 0; run--) {
            board[r -= down][c -= right] = color;
        }
    }
    if (turned > 0) {
        board[row][column] = color;
    }
}

int main(void) {
    long cases = next_number();
    for (long number = 1; number <= cases; number++) {
        int count[3] = {0, 0, 0};
        size = (int)next_number();
        long moves = next_number();
        if ((size != 4 && size != 6 && size != 8) || moves < 0) {
            break;
        }
        start();
        for (; moves > 0; moves--) {
            long column = next_number(), row = next_number(), color = next_number();
            if (color < 1 || color > 2) {
                return 0;
            }
            play((int)row - 1, (int)column - 1, (int)color);
        }
        for (int square = 0; square < size * size; square++) {
            count[board[square / size][square % size]]++;
        }
        printf("#%ld %d %d\n", number, count[1], count[2]);
    }
    return 0;
}
