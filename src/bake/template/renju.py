# BAKE:BEGIN origin
# Stonesmith's Renju bot for Python as it stands in the source tree, with weights that know nothing. What the bots of all
# games share stands behind it: judge.py.
# `stonesmith bake` fills the regions between BAKE:BEGIN and BAKE:END. Licence: MIT OR Apache-2.0.
# BAKE:END origin

# One file for CPython 3.8 and later and for PyPy 3, standard library only. It answers a judge line by line (READY,
# TURN my_time opp_time, OPP x y time, FINISH) and keeps to the time it is told. With --golden [DEPTH] it reads positions
# on stdin and prints golden lines instead.
#
# The search repeats the `lite` profile of the Rust engine function by function: equal node counts on equal positions
# are the proof of that. What is printed has passed a second, slow reading of the rules that shares nothing with it.

import os
import sys
import time

# BAKE:BEGIN identity
WEIGHTS_ID = "00000000"
# BAKE:END identity

# BAKE:BEGIN spelling
READY_WORD = "OK"
MOVE_WORD = "MOVE "
PASS_WORD = ""
TURN_WORD = "TURN"
INDEX_BASE = 1
COLUMN_FIRST = 0
# BAKE:END spelling

# BAKE:BEGIN memory
TABLE_LIMIT = 262144
# BAKE:END memory

# BAKE:BEGIN rules
RULES_BYTES = 918
RULES_TEXT = """
TJ73+AfuLxYRd%-|LNTnKql>fz*Q*(k!`cKO~T=c9>nL6om|+3GytGd#Jy+<G8W5t{q(ys%;S&PFEbeQsOsl3U4(fRX^Pa#O{N%qJa#eb1m<zFtkpt^BgzBaKe^28Op!;Nobxe@{<{@9J&jVx_t^Bm%<r=yp-!7a1b%|KPqs`w2MnpKXJH;k+OVMRF=^>wgPI;@kiBOfQpjN72^DB9yd$@Bn73tJT4Q8+JD@42n#l4<_k?K5V$N#u7_{-**EC#*tf0;dJyPzKN!1tcn2^KOLF+1a=FB6>4XX+kV-}v4qX{YINe*zHQk)z{H<PW65LTcRwe|yz#l3xZ)HXBBC=q%(BgT|^N0TaRfU}#}j9Pf1^VF_G)><zz(Lz#+FwW`e4fD+v2-zNHpa?tct%i3h^#sbAb2|X-o!)&5Jj_XLXj<1aLL(O~#tl--Y)zn-nlSb}y?t~CR<q2(SW0!Kwz52DyAblFwq+*_F=<}5vgNYg?Wr@!+uyeL{ht4R@4DjN`o8Oo-?!#n0=&;6TME3Nxis^?JL4BaORJYd?}Tj^y<FNXU7Dy}4|{8cMz)IwsOk@jI)mx&H3tV*=Y>@Z4h|mqM{yeJX^=g%Jc)<okFn+Z<D;JiGX9TjiHDlKeYC~;`sxmB$B-OUAUaxsKta^cuP{o!$Ot$`<OIZPhS7$UeO`9>O^?0+nrTf$reBC{O)&FUW9_H2C)bb@$T6&p^SlfOQwZ_`d*V8TiP<#4JkHf9>f)*t>Y+>nl@+gy8a3+z@sj}0i?;jh#?5;5Tu!-T7kyN7e%idB?Y;YN+uyeLz58!|+t2syhv)w9z7P#g5m-Z-XB^jO>#DY#xo`~r$?JIZx}yCl!_J*?8nzB?n5-TA`X6f_Q1TC;&O%marPS=;Oc-MdQ^UEQ-dXXdGpKt`aAzSag;MHvjWc*#ZoJEFInlJs?hl<D<UBju1pBowId+ww!$0JdQ2qxs!-E191PW`Pb6uZ#s@id!u6|l+8^!-xUH%Wsq59xosC!P{
XCW&yQtEbab6hcn(`|n4*wb0~V`cirXJ<y;Z@4~mzmV|nd=u`}Q03ZI?m=Y|d~f_3IzDCm`rvPo4@$SZ<T++VF0xKN7e0(C)Hr-fV@<K9kEiP!FP$58{QukN_inF{?aMx)y_>!=zpX9%Ia>k#006|2
"""
# BAKE:END rules

# BAKE:BEGIN knots
# The numbers of stones of the knots; a constant a number of stones.
KNOT_PLIES = (30,)
SCALE_SHIFT = 1
CONSTANTS = (0,) * 226
# BAKE:END knots

# BAKE:BEGIN weights
DENSE_TEXT = False
WEIGHTS_BYTES = 0
WEIGHTS_STEPS = (1, 1, 1, 1, 1,)
WEIGHTS_TEXT = """
"""
# BAKE:END weights

PYPY = sys.implementation.name == "pypy"

SIZE = 15
POINTS = 225
BLACK = 0
WHITE = 1
PASS = 255
NO_MOVE = 255

CLASSES = 14
CODES = 2380
THREATS = 4096
TABLE_SIZES = (2 * CODES,) * 4 + (THREATS,)

LOGIT = 512
MOST = 12000
WIN = 30000
SURE = 20000
INFINITE = 32000
DEEPEST = 180
DEEPEST_FOURS = 60
LEAF_FOURS = 24
INNER_FOURS = 120
NULL_REDUCTION = 2
PLY_MARGIN = LOGIT // 2
WIDTHS = (5, 7, 9, 12, 16)

