# BAKE:BEGIN origin
# Stonesmith's Othello bot for Python as it stands in the source tree, with weights that know little. What the bots of
# all games share stands behind it: judge.py.
# `stonesmith bake` fills the regions between BAKE:BEGIN and BAKE:END. Licence: MIT OR Apache-2.0.
# BAKE:END origin

# One file for CPython 3.8 and later and for PyPy 3, standard library only. It answers a judge line by line (READY,
# TURN turn board) and keeps to 5,000 ms of answer time and of processor time for a whole game. With --golden [DEPTH] it
# reads positions on stdin and prints golden lines instead.
#
# The search repeats the `lite` profile of the Rust engine function by function: equal node counts on equal positions
# are the proof of that. Boards, flips and evaluation are written twice: CPython is fast with few operations on long
# integers, PyPy with machine words and lists.

import os
import sys
import time

# BAKE:BEGIN identity
WEIGHTS_ID = "00000000"
# BAKE:END identity

# BAKE:BEGIN spelling
READY_WORD = "OK"
MOVE_WORD = "MOVE "
PASS_WORD = "PASS"
TURN_WORD = "TURN"
INDEX_BASE = 1
COLUMN_FIRST = 0
# BAKE:END spelling

# BAKE:BEGIN memory
TABLE_BITS = 17
# BAKE:END memory

# BAKE:BEGIN patterns
# The cells of each pattern (8 * row + column); weights a table and a knot; the plies of the knots; a constant a ply.
PATTERNS = (
    (0, 1, 8, 9,),
)
TABLE_SIZES = (54, 32, 32)
KNOT_PLIES = (30,)
SCALE_SHIFT = 3
CONSTANTS = (
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
)
# BAKE:END patterns

# BAKE:BEGIN probcut
# From this ply on: deep, shallow depth; slope in 1024ths, intercept and deviation in search units.
PROBCUT = (
)
# BAKE:END probcut

# BAKE:BEGIN weights
DENSE_TEXT = False
WEIGHTS_BYTES = 55
WEIGHTS_STEPS = (768, 64, 64,)
WEIGHTS_TEXT = """
!o}KnApjAz<G=tA{`YZRBqt=RL1AZMt~+utOO(Uswak5O&)sMP6AAtMN|3n9dT6Ex0Qd#o
"""
# BAKE:END weights

PYPY = sys.implementation.name == "pypy"

DISC = 16
MOST = 64 * DISC - 1
INFINITE = 64 * DISC + 1
NONE = -127
NO_MOVE = 255
PASS = 255
REPLY_WEIGHT = DISC // 2
TABLE_EMPTIES = 7
FEW = 4
MOBILITY_SIZE = 32
HASH_FIRST = 1 << 20
UNKNOWN = -9999

# From this depth on a node may be cut by a shallower search that lies so many deviations, in 256ths, outside the window.
PROBCUT_DEPTH = 3
SIGMAS = 358

# Where the golden lines stop, the cells of their boards, and what the table may hold there.
GOLDEN_DEPTH = 5
GOLDEN_CELLS = 64
GOLDEN_SOLVE_EMPTIES = 10
GOLDEN_PERFT = 4
GOLDEN_TABLE_BITS = 17

# ---- Boards: one bit a square ---------------------------------------------------------------------------------------

if PYPY:
    # Words are signed 64-bit integers; shifts that may carry into the sign go through machine instructions.
    try:
        from __pypy__.intop import int_add, int_lshift, int_mul, int_sub, uint_rshift
    except ImportError:
        # Slow, but the same.
        def signed(x):
            x &= 0xFFFFFFFFFFFFFFFF
            return x - (x >> 63 << 64)

        def int_add(a, b):
            return signed(a + b)

        def int_sub(a, b):
            return signed(a - b)

        def int_mul(a, b):
            return signed(a * b)

        def int_lshift(a, n):
            return signed(a << n)

        def uint_rshift(a, n):
            return signed((a & 0xFFFFFFFFFFFFFFFF) >> n)

    # A game is short: what runs often is compiled soon, in short pieces, and no loop is unrolled.
    try:
        import pypyjit

        pypyjit.set_param("threshold=120,function_threshold=180,trace_eagerness=200,trace_limit=3000")
        pypyjit.set_param("enable_opts=intbounds:rewrite:virtualize:string:pure:earlyforce:heap")
    except Exception:
        pass

    FULL = -1

    def word(x):
        return x - (x >> 63 << 64)

else:
    FULL = 0xFFFFFFFFFFFFFFFF

    def word(x):
        return x


BIT = [word(1 << square) for square in range(64)]
CORNERS = word(0x8100000000000081)


def ray(square, down, right):
    mask = 0
    row, column = square // 8 + down, square % 8 + right
    while 0 <= row < 8 and 0 <= column < 8:
        mask |= 1 << (8 * row + column)
        row += down
        column += right
    return word(mask)


INNER = word(0x7E7E7E7E7E7E7E7E)

