# ---- What the bots of all games share: weights, clock, the judge's lines ---------------------------------------------

# Five characters of 85 hold four bytes, the first character the highest digit: read one by one where loops are compiled,
# else as one long number a digit place.
# Or each of 32,768 characters from U+3400 on holds 15 bits, eight of them 15 bytes.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"


def text_to_bytes(text, dense=False):
    total = 0
    if dense:
        units = text.replace("\n", "").encode("utf-16-le")
        low, high = units[0::2], units[1::2].translate(bytes([x - 0x34 & 255 for x in range(256)]))
        for place in range(8):
            lanes = bytearray(len(low) // 8 * 15)
            lanes[0::15] = low[place::8]
            lanes[1::15] = high[place::8]
            total |= int.from_bytes(lanes, "little") << 15 * place
        return total.to_bytes(len(low) // 8 * 15, "little")
    digits = text.replace("\n", "").encode("latin-1")
    digits = digits.translate(bytes([max(ALPHABET.find(chr(x)), 0) for x in range(256)]))
    if PYPY:
        found = bytearray(len(digits) // 5 * 4)
        to = 0
        for at in range(0, len(digits), 5):
            total = 85 * (85 * (85 * digits[at] + digits[at + 1]) + digits[at + 2]) + digits[at + 3]
            total = 85 * total + digits[at + 4]
            found[to] = total & 255
            found[to + 1] = total >> 8 & 255
            found[to + 2] = total >> 16 & 255
            found[to + 3] = total >> 24
            to += 4
        return bytes(found)
    for place in range(5):
        lanes = bytearray(len(digits) // 5 * 4)
        lanes[0::4] = digits[place::5]
        total = 85 * total + int.from_bytes(lanes, "little")
    return total.to_bytes(len(digits) // 5 * 4, "little")


# The knots' weights in steps, spread over the raw indices, with the mobilities behind them: made in order, as far as
# they are needed. A knot is coded as differences from the one before, folded to 0, -1, 1, -2 and so on, split in low and
# high bytes, all knots of a weight together.
ROWS = []
PLANES = None
BEFORE = None
UNFOLD = None
STEPS = None


# The weights of the knot `number`; knots are asked for in order.
def next_knot(number):
    global PLANES, BEFORE, UNFOLD, STEPS
    import array

    width, knots = sum(TABLE_SIZES), len(KNOT_PLIES)
    if number == 0:
        BEFORE = [0] * width
    if PLANES is None:
        import zlib

        PLANES = zlib.decompress(text_to_bytes(WEIGHTS_TEXT, DENSE_TEXT)[:WEIGHTS_BYTES])
        STEPS = [step for size, step in zip(TABLE_SIZES, WEIGHTS_STEPS) for _ in range(size)]
        UNFOLD = [-(x + 1 >> 1) if x & 1 else x >> 1 for x in range(65536)]
    pairs = bytearray(2 * width)
    pairs[0::2] = PLANES[number : knots * width : knots]
    pairs[1::2] = PLANES[knots * width + number :: knots]
    folded = array.array("H")
    folded.frombytes(bytes(pairs))
    if sys.byteorder == "big":
        folded.byteswap()
    unfold = UNFOLD
    BEFORE = now = [old + unfold[x] for old, x in zip(BEFORE, folded)]
    return [value * step for value, step in zip(now, STEPS)]


# The two knots around a ply and the share of the second in 256ths.
def mixture(ply):
    if ply <= KNOT_PLIES[0]:
        return 0, 0, 0
    last = len(KNOT_PLIES) - 1
    if ply >= KNOT_PLIES[last]:
        return last, last, 0
    above = 1
    while KNOT_PLIES[above] <= ply:
        above += 1
    a, b = KNOT_PLIES[above - 1], KNOT_PLIES[above]
    return above - 1, above, ((ply - a) * 256 + (b - a) // 2) // (b - a)


# ---- Clock -------------------------------------------------------------------------------------------------------------

# Milliseconds of answer time of this game before the answer in hand; when it was asked for, on both clocks; processor
# time of earlier games of this process.
wall_before = 0.0
answer_start = 0.0
answer_cpu = 0.0
cpu_before = 0.0
# What of the answer in hand was spent on purpose. What answers of late cost besides, on average: reading, checking,
# waiting for the processor. How much longer everything takes than the processor works on it.
spent_ms = 0.0
toll_ms = 0.0
stretch = 1.0
# What the system says of waiting, and its reading at the end of the last answer.
schedstat = -1
waited_before = 0.0
# What was waited before the request in hand was read.
woken_ms = 0.0


def clock_ms():
    return 1e3 * time.perf_counter()


def cpu_ms():
    return 1e3 * time.process_time()


# What this game has used: answer time or processor time, whichever is more.
def now_ms():
    return max(wall_before + clock_ms() - answer_start, cpu_ms() - cpu_before)


# The milliseconds since this process was started, at most 2,500: from the system where it tells, else a guess.
def since_start_ms():
    try:
        with open("/proc/self/stat") as stat, open("/proc/uptime") as uptime:
            ticks = float(stat.read().rsplit(")", 1)[1].split()[19])
            passed = float(uptime.read().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")
    except Exception:
        passed = 2 * time.process_time()
    return 1e3 * min(max(passed, time.process_time()), 2.5)


startup_ms = 0.0


def begin_clock():
    global startup_ms, schedstat, stretch, toll_ms
    startup_ms = since_start_ms()
    stretch = max(startup_ms / max(cpu_ms(), 20.0), 1.0)
    toll_ms = 3 * stretch
    try:
        schedstat = os.open("/proc/self/schedstat", os.O_RDONLY)
    except Exception:
        schedstat = -1


# The milliseconds that this process has waited for a processor, where the system tells.
def waited_ms():
    try:
        return int(os.pread(schedstat, 100, 0).split()[1]) / 1e6 if schedstat >= 0 else 0.0
    except Exception:
        return 0.0


# An answer begins when its request has come: what we waited for the processor since the last one was after that.
def begin_answer():
    global answer_start, answer_cpu, spent_ms, woken_ms
    woken_ms = min(max(waited_ms() - waited_before, 0.0), 500.0)
    answer_start, answer_cpu = clock_ms() - woken_ms, cpu_ms()
    spent_ms = 0.0


# The interpreter's start is on the first game's clock, the processor time of earlier games on none.
def begin_game(played):
    global cpu_before, wall_before
    if played:
        cpu_before = cpu_ms()
    wall_before = 0.0 if played else startup_ms


# The judge's clock also sees the pipe and the scheduler, and the judge waits for a processor as we do: a little is added
# for that, and once more what we waited before the request was read. Where the system does not tell that, half of what
# others held the processor for during this answer, up to 80 ms.
def end_answer():
    global wall_before, waited_before, toll_ms, stretch
    wall, cpu = clock_ms() - answer_start, cpu_ms() - answer_cpu
    waited_before = waited_ms()
    more = 0.5 + min(woken_ms if waited_before > 0 else max((wall - cpu) / 2, 0.0), 80.0)
    wall_before += wall + more
    toll_ms += 0.3 * (wall - spent_ms + more - toll_ms)
    if cpu >= 2:
        stretch = max(0.5 * stretch + 0.5 * wall / cpu, 1.0)


# ---- Search ------------------------------------------------------------------------------------------------------------


class Result:
    best = PASS
    score = 0
    exact = False
    depth = 0
    nodes = 0


# One iteration: an aspiration window around the last score, opened where it fails by a margin that grows. What is
# searched takes the window.
def deepen(searched, depth, guess, margin, growth):
    alpha, beta = -INFINITE, INFINITE
    if depth > 3:
        alpha, beta = guess - margin, guess + margin
    while True:
        score = searched(alpha, beta)
        margin *= growth
        if score <= alpha and alpha > -INFINITE:
            alpha = max(score - margin, -INFINITE)
        elif score >= beta and beta < INFINITE:
            beta = min(score + margin, INFINITE)
        else:
            return score


# A search counts its nodes and looks at the clock now and then.
FOREVER = 1e18
nodes = 0
next_check = 0
stop_ms = 0.0
check_every = 16
last_check = 0.0


class Stopped(Exception):
    pass


# A look at the clock. The next comes after some milliseconds, on a machine that is busy as well as on a fast one.
def check():
    global next_check, check_every, last_check
    now = now_ms()
    if now >= stop_ms:
        raise Stopped
    if now - last_check > 8:
        check_every = max(check_every // 2, 8)
    elif now - last_check < 2:
        check_every = min(check_every * 2, 256)
    last_check = now
    next_check = nodes + check_every


# ---- Lines of the judge -----------------------------------------------------------------------------------------------

# A letter as a cell of a board: 0 empty, 1 black, 2 white.
CELLS = {}
for letters, cell in ((".-_0", 0), ("BbXx*@1", 1), ("WwOo2", 2)):
    for letter in letters:
        CELLS[letter] = cell


def is_integer(text):
    digits = text[1:] if text[:1] in ("-", "+") else text
    return len(text) < 8 and digits != "" and all(letter in "0123456789" for letter in digits)


# The colour that READY names: 1 black, 2 white, 0 none.
def color_named(words):
    color = 0
    for text in words:
        if text.upper() in ("FIRST", "BLACK"):
            color = 1
        elif text.upper() in ("SECOND", "WHITE"):
            color = 2
    return color


def reply(text):
    data = text.encode("ascii") + b"\n"
    while data:
        data = data[os.write(1, data) :]


def reply_move(row, column):
    pair = (row + INDEX_BASE, column + INDEX_BASE)
    reply(MOVE_WORD + "%d %d" % (pair[::-1] if COLUMN_FIRST else pair))


# One line of the judge; False when the game is over.
def take_line(line):
    words = line.replace(",", " ").split()
    if len(words) > 1 and words[0].upper() == "START" and words[1].upper() == TURN_WORD:
        del words[0]
    if not words:
        return True
    verb = words[0].upper()
    if verb == "FINISH":
        return False
    if verb == "READY":
        ready(words[1:])
    else:
        take_request(verb, words)
    return True


# The cells and the side of a line, or None.
def read_position(line):
    line = line.lstrip("\ufeff").split(";")[0]
    if line.lstrip()[:1] in ("%", "#"):
        return None
    cells = [CELLS[letter] for letter in line if letter in CELLS]
    if len(cells) <= GOLDEN_CELLS or cells[GOLDEN_CELLS] == 0:
        return None
    return cells[:GOLDEN_CELLS], cells[GOLDEN_CELLS]


# Positions on stdin to golden lines, searched to a depth.
def golden(depth):
    init_engine()
    for position in map(read_position, sys.stdin):
        if position is not None:
            print(golden_line(*position, depth), flush=True)


def main():
    if "--golden" in sys.argv:
        rest = sys.argv[sys.argv.index("--golden") + 1 :]
        golden(int(rest[0]) if rest and rest[0].isdigit() else GOLDEN_DEPTH)
        return
    begin_clock()
    sys.setrecursionlimit(5000)
    if not PYPY:
        import gc

        gc.disable()
    try:
        for line in iter(sys.stdin.buffer.readline, b""):
            if line.startswith(b"\xef\xbb\xbf"):
                line = line[3:]
            if not take_line(line.decode("latin-1")):
                break
    except (OSError, KeyboardInterrupt):
        pass
    os._exit(0)


main()