# Where the golden lines stop, the cells of their boards, and what the root's search for continuous fours may try there.
GOLDEN_DEPTH = 4
GOLDEN_CELLS = POINTS
GOLDEN_FOURS = 1000

# ---- Board: every point lies on four lines --------------------------------------------------------------------------

# The steps of a row, a column, a diagonal and an anti-diagonal. A line is the list of its points; its state is its
# black stones in bits 0 to 14, its white ones in bits 15 to 29, and its length from bit 30 on.
AXES = ((0, 1), (1, 0), (1, 1), (1, -1))
LINES = []
LENGTHS = []
# For every point, and for every direction: the line, the cell on it.
PLACES = [[] for _ in range(POINTS)]
# The points at most two steps from a point along a line, as a set.
NEAR = [0] * POINTS


def init_lines():
    for direction, (down, right) in enumerate(AXES):
        for point in range(POINTS):
            row, column = divmod(point, SIZE)
            if 0 <= row - down < SIZE and 0 <= column - right < SIZE:
                continue
            cells = []
            while 0 <= row < SIZE and 0 <= column < SIZE:
                PLACES[SIZE * row + column].append((direction, len(LINES), len(cells)))
                cells.append(SIZE * row + column)
                row += down
                column += right
            LINES.append(cells)
            LENGTHS.append(len(cells) << 30)
    for point in range(POINTS):
        for _, line, cell in PLACES[point]:
            for other in LINES[line][max(cell - 2, 0) : cell + 3]:
                NEAR[point] |= 1 << other
        NEAR[point] &= ~(1 << point)


# ---- Line classes: what one stone would make on one line ------------------------------------------------------------

# The classes that forbidden points need; the others are numbers between these.
OVER, TIGHT_THREE, THREE, FOUR, OPEN_FOUR, FIVE = 1, 9, 10, 11, 12, 13
# What is left of one side of a line, the cells before the cut, is one of so many numbers.
SIDES = 63

# The classes of windows by colour, of both sides' numbers: they follow from the rules alone, and are decoded because
# deriving them would take an interpreter long.
WINDOWS = []
# The classes of a line's cells by its state; 0 where a stone stands. The changes of a line by the stone that comes.
KNOWN_LINES = {}
KNOWN_CHANGES = ({}, {}, {}, {})


# The class of a cell by what its window holds: the cells before the cut, at most five to either side.
def class_at(own, blocked, length, cell, color):
    left = right = 0
    bit, at = 1, cell - 1
    while bit < 32 and at >= 0 and not blocked >> at & 1:
        left += bit + (bit if own >> at & 1 else 0)
        bit += bit
        at -= 1
    bit, at = 1, cell + 1
    while bit < 32 and at < length and not blocked >> at & 1:
        right += bit + (bit if own >> at & 1 else 0)
        bit += bit
        at += 1
    return WINDOWS[color][SIDES * left + right]


# The classes of every cell of a line: Black's, then White's.
def classes_of_line(state):
    found = KNOWN_LINES.get(state)
    if found is None:
        if len(KNOWN_LINES) > 50000:
            KNOWN_LINES.clear()
        length, stones = state >> 30, (state & 0x7FFF, state >> 15 & 0x7FFF)
        free = [cell for cell in range(length) if not (stones[0] | stones[1]) >> cell & 1]
        found = [0] * (2 * length)
        for color in (BLACK, WHITE):
            for cell in free:
                found[length * color + cell] = class_at(stones[color], stones[1 - color], length, cell, color)
        KNOWN_LINES[state] = found
    return found


# What a stone of `color` on a cell changes on its line: cell, 225 times the colour of the class, the bits of the other
# directions, the new class in its place.
def find_changes(direction, key):
    state, cell, color = key >> 5, key >> 1 & 15, key & 1
    before, after = classes_of_line(state), classes_of_line(state | 1 << cell + 15 * color)
    length, shift = state >> 30, 4 * direction
    changes = []
    for side in (BLACK, WHITE):
        for at in range(length):
            number = length * side + at
            if at != cell and before[number] != after[number]:
                changes.append((at, POINTS * side, ~(15 << shift), after[number] << shift))
    known = KNOWN_CHANGES[direction]
    if len(known) > 50000:
        known.clear()
    known[key] = tuple(changes)
    return known[key]


# ---- Point codes: the classes of four lines, their order left aside -------------------------------------------------

# The number of four packed classes, White's behind Black's: CODE[color << 16 | classes].
CODE = []
# By such a number: the set of points that a point of it is in (0 for none), whether article 9.3 has to decide.
GROUP = []
DOUBLE_THREE = []
# Sets of points by colour: what search and evaluation ask for.
FORBIDDEN_SET, THREE_SET, DOUBLE_THREE_SET, BARE_FOUR_SET, FOUR_SET, FOUR_THREE_SET, OPEN_FOUR_SET, FIVE_SET = range(1, 9)
WHITE_SETS = 8