if PYPY:

    def count(x):
        x = int_sub(x, uint_rshift(x, 1) & 0x5555555555555555)
        x = int_add(x & 0x3333333333333333, uint_rshift(x, 2) & 0x3333333333333333)
        x = int_add(x, uint_rshift(x, 4)) & 0x0F0F0F0F0F0F0F0F
        return uint_rshift(int_mul(x, 0x0101010101010101), 56)

    # A lone bit times this number has a value of its own in its six highest bits: the place of its square.
    SPREAD_BIT = 0x03F79D71B4CB0A89
    SQUARE_AT = [0] * 64
    for square in range(64):
        SQUARE_AT[uint_rshift(int_mul(word(1 << square), SPREAD_BIT), 58)] = square

    def squares_of(x):
        found = []
        while x != 0:
            low = x & int_sub(0, x)
            found.append(SQUARE_AT[uint_rshift(int_mul(low, SPREAD_BIT), 58)])
            x ^= low
        return found

    # The squares of quadrants with an odd number of empty squares: each quadrant's parity is gathered in its first square
    # and spread over it.
    def odd_squares(empties):
        x = empties ^ uint_rshift(empties, 1)
        x ^= uint_rshift(x, 2)
        x ^= uint_rshift(x, 8)
        x ^= uint_rshift(x, 16)
        return int_mul(x & 0x1100000011, 0x0F0F0F0F)

    def both_ways(p, o, n):
        up = o & int_lshift(p, n)
        down = o & uint_rshift(p, n)
        up |= o & int_lshift(up, n)
        down |= o & uint_rshift(down, n)
        pairs_up = o & int_lshift(o, n)
        pairs_down = uint_rshift(pairs_up, n)
        up |= pairs_up & int_lshift(up, 2 * n)
        down |= pairs_down & uint_rshift(down, 2 * n)
        up |= pairs_up & int_lshift(up, 2 * n)
        down |= pairs_down & uint_rshift(down, 2 * n)
        return int_lshift(up, n) | uint_rshift(down, n)

    # The empty squares where the owner of p may place a disc.
    def mobility(p, o):
        inner = o & INNER
        found = both_ways(p, inner, 1) | both_ways(p, o, 8) | both_ways(p, inner, 7) | both_ways(p, inner, 9)
        return found & ~(p | o)

    # The same for both sides.
    def mobilities(p, o):
        return mobility(p, o), mobility(o, p)

    UP = [[ray(square, *step) for square in range(64)] for step in ((0, 1), (1, 0), (1, 1), (1, -1))]
    DOWN = [[ray(square, *step) for square in range(64)] for step in ((0, -1), (-1, 0), (-1, -1), (-1, 1))]
    UP0, UP1, UP2, UP3 = UP
    DOWN0, DOWN1, DOWN2, DOWN3 = DOWN

    # Nothing here branches: what a compiler sees is one piece of code, whatever the position.
    # One added below a ray carries through the discs of o up to the first square that is not theirs.
    def flips_up(line, p, o):
        end = int_add(o | ~line, 1) & line & p
        return line & int_sub(end, uint_rshift(end | int_sub(0, end), 63))

    # Open squares smeared along the ray, away from the move, leave exactly the run before the first of them.
    def flips_down(line, p, o, n):
        open_squares = line & ~o
        shadow = open_squares | uint_rshift(open_squares, n)
        shadow |= uint_rshift(shadow, 2 * n)
        shadow |= uint_rshift(shadow, 4 * n)
        end = open_squares & ~uint_rshift(shadow, n) & p
        return line & ~shadow & int_sub(0, uint_rshift(end | int_sub(0, end), 63))

    # The discs of o that a disc of p on an empty square turns.
    def flips(p, o, square):
        return (
            flips_up(UP0[square], p, o)
            | flips_up(UP1[square], p, o)
            | flips_up(UP2[square], p, o)
            | flips_up(UP3[square], p, o)
            | flips_down(DOWN0[square], p, o, 1)
            | flips_down(DOWN1[square], p, o, 8)
            | flips_down(DOWN2[square], p, o, 9)
            | flips_down(DOWN3[square], p, o, 7)
        )

else:
    if hasattr(int, "bit_count"):
        count = int.bit_count
    else:

        def count(x):
            return bin(x).count("1")

    def squares_of(x):
        found = []
        while x:
            low = x & -x
            found.append(low.bit_length() - 1)
            x ^= low
        return found

    # As above.
    def odd_squares(empties):
        x = empties ^ empties >> 1
        x ^= x >> 2
        x ^= x >> 8
        x ^= x >> 16
        return (x & 0x1100000011) * 0x0F0F0F0F

    # Runs of discs of o grown by doubling, for one pair of boards or several pairs 128 bits apart.
    def reached(p, o, inner):
        f = inner & p << 1
        g = inner & p >> 1
        f |= inner & f << 1
        g |= inner & g >> 1
        m = inner & inner << 1
        n = m >> 1
        f |= m & f << 2
        g |= n & g >> 2
        f |= m & f << 2
        g |= n & g >> 2
        r = f << 1 | g >> 1
        f = o & p << 8
        g = o & p >> 8
        f |= o & f << 8
        g |= o & g >> 8
        m = o & o << 8
        n = m >> 8
        f |= m & f << 16
        g |= n & g >> 16
        f |= m & f << 16
        g |= n & g >> 16
        r |= f << 8 | g >> 8
        f = inner & p << 7
        g = inner & p >> 7
        f |= inner & f << 7
        g |= inner & g >> 7
        m = inner & inner << 7
        n = m >> 7
        f |= m & f << 14
        g |= n & g >> 14
        f |= m & f << 14
        g |= n & g >> 14
        r |= f << 7 | g >> 7
        f = inner & p << 9
        g = inner & p >> 9
        f |= inner & f << 9
        g |= inner & g >> 9
        m = inner & inner << 9
        n = m >> 9
        f |= m & f << 18
        g |= n & g >> 18
        f |= m & f << 18
        g |= n & g >> 18
        return r | f << 9 | g >> 9

    # The empty squares where the owner of p may place a disc.
    def mobility(p, o):
        return reached(p, o, o & INNER) & (FULL ^ (p | o))

    TWO_INNER = INNER << 128 | INNER

    # The same for both sides, in one go.
    def mobilities(p, o):
        other = p << 128 | o
        both = reached(o << 128 | p, other, other & TWO_INNER)
        empty = FULL ^ (p | o)
        return both & empty, both >> 128 & empty

    # The discs of o that a disc of p on an empty square turns: a walk in each direction that begins well.
    def flips(p, o, square):
        bit = 1 << square
        inner = o & INNER
        turned = 0
        x = bit << 1 & inner
        if x:
            y = x << 1
            while y & inner:
                x |= y
                y <<= 1
            if y & p:
                turned = x
        x = bit >> 1 & inner
        if x:
            y = x >> 1
            while y & inner:
                x |= y
                y >>= 1
            if y & p:
                turned |= x
        x = bit << 8 & o
        if x:
            y = x << 8
            while y & o:
                x |= y
                y <<= 8
            if y & p:
                turned |= x
        x = bit >> 8 & o
        if x:
            y = x >> 8
            while y & o:
                x |= y
                y >>= 8
            if y & p:
                turned |= x
        x = bit << 7 & inner
        if x:
            y = x << 7
            while y & inner:
                x |= y
                y <<= 7
            if y & p:
                turned |= x
        x = bit >> 7 & inner
        if x:
            y = x >> 7
            while y & inner:
                x |= y
                y >>= 7
            if y & p:
                turned |= x
        x = bit << 9 & inner
        if x:
            y = x << 9
            while y & inner:
                x |= y
                y <<= 9
            if y & p:
                turned |= x
        x = bit >> 9 & inner
        if x:
            y = x >> 9
            while y & inner:
                x |= y
                y >>= 9
            if y & p:
                turned |= x
        return turned