# Decodes what the rules say of windows and codes, and spreads the codes over the packed classes: two classes are one of
# 105 pairs, two pairs a code.
def init_codes():
    import zlib

    rules = zlib.decompress(text_to_bytes(RULES_TEXT)[:RULES_BYTES])
    windows = SIDES * SIDES
    WINDOWS.extend([list(rules[:windows]), list(rules[windows : 2 * windows])])
    GROUP.extend(rules[2 * windows : 2 * windows + 2 * CODES])
    DOUBLE_THREE.extend([x != 0 for x in rules[2 * windows + 2 * CODES :]] + [False] * CODES)
    numbers = [0] * 256
    pairs = 0
    for high in range(CLASSES):
        for low in range(high + 1):
            numbers[high << 4 | low] = numbers[low << 4 | high] = pairs
            pairs += 1
    of_pairs = [0] * (pairs * pairs)
    code = 0
    for a in range(CLASSES):
        for b in range(a, CLASSES):
            ab = numbers[a << 4 | b]
            for c in range(b, CLASSES):
                ac, bc = numbers[a << 4 | c], numbers[b << 4 | c]
                for d in range(c, CLASSES):
                    cd, bd, ad = numbers[c << 4 | d], numbers[b << 4 | d], numbers[a << 4 | d]
                    of_pairs[pairs * ab + cd] = of_pairs[pairs * cd + ab] = code
                    of_pairs[pairs * ac + bd] = of_pairs[pairs * bd + ac] = code
                    of_pairs[pairs * ad + bc] = of_pairs[pairs * bc + ad] = code
                    code += 1
    for high in range(256):
        row = of_pairs[pairs * numbers[high] : pairs * numbers[high] + pairs]
        CODE.extend([row[number] for number in numbers])
    CODE.extend([code + CODES for code in CODE])


# ---- Weights --------------------------------------------------------------------------------------------------------

KNOTS = []
# What a point counts for in the search in hand, by code: for Black to move, and 2^28 times that for White to move.
VALUE = [0] * (2 * CODES)
VALUE_KNOTS = None
# Likewise, by which threats there are.
THREAT = [0] * THREATS
# The worth of a move in ordering, by its mover: the codes of both colours.
WORTH = ([], [])
constant = 0


def init_weights():
    if WEIGHTS_BYTES == 0:
        KNOTS.append([0] * (8 * CODES + THREATS))
    while len(KNOTS) < len(KNOT_PLIES):
        KNOTS.append(next_knot(len(KNOTS)))
    for color in (BLACK, WHITE):
        start = (4 + 2 * color) * CODES
        own, other = KNOTS[0][start : start + CODES], KNOTS[0][start + CODES : start + 2 * CODES]
        WORTH[color].extend(own + other if color == BLACK else other + own)


# Mixes the knots for a number of stones.
def mix_weights(stones):
    global VALUE_KNOTS, constant
    constant = CONSTANTS[stones]
    below, above, share = mixture(stones)
    if VALUE_KNOTS == (below, above, share):
        return
    VALUE_KNOTS = below, above, share
    low, high = KNOTS[below], KNOTS[above]
    mixed = [x * (256 - share) + y * share + 128 >> 8 for x, y in zip(low, high)]
    THREAT[:] = mixed[8 * CODES :]
    for color in (BLACK, WHITE):
        own, other = mixed[2 * color * CODES :][:CODES], mixed[(2 * color + 1) * CODES :][:CODES]
        if color == WHITE:
            own, other = other, own
        VALUE[color * CODES : (color + 1) * CODES] = [x + (y << 28) for x, y in zip(own, other)]


# ---- The position, updated move by move -----------------------------------------------------------------------------

# Words of 62 bits, so that they are machine words for PyPy.
WORDS = []
SIDE_WORD = 0
# Four packed classes by point, White's behind Black's and with bit 16 set; 0 where a stone stands.
classes = []
# The states of the lines.
states = []
# Sets of points, as long integers: Black's and White's by group; the number 0 is not used.
sets = []
# The points near stones, stones among them, and the stones.
near = 0
occupied = 0
# The sum of the values of all points.
total = 0
key = 0
stone_count = 0
# What moves overwrote.
trail = []