# Moves with corners counted twice.
def weighted(moves):
    return count(moves) + count(moves & CORNERS)


# Discs for the owner of p when the game is over: empties go to the winner.
def final_score(p, o):
    own, other = count(p), count(o)
    if own > other:
        return 64 - 2 * other
    return 2 * own - 64 if own < other else 0


# ---- Patterns and weights -------------------------------------------------------------------------------------------


# Where symmetry s (transpose 4, rows 2, columns 1) puts a square.
def transform_square(square, s):
    row, column = square // 8, square % 8
    if s & 4:
        row, column = column, row
    if s & 2:
        row = 7 - row
    if s & 1:
        column = 7 - column
    return 8 * row + column


# The least at every index: for compiled loops.
def least_of(images):
    least = images[0][:]
    for image in images[1:]:
        for index in range(len(least)):
            if image[index] < least[index]:
                least[index] = image[index]
    return least


# Configurations that a symmetry of the pattern itself makes equal share a weight: its number is the rank of the least
# of them. Each list says which digit the symmetry makes of each digit.
def rank_orbits(cells, symmetries):
    images = []
    for to in symmetries:
        image = [0]
        for digit in range(cells):
            power = 3 ** to[digit]
            image = image + [x + power for x in image] + [x + 2 * power for x in image]
        images.append(image)
    if len(images) == 1:
        return images[0]
    rank, shared = 0, []
    add = shared.append
    for index, least in enumerate(least_of(images) if PYPY else map(min, *images)):
        if least == index:
            add(rank)
            rank += 1
        else:
            add(shared[least])
    return shared


# Every placement: the first raw weight of its pattern and its cells. `SHARED` has the number of the weight of every raw
# index, pattern by pattern.
PLACEMENTS = []
SHARED = []
RAW_LEN = 0


def init_patterns():
    global RAW_LEN
    # Patterns with the same symmetries of their digits have the same ranks.
    first, ranks = 0, {}
    for number, cells in enumerate(PATTERNS):
        known, own = [], []
        for s in range(8):
            image = [transform_square(cell, s) for cell in cells]
            if set(image) == set(cells):
                own.append([cells.index(square) for square in image])
            if set(image) not in known:
                known.append(set(image))
                PLACEMENTS.append((RAW_LEN, image))
        key = str(own)
        if key not in ranks:
            ranks[key] = rank_orbits(len(cells), own)
        SHARED.extend([first + x for x in ranks[key]])
        first += TABLE_SIZES[number]
        RAW_LEN += 3 ** len(cells)


# The knots' weights spread over the raw indices, with the mobilities behind them: made in order, as far as they are
# needed.
ROWS = []


def row_of(knot):
    while len(ROWS) <= knot:
        now = next_knot(len(ROWS))
        if PYPY:
            # No list of that length: memory is given back late.
            row = array.array("h", [0]) * RAW_LEN
            for at in range(RAW_LEN):
                row[at] = now[SHARED[at]]
            row.extend(array.array("h", now[-2 * MOBILITY_SIZE :]))
        else:
            row = list(map(now.__getitem__, SHARED)) + now[-2 * MOBILITY_SIZE :]
        ROWS.append(row)
    return ROWS[knot]


# The two knots around each ply and the share of the second; where it pays, the rows mixed from them, as far as needed.
MIXTURES = []
PLY_ROWS = [None] * 61
SHIFT = 8 + SCALE_SHIFT
HALF = 1 << SHIFT >> 1

# A view holds the raw index of every placement as one side sees it: own discs 1, the other's 2.
if PYPY:
    import array

    # Several indices share a machine word. What depends on the weights' patterns is written out here as a program of
    # its own, without loops over the placements.
    VIEW_SOURCE = """
def view_after(other, square, turned):
    LOAD_TWICE
    while turned != 0:
        low = turned & int_sub(0, turned)
        turned ^= low
        at = uint_rshift(int_mul(low, SPREAD_BIT), 58)
        ADD
    return [WORDS]

def view_of_mover(own, square, turned):
    LOAD_ONCE
    while turned != 0:
        low = turned & int_sub(0, turned)
        turned ^= low
        at = uint_rshift(int_mul(low, SPREAD_BIT), 58)
        SUBTRACT
    return [WORDS]

def pattern_sum(row, view):
    SUM
    return total
"""
    # The digits of a square, word by word: by square as they are and doubled, and by the place of its bit.
    ONCE = []
    TWICE = []
    AT_BIT = []

    def init_views():
        used, places = [], []
        for _, cells in PLACEMENTS:
            bits = (3 ** len(cells) - 1).bit_length()
            number = 0
            while number < len(used) and used[number] + bits > 64:
                number += 1
            if number == len(used):
                used.append(0)
            places.append((number, used[number], bits))
            used[number] += bits
        words = range(len(used))
        for number in words:
            digits = [0] * 64
            for (_, cells), (at, shift, _) in zip(PLACEMENTS, places):
                if at == number:
                    for digit, square in enumerate(cells):
                        digits[square] += 3 ** digit << shift
            ONCE.append([word(x) for x in digits])
            TWICE.append([word(2 * x & 0xFFFFFFFFFFFFFFFF) for x in digits])
            AT_BIT.append([ONCE[number][SQUARE_AT[at]] for at in range(64)])
        total = []
        for number in words:
            for (start, _), (at, shift, bits) in zip(PLACEMENTS, places):
                if at == number:
                    total.append("row[%d + (word%d >> %d & %d)]" % (start, number, shift, (1 << bits) - 1))
        texts = {
            "LOAD_TWICE": ["w%d = int_add(other[%d], TWICE%d[square])" % (n, n, n) for n in words],
            "LOAD_ONCE": ["w%d = int_add(own[%d], ONCE%d[square])" % (n, n, n) for n in words],
            "ADD": ["w%d = int_add(w%d, AT_BIT%d[at])" % (n, n, n) for n in words],
            "SUBTRACT": ["w%d = int_sub(w%d, AT_BIT%d[at])" % (n, n, n) for n in words],
            "SUM": ["word%d = view[%d]" % (n, n) for n in words] + ["total = " + " + ".join(total)],
        }
        source = VIEW_SOURCE.replace("WORDS", ", ".join(["w%d" % n for n in words]))
        lines = []
        for line in source.split("\n"):
            blank = line[: len(line) - len(line.lstrip())]
            lines += [blank + text for text in texts.get(line.strip(), [line.strip()])]
        for number in words:
            names = {"ONCE": ONCE, "TWICE": TWICE, "AT_BIT": AT_BIT}
            globals().update({"%s%d" % (name, number): lists[number] for name, lists in names.items()})
        exec("\n".join(lines), globals())

    def new_views(p, o):
        own, other = [], []
        for digits in ONCE:
            mine = theirs = 0
            for square in squares_of(p):
                mine = int_add(mine, digits[square])
            for square in squares_of(o):
                theirs = int_add(theirs, digits[square])
            own.append(int_add(mine, int_add(theirs, theirs)))
            other.append(int_add(theirs, int_add(mine, mine)))
        return own, other

    # A row for each ply: what the two knots around it make in 256ths, with the constant and half a unit for rounding.
    def ply_row(ply):
        below, above, share = MIXTURES[ply]
        low, high = row_of(below), row_of(above)
        row = array.array("i", [0]) * len(low)
        more = 256 * CONSTANTS[ply] + HALF
        for at in range(len(low)):
            row[at] = low[at] * (256 - share) + high[at] * share
        for at in range(RAW_LEN, RAW_LEN + MOBILITY_SIZE):
            row[at] += more
        PLY_ROWS[ply] = row
        return row

    # The value of a board for its side to move in search units, from its view and both sides' moves.
    def evaluate(p, o, view, own, other):
        ply = count(p | o) - 4
        row = PLY_ROWS[ply]
        if row is None:
            row = ply_row(ply)
        own, other = count(own), count(other)
        own = RAW_LEN + (own if own < MOBILITY_SIZE else MOBILITY_SIZE - 1)
        other = RAW_LEN + MOBILITY_SIZE + (other if other < MOBILITY_SIZE else MOBILITY_SIZE - 1)
        value = row[own] + row[other] + pattern_sum(row, view) >> SHIFT
        return -MOST if value < -MOST else MOST if value > MOST else value