def init_words():
    global SIDE_WORD

    def word(index):
        z = (index + 1) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        z = (z ^ z >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return (z ^ z >> 31) >> 2

    WORDS.extend([word(index) for index in range(2 * POINTS)])
    SIDE_WORD = word(1000)


def place(point, color):
    global nodes, sets, near, occupied, total, key, stone_count
    nodes += 1
    undo = []
    trail.append((sets, near, occupied, total, undo))
    sets = sets[:]
    bit = 1 << point
    value = total
    for index in (point, point + POINTS):
        old = classes[index]
        code = CODE[old]
        base = 65536 if index >= POINTS else 0
        value += VALUE[CODE[base]] - VALUE[code]
        group = GROUP[code]
        if group:
            sets[group] ^= bit
        undo.append((index, old))
        classes[index] = base
    for direction, line, cell in PLACES[point]:
        state = states[line]
        change = state << 5 | cell << 1 | color
        changes = KNOWN_CHANGES[direction].get(change)
        if changes is None:
            changes = find_changes(direction, change)
        states[line] = state | 1 << cell + 15 * color
        if changes:
            points = LINES[line]
            for at, offset, keep, bits in changes:
                changed = points[at]
                index = changed + offset
                old = classes[index]
                new = old & keep | bits
                classes[index] = new
                undo.append((index, old))
                old = CODE[old]
                new = CODE[new]
                value += VALUE[new] - VALUE[old]
                before = GROUP[old]
                after = GROUP[new]
                if before != after:
                    if before:
                        sets[before] ^= 1 << changed
                    if after:
                        sets[after] ^= 1 << changed
    total = value
    near |= NEAR[point]
    occupied |= bit
    key ^= WORDS[point + POINTS * color]
    stone_count += 1


def take_back(point, color):
    global sets, near, occupied, total, key, stone_count
    sets, near, occupied, total, undo = trail.pop()
    for index, old in reversed(undo):
        classes[index] = old
    stone = 1 << 15 * color
    for _, line, cell in PLACES[point]:
        states[line] ^= stone << cell
    key ^= WORDS[point + POINTS * color]
    stone_count -= 1


# The state of a board of 225 cells: 0 empty, 1 black, 2 white. The empty board first, then stone by stone.
def set_up(cells):
    global classes, states, sets, near, occupied, total, key, stone_count
    mix_weights(POINTS - cells.count(0))
    states = LENGTHS[:]
    classes = [0] * POINTS + [65536] * POINTS
    for line, points in enumerate(LINES):
        found, direction = classes_of_line(states[line]), PLACES[points[0]]
        shift = 4 * next(number for number, at, _ in direction if at == line)
        for at, point in enumerate(points):
            classes[point] |= found[at] << shift
            classes[point + POINTS] |= found[len(points) + at] << shift
    sets = [0] * (1 + 2 * WHITE_SETS)
    total = sum([VALUE[CODE[x]] for x in classes])
    near = occupied = key = stone_count = 0
    del trail[:]
    for point, cell in enumerate(cells):
        if cell:
            place(point, cell - 1)
    del trail[:]


def points_of(points):
    found = []
    while points:
        low = points & -points
        found.append(low.bit_length() - 1)
        points ^= low
    return found


# Which threats there are with `me` to move: whose move it is, whether the other side has an open four to make, and for
# each kind from a three to a four with a three whether there are such points of `me`, and of the other side.
def threats(me):
    mine, theirs = WHITE_SETS * me, WHITE_SETS - WHITE_SETS * me
    found = 2 * me + (sets[theirs + OPEN_FOUR_SET] != 0)
    for group in range(THREE_SET, OPEN_FOUR_SET):
        found = 4 * found + 2 * (sets[mine + group] != 0) + (sets[theirs + group] != 0)
    return found


# The value for the side to move, in search units.
def evaluate(me):
    black = (total + 0x8000000 & 0xFFFFFFF) - 0x8000000
    value = (black if me == BLACK else total - black >> 28) + THREAT[threats(me)] + constant
    value = value + (1 << SCALE_SHIFT >> 1) >> SCALE_SHIFT
    return -MOST if value < -MOST else MOST if value > MOST else value


# Black's sets begin at 0, White's behind them.
def set_of(color, group):
    return sets[group + WHITE_SETS * color]


# The points of one four and no three, of the side whose sets begin at `start`.
def fours_alone(start):
    return sets[start + FOUR_SET] | sets[start + BARE_FOUR_SET]


# The points worth playing for `me` where `me` has no five to make; points forbidden to Black are among them.
def choices(me):
    other = WHITE_SETS - WHITE_SETS * me
    if sets[other + FIVE_SET]:
        return sets[other + FIVE_SET]
    if sets[other + OPEN_FOUR_SET]:
        found = sets[other + FORBIDDEN_SET]
        for start in (0, WHITE_SETS):
            found |= fours_alone(start) | sets[start + FOUR_THREE_SET] | sets[start + OPEN_FOUR_SET]
        return found
    return near & ~occupied


# ---- Forbidden points -----------------------------------------------------------------------------------------------


# Whether a black stone on the empty `point` is forbidden, by the states of its lines alone.
def is_forbidden_exactly(point):
    fours = threes = over = 0
    for _, line, cell in PLACES[point]:
        made = classes_of_line(states[line])[cell]
        if made == FIVE:
            return False
        over += made == OVER
        fours += made == FOUR or made == OPEN_FOUR
        threes += made == THREE or made == TIGHT_THREE
    return over > 0 or fours >= 2 or (threes >= 2 and double_three(point))


# Whether a black stone on `cell` makes four in a row with cell `at` that can become exactly five at both ends.
def makes_straight_four(state, cell, at):
    length, own, blocked = state >> 30, state & 0x7FFF, state >> 15 & 0x7FFF
    if not 0 <= cell < length or (own | blocked) >> cell & 1:
        return False
    low = high = cell
    while low > 0 and own >> low - 1 & 1:
        low -= 1
    while high < length - 1 and own >> high + 1 & 1:
        high += 1
    if high - low != 3 or not low <= at <= high or low == 0 or high == length - 1:
        return False
    if (blocked >> low - 1 | blocked >> high + 1) & 1:
        return False
    return not (low > 1 and own >> low - 2 & 1) and not own >> high + 2 & 1


# Whether at least two of the threes that a black stone makes on `point` count by article 9.3.
def double_three(point):
    made = [classes_of_line(states[line])[cell] for _, line, cell in PLACES[point]]
    for _, line, cell in PLACES[point]:
        states[line] ^= 1 << cell
    counting = 0
    for found, (_, line, at) in zip(made, PLACES[point]):
        if counting < 2 and (found == THREE or found == TIGHT_THREE):
            for cell in range(at - 3, at + 4):
                if makes_straight_four(states[line], cell, at) and not is_forbidden_exactly(LINES[line][cell]):
                    counting += 1
                    break
    for _, line, cell in PLACES[point]:
        states[line] ^= 1 << cell
    return counting >= 2


# Whether `me` may not play on the empty `point`.
def is_forbidden(me, point):
    if me == WHITE:
        return False
    code = CODE[classes[point]]
    group = GROUP[code]
    if group == FIVE_SET:
        return False
    return group == FORBIDDEN_SET or (DOUBLE_THREE[code] and double_three(point))


# A point where `me` makes an open four, or two fours at once, and may; -1 if there is none.
def open_four(me):
    points = sets[OPEN_FOUR_SET + WHITE_SETS * me]
    while points:
        low = points & -points
        point = low.bit_length() - 1
        if not is_forbidden(me, point):
            return point
        points ^= low
    return -1


# ---- Search ---------------------------------------------------------------------------------------------------------

# Bounds by position: depth, lower, upper, best move. Results of continuous fours: distance, budget, best move.
TABLE = {}
FOURS = {}

# The fours that the search in hand may still try.
left = 0


# Plies to a win of `me`, who is to move, by fours alone, and its first point; 0 if none was found.
def fours(me, deepest):
    global left
    mine, theirs = WHITE_SETS * me, WHITE_SETS - WHITE_SETS * me
    fives = sets[mine + FIVE_SET]
    if fives:
        return 1, (fives & -fives).bit_length() - 1
    stops = sets[theirs + FIVE_SET]
    stop = stops & -stops
    if stops != stop:
        return 0, 0
    if not stop and sets[mine + OPEN_FOUR_SET]:
        point = open_four(me)
        if point >= 0:
            return 3, point
    if deepest == 0:
        return 0, 0
    for points in (sets[mine + OPEN_FOUR_SET], sets[mine + FOUR_THREE_SET], fours_alone(mine)):
        while points:
            low = points & -points
            points ^= low
            point = low.bit_length() - 1
            if (stop and low != stop) or is_forbidden(me, point):
                continue
            if left == 0:
                return 0, 0
            left -= 1
            place(point, me)
            distance = fours_after(me, deepest)
            take_back(point, me)
            if distance > 0:
                return distance + 1, point
    return 0, 0


# Plies to the win behind a four of `me`, the defender to move; 0 where it does not win.
def fours_after(me, deepest):
    if nodes >= next_check:
        check()
    other = 1 - me
    cells = set_of(me, FIVE_SET)
    if set_of(other, FIVE_SET) or not cells:
        return 0
    low = cells & -cells
    cell = low.bit_length() - 1
    if cells != low or is_forbidden(other, cell):
        return 2
    place(cell, other)
    distance, _ = fours(me, deepest - 1)
    take_back(cell, other)
    return distance + 1 if distance > 0 else 0


# The same with the table; at most `budget` fours are tried.
def continuous_fours(me, budget):
    global left
    start = WHITE_SETS * me
    if not (fours_alone(start) or sets[start + FOUR_THREE_SET] or sets[start + OPEN_FOUR_SET]):
        return 0, 0
    here = key ^ SIDE_WORD if me else key
    known = FOURS.get(here)
    if known is not None:
        if known[0] > 0:
            return known[0], known[2]
        if known[1] >= budget:
            return 0, 0
    left = budget
    distance, best = fours(me, DEEPEST_FOURS)
    if len(FOURS) >= TABLE_LIMIT:
        FOURS.clear()
    FOURS[here] = distance, budget, best
    return distance, best


# A win of `me` by fives and fours alone.
def forced_win(me, budget):
    fives = set_of(me, FIVE_SET)
    if fives:
        return 1, points_of(fives)[0]
    if not set_of(1 - me, FIVE_SET):
        point = open_four(me)
        if point >= 0:
            return 3, point
    return continuous_fours(me, budget)


# Points by what they are worth, best first, equal ones by number; `first` before all.
def ordered(me, points, first):
    worth = WORTH[me]
    keyed = []
    while points:
        low = points & -points
        points ^= low
        point = low.bit_length() - 1
        cost = -worth[CODE[classes[point]]] - worth[CODE[classes[point + POINTS]]]
        keyed.append((cost if point != first else -(1 << 31)) * 256 + point)
    keyed.sort()
    return [number & 255 for number in keyed]


def allowed(me, points):
    return sum([1 << point for point in points_of(points) if not is_forbidden(me, point)])


def distance_from_centre(point):
    return max(abs(point // SIZE - SIZE // 2), abs(point % SIZE - SIZE // 2))


# The legal moves worth searching at the root, best first.
def root_moves(me):
    if stone_count < 3:
        free = [point for point in points_of(~occupied & (1 << POINTS) - 1) if distance_from_centre(point) <= stone_count]
        return ordered(me, allowed(me, sum([1 << point for point in free])), NO_MOVE)
    moves = ordered(me, allowed(me, choices(me)), NO_MOVE)
    return moves or ordered(me, allowed(me, near & ~occupied), NO_MOVE)


# How much less deep the move number `at` (from 0) is searched.
def reduction(depth, at, threatened):
    if threatened or depth < 2 or at < 3:
        return 0
    return min(1 + (at >= 8) + (at >= 20) + (depth >= 7), depth - 1)


# The value of playing `point` as number `at` of its node.
def child(point, me, depth, ply, low, beta, at, threatened):
    place(point, me)
    other = 1 - me
    if at == 0:
        score = -pvs(other, depth - 1, ply + 1, -beta, -low, True)
    else:
        less = reduction(depth, at, threatened)
        score = -pvs(other, depth - 1 - less, ply + 1, -low - 1, -low, True)
        if score > low and less > 0:
            score = -pvs(other, depth - 1, ply + 1, -low - 1, -low, True)
        if low < score < beta:
            score = -pvs(other, depth - 1, ply + 1, -beta, -low, True)
    take_back(point, me)
    return score


# Wins are kept by their distance from the position, not from the root.
def to_table(value, ply):
    return value + ply if value >= SURE else value - ply if value <= -SURE else value


def from_table(value, ply):
    if SURE <= value < INFINITE:
        return value - ply
    return value + ply if -INFINITE < value <= -SURE else value


# Stores what a search with the window (alpha, beta) found; bounds of an equal search are narrowed.
def store(here, depth, ply, alpha, beta, score, best):
    lower = to_table(score, ply) if score > alpha else -INFINITE
    upper = to_table(score, ply) if score < beta else INFINITE
    old = TABLE.get(here)
    if old is not None:
        if old[0] == depth:
            low, high = max(old[1], lower), min(old[2], upper)
            if low <= high:
                lower, upper = low, high
        if score <= alpha:
            best = old[3]
    elif len(TABLE) >= TABLE_LIMIT:
        TABLE.clear()
    TABLE[here] = depth, lower, upper, best


# The value of a node `ply` plies below the root to `depth` plies within (alpha, beta), fail-soft.
def pvs(me, depth, ply, alpha, beta, may_pass):
    global nodes
    other = 1 - me
    if set_of(me, FIVE_SET):
        return WIN - ply - 1
    if stone_count == POINTS:
        return 0
    if nodes >= next_check:
        check()
    stops = set_of(other, FIVE_SET)
    if stops:
        low = stops & -stops
        stop = low.bit_length() - 1
        if low != stops or is_forbidden(me, stop):
            return ply + 2 - WIN
        if ply >= DEEPEST:
            return evaluate(me)
        place(stop, me)
        score = -pvs(other, depth, ply + 1, -beta, -alpha, True)
        take_back(stop, me)
        return score
    if open_four(me) >= 0:
        return WIN - ply - 3
    if depth <= 0 or ply >= DEEPEST:
        distance, _ = continuous_fours(me, LEAF_FOURS)
        return WIN - ply - distance if distance else evaluate(me)
    here = key ^ SIDE_WORD if me else key
    hash_move = NO_MOVE
    entry = TABLE.get(here)
    if entry is not None:
        lower, upper = from_table(entry[1], ply), from_table(entry[2], ply)
        if entry[0] >= depth or lower >= SURE:
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
        hash_move = entry[3]
    distance, point = continuous_fours(me, INNER_FOURS)
    if distance:
        store(here, 100, ply, -INFINITE, INFINITE, WIN - ply - distance, point)
        return WIN - ply - distance
    threatened = set_of(other, OPEN_FOUR_SET) != 0
    if beta - alpha == 1 and not threatened and -SURE < beta < SURE:
        value = evaluate(me)
        if depth <= 3 and value - PLY_MARGIN * depth >= beta:
            return value
        if may_pass and depth >= 3 and value >= beta:
            nodes += 1
            less = 1 + NULL_REDUCTION + depth // 4
            score = -pvs(other, depth - less, ply + 1, -beta, 1 - beta, False)
            if score >= beta:
                return beta if score >= SURE else score
    width = POINTS if threatened else WIDTHS[min(depth, 5) - 1]
    best = -INFINITE
    best_move = NO_MOVE
    searched = 0
    for point in ordered(me, choices(me), hash_move):
        if searched >= width:
            break
        if is_forbidden(me, point):
            continue
        score = child(point, me, depth, ply, alpha if alpha > best else best, beta, searched, threatened)
        searched += 1
        if score > best:
            best = score
            best_move = point
            if best >= beta:
                break
    if searched == 0:
        # Nothing that is searched may be played. Against a threat that loses; else there is nothing but a pass.
        best = ply + 4 - WIN if threatened else 0
    store(here, depth, ply, alpha, beta, best, best_move)
    return best


# Searches the root's moves within a window and puts the best one first.
def search_root(moves, me, depth, alpha, beta):
    best = -INFINITE
    best_at = 0
    for at, point in enumerate(moves):
        score = child(point, me, depth, 0, max(alpha, best), beta, at, False)
        if score > best:
            best, best_at = score, at
            if best >= beta:
                break
    if best > alpha:
        moves.insert(0, moves.pop(best_at))
    return best


# Searches to `most` plies; no depth begins after `soft_ms`, and at `hard_ms` everything stops. At the root `budget`
# fours are tried for a win by fours alone. `passed`: the other side has just passed.
def search(cells, me, passed, most, budget, soft_ms, hard_ms):
    global nodes, next_check, stop_ms, last_check
    result = Result()
    next_check = FOREVER
    stop_ms = hard_ms
    set_up(cells)
    nodes = 1
    timed = hard_ms < FOREVER
    if timed:
        last_check = now_ms()
        next_check = nodes + check_every
    try:
        if stone_count >= 3:
            distance, best = forced_win(me, budget)
            if distance:
                result.best, result.score, result.exact, result.nodes = best, WIN - distance, True, nodes
                return result
    except Stopped:
        set_up(cells)
    next_check = FOREVER
    moves = root_moves(me)
    if not moves:
        free = [point for point in points_of(~occupied & (1 << POINTS) - 1) if not is_forbidden(me, point)]
        if free:
            result.best = free[0]
        result.nodes = 1
        return result
    result.best = moves[0]
    try:
        for depth in range(1, most + 1):
            if timed:
                if depth > 1 and now_ms() >= soft_ms:
                    break
                next_check = nodes + check_every
            result.score = deepen(
                lambda alpha, beta: search_root(moves, me, depth, alpha, beta), depth, result.score, LOGIT // 4, 4
            )
            result.best = moves[0]
            result.depth = depth
            # Nothing to find out, or nothing to choose and time to save.
            if abs(result.score) >= SURE or (timed and len(moves) == 1):
                break
    except Stopped:
        pass
    if passed and POINTS - cells.count(0) >= 3 and result.score < 0:
        result.best, result.score = PASS, 0
    result.nodes = nodes
    return result


ready_to_think = False


def init_engine():
    global ready_to_think
    if not ready_to_think:
        ready_to_think = True
        init_lines()
        init_codes()
        init_words()
        init_weights()


# ---- The rules once more, slowly: cell by cell from the definitions, the last word on what is printed ---------------


# The point `steps` further along an axis, or -1.
def beyond(point, axis, steps):
    row, column = point // SIZE + steps * AXES[axis][0], point % SIZE + steps * AXES[axis][1]
    return SIZE * row + column if 0 <= row < SIZE and 0 <= column < SIZE else -1


# The cell there: 0 empty, 1 black, 2 white, -1 off the board.
def cell_at(cells, point, axis, steps):
    at = beyond(point, axis, steps)
    return cells[at] if at >= 0 else -1


# The length of the unbroken row of black stones through `point`.
def row_length(cells, point, axis):
    length = 1
    for sign in (-1, 1):
        steps = sign
        while cell_at(cells, point, axis, steps) == 1:
            length += 1
            steps += sign
    return length


def makes_five(cells, point):
    return any(row_length(cells, point, axis) == 5 for axis in range(4))


# The different fours of a line with the black stone on `point`: their stones, and how many cells make each a five.
def slow_fours(cells, point, axis):
    found = {}
    for start in range(-4, 1):
        if cell_at(cells, point, axis, start - 1) == 1 or cell_at(cells, point, axis, start + 5) == 1:
            continue
        points = [beyond(point, axis, steps) for steps in range(start, start + 5)]
        if min(points) < 0:
            continue
        stones = tuple([at for at in points if cells[at] == 1])
        if len(stones) == 4 and sum([cells[at] == 0 for at in points]) == 1:
            found[stones] = found.get(stones, 0) + 1
    return found


# Whether the line with the black stone on `point` has a three that counts by article 9.3.
def slow_three(cells, point, axis):
    for steps in range(-3, 4):
        added = beyond(point, axis, steps)
        if added < 0 or cells[added] != 0:
            continue
        cells[added] = 1
        found = slow_fours(cells, point, axis)
        straight = row_length(cells, point, axis) == 4 and any(
            fives == 2 and added in stones for stones, fives in found.items()
        )
        five = makes_five(cells, added)
        cells[added] = 0
        if straight and not five and not slow_forbidden(cells, added):
            return True
    return False


# Whether a black stone on the empty `point` is forbidden.
def slow_forbidden(cells, point):
    cells[point] = 1
    found = False
    if not makes_five(cells, point):
        found = any(row_length(cells, point, axis) > 5 for axis in range(4))
        found = found or sum([len(slow_fours(cells, point, axis)) for axis in range(4)]) >= 2
        found = found or sum([slow_three(cells, point, axis) for axis in range(4)]) >= 2
    cells[point] = 0
    return found


# Whether `color` (1 black, 2 white) may play on `point`.
def slow_legal(cells, point, color):
    if not 0 <= point < POINTS or cells[point] != 0:
        return False
    stones = POINTS - cells.count(0)
    if stones < 3 and distance_from_centre(point) > stones:
        return False
    return color == 2 or not slow_forbidden(list(cells), point)


# ---- Golden lines ---------------------------------------------------------------------------------------------------


def golden_line(cells, color, depth):
    TABLE.clear()
    FOURS.clear()
    result = search(cells, color - 1, False, depth, GOLDEN_FOURS, FOREVER, FOREVER)
    set_up(cells)
    legal = sum([slow_legal(cells, point, color) for point in range(POINTS)])
    best = "pass"
    if result.best != PASS:
        best = "%s%d" % ("abcdefghijklmno"[result.best % SIZE], SIZE - result.best // SIZE)
    text = "".join([".BW"[cell] for cell in cells]) + ".BW"[color]
    numbers = "%d %d %d" % (result.depth, legal, evaluate(color - 1))
    return "%s %s %s %d %d" % (text, numbers, best, result.score, result.nodes)


# ---- Bot ------------------------------------------------------------------------------------------------------------

# What a game may take where no judge tells the time.
OWN_CLOCK_MS = 4600.0
# Processor time that an answer takes besides the search.
ANSWER_MS = 20.0 if PYPY else 8.0
# Nodes that a millisecond may be good for: below this many milliseconds of a share, how many fours the root may try.
FOURS_PER_MS = 30 if PYPY else 4


class Game:
    def __init__(self):
        self.cells = [0] * POINTS
        # 1 black, 2 white, 0 unknown; moves made, passes included; a TURN was answered.
        self.color = 0
        self.plies = 0
        self.played = False
        # The opponent has just passed; it spells a pass as a word.
        self.passed = False
        self.pass_word = False
        # The time the judge told last, what the last answer took of it on purpose, what an answer costs besides.
        self.told_ms = -1.0
        self.spent_ms = 0.0
        self.wait_ms = 0.0


game = Game()


# On a busy machine an answer costs more than it thinks: the judge's clock tells how much. The worst of late counts.
def learn_wait(told_ms):
    if told_ms >= 0 and game.told_ms > told_ms:
        game.wait_ms = max(game.told_ms - told_ms - game.spent_ms, 0.8 * game.wait_ms)
    game.told_ms = told_ms


# The third stone of the openings known to favour Black most: beside a direct second stone Kagetsu, beside a diagonal
# one Hogetsu.
def known_third():
    for point in range(POINTS):
        row, column = point // SIZE - 7, point % SIZE - 7
        if game.cells[point] == 2 and game.cells[POINTS // 2] == 1 and distance_from_centre(point) == 1:
            if row == 0 or column == 0:
                return SIZE * (7 + (row or 1)) + 7 + (column or 1)
            return SIZE * (7 - row) + 7 + column
    return -1


# The move to play with `left_ms` left for the rest of the game.
def think(left_ms):
    stones = POINTS - game.cells.count(0)
    if stones == 0:
        return POINTS // 2
    if stones == 2 and game.color == 1 and known_third() >= 0:
        return known_third()
    keep = max(0.05 * left_ms, 250.0)
    # What is lost to waiting is lost whether we think or not: twenty answers of it stay in hand.
    keep += min(20 * max(game.wait_ms, ANSWER_MS * stretch), 0.7 * left_ms)
    spend = max(left_ms - keep, 0.0)
    if spend < ANSWER_MS * stretch:
        # Nothing but what the classes of the lines say.
        return search(game.cells, game.color - 1, game.passed, 0, 0, FOREVER, FOREVER).best
    # Games last some thirty moves a side; what is decided is decided early.
    share = spend / (26 - stones / 4.0 if stones < 40 else 16)
    most = min(2.5 * share, 0.2 * spend)
    now = now_ms()
    game.spent_ms = most
    budget = max(20, min(20000, int(0.4 * most * FOURS_PER_MS)))
    return search(game.cells, game.color - 1, game.passed, 60, budget, now + 0.55 * share, now + most).best


# A legal move near the centre, or a pass.
def any_move():
    order = sorted(range(POINTS), key=distance_from_centre)
    return next((point for point in order if slow_legal(game.cells, point, game.color)), PASS)


def answer_turn(told_ms):
    learn_wait(told_ms)
    if game.color == 0:
        game.color = 1 if game.plies % 2 == 0 else 2
    init_engine()
    game.spent_ms = 0.0
    left_ms = told_ms - (clock_ms() - answer_start) if told_ms >= 0 else OWN_CLOCK_MS - now_ms()
    may_pass = POINTS - game.cells.count(0) >= 3
    try:
        best = think(left_ms)
    except Exception:
        best = NO_MOVE if not may_pass else any_move()
    if not (best == PASS and may_pass) and not slow_legal(game.cells, best, game.color):
        best = any_move()
    if best == PASS:
        reply(PASS_WORD or ("PASS" if game.pass_word else MOVE_WORD + "-1 -1"))
    else:
        reply_move(best // SIZE, best % SIZE)
        game.cells[best] = game.color
    game.plies += 1
    game.played = True
    game.passed = False
    game.spent_ms = min(clock_ms() - answer_start, game.spent_ms)
    end_answer()


# The opponent's move: two numbers, or a pass as a word or as numbers off the board.
def opponent(words):
    if game.color == 0:
        game.color = 2 if game.plies % 2 == 0 else 1
    numbers = [int(text) for text in words if is_integer(text)][:2]
    word = any(text.upper() == "PASS" for text in words)
    row, column = [number - INDEX_BASE for number in (numbers + [-1, -1])[:2]]
    if COLUMN_FIRST:
        row, column = column, row
    game.plies += 1
    game.passed = word or len(numbers) < 2 or not (0 <= row < SIZE and 0 <= column < SIZE)
    if game.passed:
        game.pass_word = word
    elif game.cells[SIZE * row + column] == 0:
        game.cells[SIZE * row + column] = 3 - game.color


# A position to go on from: 225 cells in one word or several, and the moves made.
def init_position(words):
    cells, plies = [], -1
    for text in words:
        if len(cells) < POINTS and (len(text) > 4 or not is_integer(text)):
            cells += [CELLS[letter] for letter in text if letter in CELLS]
        elif is_integer(text):
            plies = int(text)
    game.cells = (cells + [0] * POINTS)[:POINTS]
    game.plies = plies if plies >= 0 else POINTS - game.cells.count(0)
    game.passed = False


def ready(words):
    global game
    begin_answer()
    reply(READY_WORD)
    begin_game(game.played)
    if game.played:
        TABLE.clear()
        FOURS.clear()
    game = Game()
    game.color = color_named(words)
    init_engine()
    if WEIGHTS_BYTES and not trail:
        # What every position needs is made once.
        set_up(game.cells)
    end_answer()


# A request that is not READY or FINISH.
def take_request(verb, words):
    if verb == TURN_WORD:
        begin_answer()
        answer_turn(float(words[1]) if len(words) > 1 and is_integer(words[1]) else -1.0)
    elif verb == "OPP":
        opponent(words[1:])
    elif verb == "INIT":
        init_position(words[1:])