else:
    import operator
    import struct

    # Lanes of 32 bits in one long integer: a disc is one addition.
    DIGITS = []
    ONCE_TURNED = {}

    def init_views():
        global UNPACK, VIEW_BYTES, FIRST_VIEW
        for square in range(64):
            digit = 0
            for lane, (_, cells) in enumerate(PLACEMENTS):
                if square in cells:
                    digit += 3 ** cells.index(square) << 32 * lane
            DIGITS.append(digit)
        FIRST_VIEW = sum(start << 32 * lane for lane, (start, _) in enumerate(PLACEMENTS))
        UNPACK = struct.Struct("<%dI" % len(PLACEMENTS)).unpack
        VIEW_BYTES = 4 * len(PLACEMENTS)

    def new_views(p, o):
        own = sum(DIGITS[square] for square in squares_of(p))
        other = sum(DIGITS[square] for square in squares_of(o))
        return FIRST_VIEW + own + 2 * other, FIRST_VIEW + 2 * own + other

    def digits_of(turned):
        if len(ONCE_TURNED) > 100000:
            ONCE_TURNED.clear()
        total = sum([DIGITS[square] for square in squares_of(turned)])
        ONCE_TURNED[turned] = total
        return total

    def view_after(other, square, turned):
        return other + 2 * DIGITS[square] + (ONCE_TURNED.get(turned) or digits_of(turned))

    def view_of_mover(own, square, turned):
        return own + DIGITS[square] - (ONCE_TURNED.get(turned) or digits_of(turned))

    # The weights a view and both mobilities read, of one row or of two that are mixed, in 256ths.
    def mixed_sum(row, up, share, view, own, other):
        read = operator.itemgetter(own, other, *UNPACK(view.to_bytes(VIEW_BYTES, "little")))
        if share == 0:
            return 256 * sum(read(row))
        return (256 - share) * sum(read(row)) + share * sum(read(up))

    # The value of a board for its side to move in search units, from its view and both sides' moves.
    def evaluate(p, o, view, own, other):
        ply = count(p | o) - 4
        below, above, share = MIXTURES[ply]
        own, other = count(own), count(other)
        own = RAW_LEN + (own if own < MOBILITY_SIZE else MOBILITY_SIZE - 1)
        other = RAW_LEN + MOBILITY_SIZE + (other if other < MOBILITY_SIZE else MOBILITY_SIZE - 1)
        row = ROWS[below] if below < len(ROWS) else row_of(below)
        up = row if share == 0 else ROWS[above] if above < len(ROWS) else row_of(above)
        total = mixed_sum(row, up, share, view, own, other)
        value = total + 256 * CONSTANTS[ply] + HALF >> SHIFT
        return -MOST if value < -MOST else MOST if value > MOST else value


def static_value(p, o):
    own, other = mobilities(p, o)
    return evaluate(p, o, new_views(p, o)[0], own, other)


# ---- Search ---------------------------------------------------------------------------------------------------------

# Bounds by position, one place for each: midgame in search units, solved in discs. A table is three lists: the boards'
# halves, and depth, lower bound, upper bound and best move in one number.
if PYPY:

    def place(p, o):
        return uint_rshift(int_add(int_mul(p, SPREAD_OWN), int_mul(o, SPREAD_OTHER)), TABLE_SHIFT)

else:

    def place(p, o):
        return (p * SPREAD_OWN + o * SPREAD_OTHER & FULL) >> TABLE_SHIFT


SPREAD_OWN = word(0x9E3779B97F4A7C15)
SPREAD_OTHER = word(0xC2B2AE3D27D4EB4F)
BIAS = 2048
TABLE_SHIFT = 64 - TABLE_BITS
TABLE = []
SOLVED = []


def clear_tables():
    for table in (TABLE, SOLVED):
        table[:] = [[0] * (1 << 64 - TABLE_SHIFT) for _ in range(3)]


# The best move of the last search of one ply or solve that ended: after the root's, the root's.
last_best = NO_MOVE


# What a table knows of a position, or -1.
def known(table, p, o):
    at = place(p, o)
    return table[2][at] if table[0][at] == p and table[1][at] == o else -1


# Stores what a search with the window (alpha, beta) found; bounds of an equal search are narrowed.
def store(table, p, o, depth, alpha, beta, score, best, worst):
    lower = score if score > alpha else -worst
    upper = score if score < beta else worst
    own, other, data = table
    at = place(p, o)
    if own[at] == p and other[at] == o:
        old = data[at]
        if old >> 32 == depth:
            low, high = (old >> 20 & 4095) - BIAS, (old >> 8 & 4095) - BIAS
            if low < lower:
                low = lower
            if high > upper:
                high = upper
            if low <= high:
                lower, upper = low, high
        if score <= alpha:
            best = old & 255
    else:
        own[at] = p
        other[at] = o
    data[at] = depth << 32 | lower + BIAS << 20 | upper + BIAS << 8 | best


# Multi-ProbCut's lines by 64 * ply + depth: at most two, in order of their plies. A line holds up to the next of the
# same depths; one that reaches the end of the game holds at its own ply, and there no other does.
CUTS = [()] * 4096


def init_cuts():
    for first, deep, shallow, slope, intercept, deviation in PROBCUT:
        past = 60 - deep
        line = (shallow, slope, intercept, SIGMAS * deviation >> 8)
        for ply in range(first, past + (first == past)):
            lines = [line if old[0] == shallow else old for old in CUTS[64 * ply + deep]]
            if line not in lines and len(lines) < 2:
                lines.append(line)
            CUTS[64 * ply + deep] = tuple(lines)


# The bound within which a search to `deep` surely ends, seen from the null window at `alpha`, or UNKNOWN.
def probcut(p, o, own, other, deep, alpha, beta, moves):
    lines = CUTS[64 * (count(p | o) - 4) + deep]
    if not lines:
        return UNKNOWN
    value = evaluate(p, o, own, moves, mobility(o, p))
    for shallow, slope, intercept, margin in lines:
        if value >= beta:
            high = -(-(beta + margin - intercept) * 1024 // slope)
            if high < INFINITE and pvs(p, o, own, other, shallow, high - 1, high, moves) >= high:
                return beta
        else:
            low = (alpha - margin - intercept) * 1024 // slope
            if low > -INFINITE and pvs(p, o, own, other, shallow, low, low + 1, moves) <= low:
                return alpha
    return UNKNOWN


# Depth 1: every child is evaluated where it stands, corners first.
def last_ply(p, o, other, beta, moves):
    global nodes, last_best
    best = -INFINITE
    best_move = NO_MOVE
    order = squares_of(moves)
    if moves & CORNERS:
        order = squares_of(moves & CORNERS) + squares_of(moves & ~CORNERS)
    for square in order:
        nodes += 1
        turned = flips(p, o, square)
        child, rest = o ^ turned, p ^ turned ^ BIT[square]
        if child == 0:
            score = 64 * DISC
        else:
            replies, again = mobilities(child, rest)
            score = -evaluate(child, rest, view_after(other, square, turned), replies, again)
        if score > best:
            best = score
            best_move = square
            if best >= beta:
                break
    last_best = best_move
    return best


# The value of a node to `depth` plies within (alpha, beta), fail-soft. `own` is what the side to move sees, `moves` the
# squares where it may play.
def pvs(p, o, own, other, depth, alpha, beta, moves):
    global nodes
    nodes += 1
    if nodes >= next_check:
        check()
    if moves == 0:
        moves = mobility(o, p)
        if moves == 0:
            return final_score(p, o) * DISC
        return -pvs(o, p, other, own, depth, -beta, -alpha, moves)
    if depth == 1:
        return last_ply(p, o, other, beta, moves)
    entry = known(TABLE, p, o)
    hash_move = NO_MOVE
    if entry >= 0:
        if entry >> 32 >= depth:
            lower, upper = (entry >> 20 & 4095) - BIAS, (entry >> 8 & 4095) - BIAS
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
        hash_move = entry & 255
    if depth >= PROBCUT_DEPTH and beta - alpha == 1:
        best = probcut(p, o, own, other, depth, alpha, beta, moves)
        if best != UNKNOWN:
            store(TABLE, p, o, depth, alpha, beta, best, hash_move, INFINITE)
            return best
    # Costs with the numbers of the children behind them: equal costs stay by square.
    order = []
    squares = squares_of(moves)
    all_turned, all_replies, views = [], [], []
    for square in squares:
        turned = flips(p, o, square)
        child, rest = o ^ turned, p ^ turned ^ BIT[square]
        cost = -HASH_FIRST
        if depth >= 3:
            view = view_after(other, square, turned)
            views.append(view)
            replies, again = mobilities(child, rest)
            if square != hash_move:
                cost = REPLY_WEIGHT * weighted(replies) + evaluate(child, rest, view, replies, again)
        else:
            replies = mobility(child, rest)
            if square != hash_move:
                cost = REPLY_WEIGHT * weighted(replies)
        all_turned.append(turned)
        all_replies.append(replies)
        order.append(64 * cost + len(order))
    order.sort()
    best = -INFINITE
    best_move = NO_MOVE
    first = True
    for code in order:
        number = code & 63
        square, turned, replies = squares[number], all_turned[number], all_replies[number]
        child, rest = o ^ turned, p ^ turned ^ BIT[square]
        # The last ply reads one view only, unless its side has to pass.
        view = views[number] if depth >= 3 else own if replies else view_after(other, square, turned)
        low = alpha if alpha > best else best
        mine = view_of_mover(own, square, turned)
        if first:
            first = False
            score = -pvs(child, rest, view, mine, depth - 1, -beta, -low, replies)
        else:
            score = -pvs(child, rest, view, mine, depth - 1, -low - 1, -low, replies)
            if low < score < beta:
                score = -pvs(child, rest, view, mine, depth - 1, -beta, -score, replies)
        if score > best:
            best = score
            best_move = square
            if best >= beta:
                break
    store(TABLE, p, o, depth, alpha, beta, best, best_move, INFINITE)
    return best


# The exact value of a node with `empty` empty squares in discs within (alpha, beta), fail-soft.
def solve(p, o, alpha, beta, empty, moves):
    global nodes, last_best
    nodes += 1
    if nodes >= next_check:
        check()
    if moves == 0:
        moves = mobility(o, p)
        if moves == 0:
            return final_score(p, o)
        return -solve(o, p, -beta, -alpha, empty, moves)
    hash_move = NO_MOVE
    if empty >= TABLE_EMPTIES:
        entry = known(SOLVED, p, o)
        if entry >= 0:
            hash_move = entry & 255
            lower, upper = (entry >> 20 & 4095) - BIAS, (entry >> 8 & 4095) - BIAS
            if lower >= beta or lower == upper:
                last_best = hash_move
                return lower
            if upper <= alpha:
                last_best = hash_move
                return upper
        else:
            entry = known(TABLE, p, o)
            if entry >= 0:
                hash_move = entry & 255
    odd = odd_squares(FULL ^ (p | o))
    order = []
    squares = squares_of(moves)
    all_turned, all_replies = [], []
    for square in squares:
        turned = flips(p, o, square)
        bit = BIT[square]
        replies = mobility(o ^ turned, p ^ turned ^ bit)
        if square == hash_move:
            cost = -HASH_FIRST
        else:
            cost = 4 * weighted(replies)
            if bit & odd:
                cost -= 2
            if bit & CORNERS:
                cost -= 6
        all_turned.append(turned)
        all_replies.append(replies)
        order.append(64 * cost + len(order))
    order.sort()
    best = NONE
    best_move = NO_MOVE
    first = True
    left = empty - 1
    for code in order:
        number = code & 63
        square, turned, replies = squares[number], all_turned[number], all_replies[number]
        child, rest = o ^ turned, p ^ turned ^ BIT[square]
        low = alpha if alpha > best else best
        if first:
            score = -solve_child(child, rest, -beta, -low, left, replies)
        else:
            score = -solve_child(child, rest, -low - 1, -low, left, replies)
            if low < score < beta:
                score = -solve_child(child, rest, -beta, -score, left, replies)
        first = False
        if score > best:
            best = score
            best_move = square
            if best >= beta:
                break
    if empty >= TABLE_EMPTIES:
        store(SOLVED, p, o, 0, alpha, beta, best, best_move, 64)
    last_best = best_move
    return best


# The last squares are tried one by one, those of odd quadrants first.
def solve_child(p, o, alpha, beta, empty, moves):
    if empty > FEW:
        return solve(p, o, alpha, beta, empty, moves)
    empties = FULL ^ (p | o)
    odd = odd_squares(empties)
    return few(p, o, alpha, beta, squares_of(empties & odd) + squares_of(empties & ~odd))


# The last empty squares in a fixed order.
def few(p, o, alpha, beta, order):
    global nodes
    nodes += 1
    if len(order) == 1:
        square = order[0]
        turned = flips(p, o, square)
        if turned:
            return 2 * (count(p) + count(turned)) - 62
        turned = flips(o, p, square)
        if turned:
            return 2 * (count(p) - count(turned)) - 64
        return final_score(p, o)
    best = NONE
    for number in range(len(order)):
        square = order[number]
        turned = flips(p, o, square)
        if turned:
            low = alpha if alpha > best else best
            rest = order[:number] + order[number + 1 :]
            score = -few(o ^ turned, p ^ turned ^ BIT[square], -beta, -low, rest)
            if score > best:
                best = score
                if best >= beta:
                    return best
    if best != NONE:
        return best
    if mobility(o, p) == 0:
        return final_score(p, o)
    return -few(o, p, -beta, -alpha, order)


# The exact value of the root in discs, by aspiration around the even number nearest `guess` (search units).
def solve_root(p, o, guess, empty, moves):
    center = (guess + MOST + 1 + DISC) // (2 * DISC) * 2 - 64
    margin = 2
    alpha, beta = center - 1, center + 1
    while True:
        low, high = max(alpha, -65), min(beta, 65)
        score = solve(p, o, low, high, empty, moves)
        if score <= low and low >= -64:
            alpha, beta = score - margin, score + 1
        elif score >= high and high <= 64:
            alpha, beta = score - 1, score + margin
        else:
            return score
        margin *= 3


# How deep the midgame search before a solve goes.
def depth_before_solving(empty):
    return 0 if empty <= 8 else 2 if empty <= 11 else 4


# Searches to `most` plies, or solves from `solve_empties` empty squares on; no depth begins after `soft_ms`, and at
# `hard_ms` everything stops.
def search(p, o, most, solve_empties, soft_ms, hard_ms):
    global nodes, next_check, stop_ms, last_check, check_every
    result = Result()
    nodes = 0
    next_check = FOREVER
    moves = mobility(p, o)
    if moves == 0:
        if mobility(o, p) == 0:
            result.score = final_score(p, o) * DISC
            result.exact = True
            result.nodes = 1
            return result
        result = search(o, p, most, solve_empties, soft_ms, hard_ms)
        result.best = PASS
        result.score = -result.score
        result.nodes += 1
        return result
    empty = count(FULL ^ (p | o))
    solving = empty <= solve_empties
    deepest = depth_before_solving(empty) if solving else min(most, empty)
    if deepest > 0:
        own, other = new_views(p, o)
    stop_ms = hard_ms
    last_check = now_ms()
    # What has not run for long, or never, is slow at first.
    check_every = 16
    try:
        for depth in range(1, deepest + 1):
            if depth > 1 and hard_ms < FOREVER:
                if now_ms() >= soft_ms:
                    break
                next_check = nodes + check_every
            result.score = deepen(
                lambda alpha, beta: pvs(p, o, own, other, depth, alpha, beta, moves), depth, result.score, 3 * DISC, 3
            )
            entry = known(TABLE, p, o) if depth > 1 else -1
            result.best = entry & 255 if entry >= 0 else last_best
            result.depth = depth
        if solving:
            if hard_ms < FOREVER:
                check_every = 16
                next_check = nodes + check_every
            result.score = solve_root(p, o, result.score, empty, moves) * DISC
            result.best = last_best
            result.exact = True
            result.depth = empty
    except Stopped:
        pass
    result.nodes = nodes
    return result


ready_to_think = False


def init_engine():
    global ready_to_think
    if not ready_to_think:
        ready_to_think = True
        MIXTURES.extend([mixture(ply) for ply in range(61)])
        init_patterns()
        init_views()
        init_cuts()
        clear_tables()


# The board of 64 cells for the side `color` (1 black, 2 white): its discs and the other's.
def board_for(cells, color):
    discs = [0, 0, 0]
    for square in range(64):
        discs[cells[square]] |= 1 << square
    return word(discs[color]), word(discs[3 - color])


# ---- Golden lines ---------------------------------------------------------------------------------------------------


def perft(p, o, depth):
    moves = mobility(p, o)
    if depth == 0:
        return 1
    if moves == 0:
        return 1 if mobility(o, p) == 0 else perft(o, p, depth - 1)
    if depth == 1:
        return count(moves)
    total = 0
    for square in squares_of(moves):
        turned = flips(p, o, square)
        total += perft(o ^ turned, p ^ turned ^ BIT[square], depth - 1)
    return total


def golden_line(cells, color, depth):
    global TABLE_SHIFT
    TABLE_SHIFT = 64 - GOLDEN_TABLE_BITS
    clear_tables()
    p, o = board_for(cells, color)
    result = search(p, o, depth, GOLDEN_SOLVE_EMPTIES, FOREVER, FOREVER)
    best = "pass" if result.best == PASS else "%s%d" % ("abcdefgh"[result.best % 8], result.best // 8 + 1)
    text = "".join("-XO"[cell] for cell in cells) + "-XO"[color]
    numbers = "%d %d %d" % (result.depth, perft(p, o, GOLDEN_PERFT), static_value(p, o))
    return "%s %s %s %d %d" % (text, numbers, best, result.score, result.nodes)


# ---- Time plan: milliseconds of the 5,000 the judge allows of answer time and of processor time ----------------------

PLAN_MS = 4400.0
# Kept where a judge tells the time that is left.
RESERVE_MS = 600.0
# The share of the plan kept for solving while there is midgame to play; a solve begins when it should take at most
# `SOLVE_PROMISE` of what is left, and stops at `SOLVE_MOST`.
SOLVE_KEEP = 0.13 if PYPY else 0.35
SOLVE_PROMISE = 0.65 if PYPY else 0.55
SOLVE_MOST = 0.75
# Nodes a solve visits in the time of one of the midgame; below the last share a solve needs no midgame search first.
SOLVE_SPEED = 0.5 if PYPY else 3.0
QUICK_SOLVE = 0.05


# The nodes that solving a position of an ordinary game takes.
def solve_nodes(empty):
    return 14000.0 * 2.25 ** (empty - 12)


class Pace:
    nodes_per_ms = 150.0 if PYPY else 80.0
    difficulty = 1.0
    measured = False

    # The milliseconds that solving a position of an ordinary game takes.
    def solve_ms(self, empty):
        return solve_nodes(empty) * self.difficulty / self.nodes_per_ms

    # Until a solve has been seen, its speed follows from the midgame's.
    def seen_midgame(self, searched, ms):
        if ms >= 20 and not self.measured:
            self.nodes_per_ms = SOLVE_SPEED * searched / ms

    # Learns from a solve that took `ms` and ended or was stopped.
    def seen_solve(self, empty, searched, ms, ended):
        if ms >= 20:
            self.nodes_per_ms = searched / ms
            self.measured = True
        ratio = searched / solve_nodes(empty)
        if not ended and 1.5 * ratio > self.difficulty:
            self.difficulty = 1.5 * ratio


# What a midgame move is worth: openings little, the middle most. PyPy compiles what it runs often, and what it spends
# on that serves every later move: the sooner, the better.
def move_weight(empty):
    if PYPY:
        return 1.0
    return 0.15 if empty >= 55 else 0.6 if empty >= 49 else 1.0


# How to spend what is left on the move at `empty` empty squares: soft and hard limit from now, and whether to solve.
def budget(left, empty, pace):
    if pace.solve_ms(empty) <= SOLVE_PROMISE * left:
        return 0.1 * left, SOLVE_MOST * left, True
    keep = min(SOLVE_KEEP * PLAN_MS, 0.75 * left)
    total = 0.0
    later = empty
    while later > 0:
        if later < empty - 2 and pace.solve_ms(later) <= SOLVE_PROMISE * keep:
            break
        total += move_weight(later)
        later -= 2
    share = (left - keep) * move_weight(empty) / total
    return (0.6 if PYPY else 0.5) * share, min(1.8 * share, 0.4 * left), False


# ---- Bot ------------------------------------------------------------------------------------------------------------

pace = Pace()


# The discs that a disc of `color` on `square` turns, cell by cell as the rules say it: the last word on legality.
def slow_flips(cells, color, square):
    if not 0 <= square < 64 or cells[square] != 0:
        return 0
    total = 0
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            row, column, run = square // 8 + down, square % 8 + right, 0
            while 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] == 3 - color:
                row += down
                column += right
                run += 1
            if run and 0 <= row < 8 and 0 <= column < 8 and cells[8 * row + column] == color:
                total += run
    return total


# Without time: the move that leaves the fewest replies.
def hasty_move(p, o):
    best, fewest = PASS, 99
    for square in squares_of(mobility(p, o)):
        turned = flips(p, o, square)
        replies = weighted(mobility(o ^ turned, p ^ turned ^ BIT[square])) - 5 * (BIT[square] & CORNERS != 0)
        if replies < fewest:
            best, fewest = square, replies
    return best


# Processor time that decoding takes: patterns and the first knot; the way to one knot for the rest of a game.
INIT_MS = 130.0 + 0.0009 * sum(TABLE_SIZES)
ONE_KNOT_MS = 0.0008 * sum(TABLE_SIZES)
# PyPy compiles what begins to run often, such as a first solve, without a look at the clock: on a slow machine so much
# processor time is kept for that.
COMPILE_MS = 80.0
# Where everything takes so much longer than the processor works, one knot has to do: each costs as much as a search.
STARVED = 4.0
# Later in a game little time is left for surprises: from this ply on, the knots of so many plies to come are made before
# a search, which would make them without looking at the clock.
AHEAD_FROM = 20
AHEAD = 18 if PYPY else 14

# One knot serves for the rest of the game; the knots below it were not all made.
one_knot = False


# Whether there is time to make what the engine needs at `ply`. On a starved machine that is made before the search, so
# that no search runs over its time for it.
def prepare(ply, left):
    global spent_ms, one_knot
    begin = now_ms()
    if not ready_to_think and stretch * INIT_MS > 0.7 * left:
        return False
    init_engine()
    PLY_ROWS[:ply] = [None] * ply
    if stretch > STARVED and not one_knot:
        knot = mixture(min(ply + 12, 44))[1]
        if knot >= len(ROWS) and stretch * ONE_KNOT_MS > 0.4 * left:
            knot = len(ROWS) - 1
        if knot < 0:
            return False
        one_knot = True
        made = len(ROWS)
        while len(ROWS) < knot:
            next_knot(len(ROWS))
            ROWS.append(None)
        row_of(knot)
        MIXTURES[:] = [(a, b, share) if b < made else (knot, knot, 0) for a, b, share in MIXTURES]
        PLY_ROWS[ply:] = [None] * (61 - ply)
    elif not one_knot and ply >= AHEAD_FROM and stretch * ONE_KNOT_MS < 0.4 * left:
        row_of(mixture(ply + AHEAD)[1])
    spent_ms += now_ms() - begin
    return True


# The move the engine would play; `told` is what a judge says is left, if it says so.
def think(cells, color, empty, told):
    global spent_ms
    p, o = board_for(cells, color)
    # The answers to come cost something even if nothing is thought for them.
    tolls = 1.3 * toll_ms * ((empty + 1) // 2)
    if PYPY and stretch > 1.5:
        tolls += stretch * COMPILE_MS
    left = min(PLAN_MS - now_ms(), told - RESERVE_MS) - tolls
    if left < 5 or not prepare(60 - empty, left):
        return hasty_move(p, o)
    now = now_ms()
    left = min(PLAN_MS - now, told - RESERVE_MS) - tolls
    if left < 5:
        return hasty_move(p, o)
    soft, hard, solving = budget(left, empty, pace)
    try:
        if not solving:
            result = search(p, o, 60, 0, now + soft, now + hard)
            pace.seen_midgame(result.nodes, now_ms() - now)
            return result.best
        # A midgame search before a long solve orders it, and is the answer should the solve not end in time.
        quick = Result()
        if pace.solve_ms(empty) > QUICK_SOLVE * left:
            quick = search(p, o, 60, 0, now + soft, now + hard / 4)
        begin = now_ms()
        solved = search(p, o, 60, 64, now + hard, now + hard)
        pace.seen_solve(empty, solved.nodes, now_ms() - begin, solved.exact)
        return solved.best if solved.exact or solved.depth > quick.depth else quick.best
    finally:
        spent_ms += min(now_ms() - now, hard)


class Game:
    def __init__(self):
        # The layout of TURN is known: which of its integers is the turn, which our remaining time, or -1.
        self.locked = False
        self.turn_at = -1
        self.time_at = -1
        # Even turns are black's.
        self.flipped = False
        # 1 black, 2 white, 0 unknown.
        self.color = 0
        # A TURN was answered.
        self.played = False
        # The position INIT set, and the actions before it, or -1.
        self.board = None
        self.ply = -1


class Request:
    def __init__(self, is_turn):
        self.is_turn = is_turn
        self.cells = []
        self.ints = []


game = Game()
request = None


def is_cells(text):
    return all(letter in CELLS for letter in text)


def add_cells(text):
    request.cells.extend([CELLS[letter] for letter in text][: 64 - len(request.cells)])


# Takes words by their shape: a board of 64 letters, rows of 8, cells one by one, integers.
def take_words(words):
    singles = 0
    for text in words:
        singles += len(text) == 1 and is_cells(text)
        if len(text) == 64 and is_cells(text):
            request.cells = []
            add_cells(text)
    # Of single letters the last 64, or whole rows of 8, are cells: a turn number may stand before them.
    skip = singles if len(request.cells) == 64 else singles - 64 if singles >= 64 else singles % 8
    for text in words:
        if len(text) == 1 and is_cells(text):
            skip -= 1
            if skip < 0:
                add_cells(text)
                continue
        if len(text) >= 8 and len(text) % 8 == 0 and is_cells(text):
            add_cells(text)
        elif is_integer(text) and len(request.ints) < 16:
            request.ints.append(int(text))


# Finds out at the first TURN which integer is what; later TURNs have the same layout.
def lock_layout(discs):
    game.locked = True
    # The turn counts discs placed and passes.
    fits = [at for at, value in enumerate(request.ints) if 0 <= value - 1 - (discs - 4) <= 20]
    fits += [at for at, value in enumerate(request.ints) if 0 <= value < 50]
    game.turn_at = fits[0] if fits else -1
    times = [at for at, value in enumerate(request.ints) if at != game.turn_at and value >= 50]
    game.time_at = times[0] if times else -1
    # With four or five discs there is no doubt who moves: a turn of other parity is counted from 0.
    if game.turn_at >= 0 and game.board is None and discs in (4, 5):
        game.flipped = (request.ints[game.turn_at] & 1 == 1) != (discs == 4)


# Our colour: by the turn's parity, else what READY said or was found before, else by the number of discs.
def our_color(discs):
    if not game.locked:
        lock_layout(discs)
    if 0 <= game.turn_at < len(request.ints):
        return 1 if (request.ints[game.turn_at] & 1 == 1) != game.flipped else 2
    if game.color != 0:
        return game.color
    if game.board is not None and game.ply >= 0:
        return 1 if game.ply % 2 == 0 else 2
    return 1 if discs % 2 == 0 else 2


def answer_turn():
    cells = request.cells
    discs = 64 - cells.count(0)
    color = game.color = our_color(discs)
    legal = [square for square in range(64) if slow_flips(cells, color, square) > 0]
    best = legal[0] if legal else PASS
    if len(legal) > 1 and discs >= 4:
        told = FOREVER
        if 0 <= game.time_at < len(request.ints):
            told = float(request.ints[game.time_at])
        try:
            move = think(cells, color, 64 - discs, told)
        except Exception:
            move = PASS
        if slow_flips(cells, color, move) > 0:
            best = move
    if best == PASS:
        reply(PASS_WORD)
    else:
        reply_move(best // 8, best % 8)
    game.played = True
    end_answer()


# A whole board has been read (or, for a bare TURN, INIT set one before).
def finish_request():
    global request
    if request.is_turn:
        answer_turn()
    else:
        game.board = request.cells
        game.ply = request.ints[-1] if request.ints else -1
    request = None


def ready(words):
    global game, request, spent_ms, one_knot
    begin_answer()
    request = None
    reply(READY_WORD)
    begin_game(game.played)
    if game.played:
        clear_tables()
        pace.difficulty = 1.0
        if one_knot:
            one_knot = False
            del ROWS[:]
            MIXTURES[:] = [mixture(ply) for ply in range(61)]
            PLY_ROWS[:] = [None] * 61
    game = Game()
    game.color = color_named(words)
    if stretch * INIT_MS < 0.6 * PLAN_MS:
        init_engine()
    spent_ms = clock_ms() - answer_start
    end_answer()


# A request that is not READY or FINISH, or what follows one.
def take_request(verb, words):
    global request
    if verb == TURN_WORD or verb == "INIT":
        request = Request(verb == TURN_WORD)
        if request.is_turn:
            begin_answer()
        take_words(words[1:])
        if request.is_turn and not request.cells and game.board is not None:
            request.cells = list(game.board)
    elif request is not None:
        take_words(words)
    if request is not None and len(request.cells) == 64:
        finish_request()


