/* BAKE:BEGIN origin */
/* The template of a Renju bot with small default weights. Compile it as it stands, or bake learned weights into it. */
/* BAKE:END origin */

/* One file of C11 that is also C++17. It answers a judge line by line (READY, TURN my_time opp_time, OPP x y time,
 * FINISH) and keeps to the time it is told. With -DGOLDEN it reads positions and prints golden lines instead.
 *
 * The engine repeats the Rust engine function by function: line classes, point codes, evaluation, table, continuous
 * fours, principal variation search. Equal node counts on equal positions are the proof of that. What is printed has
 * passed a second, slow reading of the rules that shares nothing with the engine. */

#if !defined(_POSIX_C_SOURCE) && !defined(__cplusplus)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- What was baked ------------------------------------------------------------------------------------------- */

/* BAKE:BEGIN identity */
#define WEIGHTS_ID "00000000"
/* BAKE:END identity */

/* BAKE:BEGIN spelling */
#define READY_REPLY "OK"
#define MOVE_REPLY "MOVE "
#define PASS_REPLY "" /* if empty, a pass is spelled as the opponent spells it */
#define TURN_WORD "TURN"
#define INDEX_BASE 1
#define COLUMN_FIRST 0
/* BAKE:END spelling */

/* BAKE:BEGIN memory */
#define TT_BITS 20
/* BAKE:END memory */

/* BAKE:BEGIN knots */
#define KNOTS 1
#define SCALE_SHIFT 1
static const uint8_t KNOT_PLIES[] = {30};
static const int16_t CONSTANTS[226] = {0};
/* BAKE:END knots */

/* BAKE:BEGIN weights */
#define DENSE_TEXT 0
#define WEIGHTS_BYTES 88
static const char *const WEIGHTS_TEXT[] = {
"P$!(!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!#H-9!!!#!*!d!!P#!!!!",
};
/* BAKE:END weights */

/* ---- What stands at the end: the bots of all games share it --------------------------------------------------- */

static void decode_weights(void);
static int mixture(int ply, const int16_t **low, const int16_t **high);
static int cell_of(char letter);
#ifdef GOLDEN
static bool read_position(char *line, int size, int8_t *cells, int *color);
#else
enum Clock { WALL, PROCESSOR };
static double clock_ms(enum Clock which);
static bool same_word(const char *word, const char *upper);
static bool is_integer(const char *word);
static int color_named(char **words, int count);
static void reply(const char *text);
static void reply_move(int row, int col);
#endif

/* ---- Board and lines -------------------------------------------------------------------------------------------- */

#define SIZE 15
#define POINTS 225
#define LINES 88
#define REACH 5
#define BLACK 0
#define WHITE 1
#define PASS 255
#define NO_MOVE 255

/* Where a point lies on its four lines (row, column, diagonal, anti-diagonal): cell k of a line is bit k + 5. */
typedef struct {
    uint8_t line, at;
} Place;

static Place PLACES[POINTS][4];
static uint32_t EDGES[LINES]; /* bits of a line that are not on the board */
static const int STRIDES[4] = {1, SIZE, SIZE + 1, SIZE - 1};

static void init_lines(void) {
    for (int line = 0; line < LINES; line++) {
        EDGES[line] = ~0u;
    }
    for (int point = 0; point < POINTS; point++) {
        int row = point / SIZE, col = point % SIZE, right = SIZE - 1 - col;
        int lines[4] = {row, SIZE + col, 2 * SIZE + col + SIZE - 1 - row, 4 * SIZE - 1 + row + col};
        int at[4] = {col, row, row < col ? row : col, row < right ? row : right};
        for (int direction = 0; direction < 4; direction++) {
            PLACES[point][direction].line = (uint8_t)lines[direction];
            PLACES[point][direction].at = (uint8_t)at[direction];
            EDGES[lines[direction]] &= ~(1u << (at[direction] + REACH));
        }
    }
}

/* ---- Line classes and point codes ------------------------------------------------------------------------------- */

#define SIDES 63
#define CLASSES 14
#define CODES 2380
#define PAIRS 136

enum { DEAD, OVER, CLOSED_ONE, ONE, CLOSED_TWO, TWO, CLOSED_THREE = 8, TIGHT_THREE, THREE, FOUR, OPEN_FOUR, FIVE };
enum { KIND_QUIET, KIND_FORBIDDEN, KIND_THREE, KIND_DOUBLE_THREE, KIND_BARE_FOUR, KIND_FOUR, KIND_FOUR_THREE, KIND_OPEN_FOUR, KIND_FIVE, KINDS };

static uint8_t AFTER[1024];   /* the number of one side of a window from its five cells, nearest first, two bits each */
static uint16_t BEFORE[1024]; /* the same for the other side, nearest last, times SIDES */
static uint8_t CLASS[2][SIDES * SIDES];
static uint8_t PAIR[256];
static uint16_t CODE_OF_PAIRS[PAIRS * PAIRS];
static uint8_t KIND[2][CODES];
static bool DOUBLE_THREE[CODES];
static bool IDLE_FOUR[CODES]; /* one four, and on the other lines nothing that goes with other stones */

/* The cells of the unbroken line of `own` through `cell` of eleven, as bits. */
static uint32_t run_of(uint32_t own, int cell) {
    int low = cell, high = cell;
    while (low > 0 && (own >> (low - 1) & 1)) {
        low--;
    }
    while (high < 10 && (own >> (high + 1) & 1)) {
        high++;
    }
    return (2u << high) - (1u << low);
}

static bool is_five(uint32_t run, int color) {
    int length = __builtin_popcount(run);
    return color == BLACK ? length == 5 : length >= 5;
}

/* The class of a window: its two sides around the point, which counts as own. Remembered: 255 is not known yet. */
static int class_of(int left, int right, int color) {
    uint8_t *known = &CLASS[color][SIDES * left + right];
    if (*known != 255) {
        return *known;
    }
    uint32_t own = 1u << 5, empty = 0;
    int sides[2] = {left, right};
    for (int side = 0; side < 2; side++) {
        int number = sides[side] + 1, cut = 0;
        while (number >> (cut + 1) != 0) {
            cut++;
        }
        for (int distance = 1; distance <= cut; distance++) {
            uint32_t cell = 1u << (side == 0 ? 5 - distance : 5 + distance);
            if ((number - (1 << cut)) >> (distance - 1) & 1) {
                own |= cell;
            } else {
                empty |= cell;
            }
        }
    }
    uint32_t run = run_of(own, 5), first_four = 0;
    int fours = 0, found = DEAD;
    bool different = false;
    if (is_five(run, color)) {
        return *known = FIVE;
    }
    if (__builtin_popcount(run) > 5) {
        return *known = OVER;
    }
    for (int cell = 1; cell <= 9; cell++) {
        if (empty >> cell & 1) {
            run = run_of(own | 1u << cell, cell);
            if ((run >> 5 & 1) && is_five(run, color)) {
                uint32_t four = run & ~(1u << cell);
                first_four = fours == 0 ? four : first_four;
                different = different || four != first_four;
                fours++;
            }
        }
    }
    if (fours == 1) {
        return *known = FOUR;
    }
    if (fours > 1) {
        return *known = (uint8_t)(color == BLACK && different ? OVER : OPEN_FOUR);
    }
    int count[CLASSES] = {0};
    for (int cell = 1; cell <= 9; cell++) {
        if (empty >> cell & 1) {
            int more = cell < 5 ? class_of(left + (1 << (4 - cell)), right, color)
                                : class_of(left, right + (1 << (cell - 6)), color);
            count[more]++;
        }
    }
    int threes = count[TIGHT_THREE] + count[THREE];
    if (count[OPEN_FOUR] > 0) {
        found = count[OPEN_FOUR] == 1 ? TIGHT_THREE : THREE;
    } else if (count[FOUR] > 0) {
        found = CLOSED_THREE;
    } else if (threes > 0) {
        found = TWO + (threes < 3 ? threes : 3) - 1;
    } else if (count[CLOSED_THREE] > 0) {
        found = CLOSED_TWO;
    } else if (count[TWO] + count[TWO + 1] + count[TWO + 2] > 0) {
        found = ONE;
    } else if (count[CLOSED_TWO] > 0) {
        found = CLOSED_ONE;
    }
    return *known = (uint8_t)found;
}

static int kind_of(const int *classes, int color) {
    int fives = 0, overs = 0, fours = 0, opens = 0, threes = 0, closed = 0;
    for (int line = 0; line < 4; line++) {
        fives += classes[line] == FIVE;
        overs += classes[line] == OVER;
        fours += classes[line] == FOUR || classes[line] == OPEN_FOUR;
        opens += classes[line] == OPEN_FOUR;
        threes += classes[line] == TIGHT_THREE || classes[line] == THREE;
        closed += classes[line] == CLOSED_THREE;
    }
    return fives > 0                                       ? KIND_FIVE
           : color == BLACK && (overs > 0 || fours >= 2) ? KIND_FORBIDDEN
           : fours >= 2 || opens > 0                       ? KIND_OPEN_FOUR
           : fours == 1 && threes > 0                      ? KIND_FOUR_THREE
           : fours == 1                                    ? (closed > 0 ? KIND_FOUR : KIND_BARE_FOUR)
           : threes >= 2                                   ? KIND_DOUBLE_THREE
           : threes == 1                                   ? KIND_THREE
                                                           : KIND_QUIET;
}

static void enter_code(const int *classes, int code) {
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            for (int c = 0; c < 4; c++) {
                if (a != b && a != c && b != c) {
                    int d = 6 - a - b - c;
                    int high = PAIR[16 * classes[a] + classes[b]], low = PAIR[16 * classes[c] + classes[d]];
                    CODE_OF_PAIRS[PAIRS * high + low] = (uint16_t)code;
                }
            }
        }
    }
    int threes = 0, lone = 0, fours = 0;
    for (int line = 0; line < 4; line++) {
        threes += classes[line] == TIGHT_THREE || classes[line] == THREE;
        lone += classes[line] <= ONE && classes[line] != OVER;
        fours += classes[line] == FOUR;
    }
    IDLE_FOUR[code] = fours == 1 && lone == 3;
    KIND[BLACK][code] = (uint8_t)kind_of(classes, BLACK);
    KIND[WHITE][code] = (uint8_t)kind_of(classes, WHITE);
    DOUBLE_THREE[code] = threes >= 2;
}

static void init_codes(void) {
    for (int bits = 0; bits < 1024; bits++) {
        int side = 1, mirrored = 0;
        for (int cell = 4; cell >= 0; cell--) {
            int own = bits >> (2 * cell) & 1, blocked = bits >> (2 * cell + 1) & 1;
            side = blocked ? 1 : 2 * side + own;
            mirrored |= (bits >> (2 * cell) & 3) << (8 - 2 * cell);
        }
        AFTER[bits] = (uint8_t)(side - 1);
        BEFORE[mirrored] = (uint16_t)(SIDES * (side - 1));
    }
    memset(CLASS, 255, sizeof CLASS);
    for (int window = 0; window < SIDES * SIDES; window++) {
        class_of(window / SIDES, window % SIDES, BLACK);
        class_of(window / SIDES, window % SIDES, WHITE);
    }
    int next = 0;
    for (int high = 0; high < 16; high++) {
        for (int low = 0; low <= high; low++, next++) {
            PAIR[16 * high + low] = PAIR[16 * low + high] = (uint8_t)next;
        }
    }
    int code = 0, classes[4];
    for (classes[0] = 0; classes[0] < CLASSES; classes[0]++) {
        for (classes[1] = classes[0]; classes[1] < CLASSES; classes[1]++) {
            for (classes[2] = classes[1]; classes[2] < CLASSES; classes[2]++) {
                for (classes[3] = classes[2]; classes[3] < CLASSES; classes[3]++) {
                    enter_code(classes, code++);
                }
            }
        }
    }
}

/* ---- Weights of a number of stones ------------------------------------------------------------------------------ */

#define TABLES 5 /* points of either colour, moves of either colour, threats */
#define TABLE_SIZE (2 * CODES)
#define THREATS 4096
#define ROW_LEN (4 * TABLE_SIZE + THREATS)
#define LOGIT 512
#define MOST 12000

static const int TABLE_SIZES[TABLES] = {TABLE_SIZE, TABLE_SIZE, TABLE_SIZE, TABLE_SIZE, THREATS};
static int16_t KNOT_ROWS[KNOTS][ROW_LEN]; /* the weights of each knot, table by table */

/* The weights at the root's number of stones in sixteenths, by colour and code: with Black to move in the low half, with White to move
 * in the high one, so that both are summed up at once. */
static int64_t WEIGHT[2][CODES];
static int32_t THREAT[THREATS]; /* likewise, by who is to move and which threats there are */

/* The weights between the two knots around `ply` stones. */
static void mix_weights(int ply) {
    static int mixed_for = -1;
    if (mixed_for == ply) {
        return;
    }
    mixed_for = ply;
    const int16_t *low, *high;
    int share = mixture(ply, &low, &high);
    for (int color = 0; color < 2; color++) {
        const int16_t *under = low + color * TABLE_SIZE, *over = high + color * TABLE_SIZE;
        for (int code = 0; code < CODES; code++) {
            int64_t of_mover[2];
            for (int half = 0; half < 2; half++) {
                int at = half * CODES + code;
                of_mover[half ^ color] = (under[at] * (256 - share) + over[at] * share + 8) >> 4;
            }
            WEIGHT[color][code] = of_mover[WHITE] * ((int64_t)1 << 32) + of_mover[BLACK];
        }
    }
    const int16_t *under = low + 4 * TABLE_SIZE, *over = high + 4 * TABLE_SIZE;
    for (int threats = 0; threats < THREATS; threats++) {
        THREAT[threats] = (under[threats] * (256 - share) + over[threats] * share + 8) >> 4;
    }
}

/* ---- The position, updated move by move --------------------------------------------------------------------------- */

/* A set of points: point p is bit p mod 64 of word p / 64. */
typedef struct {
    uint64_t word[4];
} Points;

typedef struct {
    uint8_t point, color;
    uint16_t classes, code;
} Change;

typedef struct {
    int changes;
    int64_t sums;
} Mark;

static uint32_t stones_of[2][LINES];   /* the stones of each line by colour */
static uint64_t line_cells[2][LINES];  /* two bits a cell: 1 a stone of this colour, 2 where none can stand */
static uint16_t classes_at[2][POINTS]; /* four classes of four bits; 0 where a stone stands */
static uint16_t code_at[2][POINTS];
static Points sets[2][KINDS];
static int64_t sums; /* of the weights of all points, two in one word */
static Change journal[POINTS * 84];
static int journal_len;
static Mark marks[POINTS + 1];
static int mark_len;
static int stone_count;
static uint64_t hash[2];

static ALWAYS_INLINE void toggle_point(Points *set, int point) {
    set->word[point >> 6] ^= (uint64_t)1 << (point & 63);
}

static ALWAYS_INLINE bool is_none(const Points *set) {
    return (set->word[0] | set->word[1] | set->word[2] | set->word[3]) == 0;
}

static ALWAYS_INLINE Points both(Points a, Points b) {
    for (int i = 0; i < 4; i++) {
        a.word[i] |= b.word[i];
    }
    return a;
}

static int count_points(const Points *set) {
    int count = 0;
    for (int i = 0; i < 4; i++) {
        count += __builtin_popcountll(set->word[i]);
    }
    return count;
}

/* Takes the lowest point out of a set; -1 from an empty one. */
static ALWAYS_INLINE int take_point(Points *set) {
    for (int i = 0; i < 4; i++) {
        if (set->word[i] != 0) {
            int point = 64 * i + __builtin_ctzll(set->word[i]);
            set->word[i] &= set->word[i] - 1;
            return point;
        }
    }
    return -1;
}

static int first_point(const Points *set) {
    Points copy = *set;
    return take_point(&copy);
}

static ALWAYS_INLINE uint16_t code_of(unsigned classes) {
    return CODE_OF_PAIRS[PAIRS * PAIR[classes >> 8] + PAIR[classes & 255]];
}

/* The class of the window around cell `at` of a line. */
static ALWAYS_INLINE unsigned window_class(int color, uint64_t cells, int at) {
    return CLASS[color][BEFORE[cells >> (2 * at) & 1023] + AFTER[cells >> (2 * at + 12) & 1023]];
}

/* Puts or takes a stone on a line. */
static ALWAYS_INLINE void toggle_stone(Place place, int color) {
    stones_of[color][place.line] ^= 1u << (place.at + REACH);
    line_cells[color][place.line] ^= (uint64_t)1 << (2 * (place.at + REACH));
    line_cells[1 - color][place.line] ^= (uint64_t)2 << (2 * (place.at + REACH));
}

static unsigned class_at(int point, int direction, int color) {
    Place place = PLACES[point][direction];
    return window_class(color, line_cells[color][place.line], place.at);
}

static bool is_empty(int point) {
    Place place = PLACES[point][0];
    return !((stones_of[0][place.line] | stones_of[1][place.line]) >> (place.at + REACH) & 1);
}

/* Gives a point other classes; `stone`: because a stone now stands there. */
static ALWAYS_INLINE void change_point(int point, int color, unsigned classes, bool stone, bool summed) {
    Change *change = &journal[journal_len++];
    unsigned from = code_at[color][point], to = code_of(classes);
    change->point = (uint8_t)point;
    change->color = (uint8_t)color;
    change->classes = classes_at[color][point];
    change->code = (uint16_t)from;
    classes_at[color][point] = (uint16_t)classes;
    code_at[color][point] = (uint16_t)to;
    if (summed) {
        sums += WEIGHT[color][to] - WEIGHT[color][from];
    }
    int before = KIND[color][from], after = KIND[color][to];
    if (stone) {
        toggle_point(&sets[color][before], point);
    } else if (before != after) {
        toggle_point(&sets[color][before], point);
        toggle_point(&sets[color][after], point);
    }
}

/* Updates the windows that reach a new stone from one side of it. */
static ALWAYS_INLINE void update_side(int point, Place place, int direction, int sign, bool summed) {
    int shift = 4 * direction;
    const uint64_t cells[2] = {line_cells[0][place.line], line_cells[1][place.line]};
    bool reaches[2] = {true, true};
    for (int step = 1; step <= 5; step++) {
        int cell = place.at + sign * step, next = point + sign * step * STRIDES[direction];
        unsigned here[2] = {(unsigned)(cells[0] >> (2 * (cell + REACH)) & 3), (unsigned)(cells[1] >> (2 * (cell + REACH)) & 3)};
        if ((here[0] | here[1]) != 0) {
            reaches[0] = reaches[0] && here[0] == 1;
            reaches[1] = reaches[1] && here[1] == 1;
            if (!reaches[0] && !reaches[1]) {
                break;
            }
            continue;
        }
        for (int color = 0; color < 2; color++) {
            if (reaches[color]) {
                unsigned class_now = window_class(color, cells[color], cell);
                unsigned old = classes_at[color][next];
                if ((old >> shift & 15) != class_now) {
                    change_point(next, color, (old & ~(15u << shift)) | class_now << shift, false, summed);
                }
            }
        }
    }
}

/* ---- Hash words, counters, limits ---- */

static uint64_t WORDS[4 * POINTS], SIDE_WORDS[2];
static uint64_t nodes;

static uint64_t hash_word(uint64_t index) {
    uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void init_words(void) {
    for (int i = 0; i < 4 * POINTS; i++) {
        WORDS[i] = hash_word((uint64_t)i);
    }
    SIDE_WORDS[0] = hash_word(1000);
    SIDE_WORDS[1] = hash_word(1001);
}

static ALWAYS_INLINE void toggle_hash(int point, int color) {
    hash[0] ^= WORDS[2 * (POINTS * color + point)];
    hash[1] ^= WORDS[2 * (POINTS * color + point) + 1];
}

static ALWAYS_INLINE void place(int point, int color, bool summed) {
    Mark *mark = &marks[mark_len++];
    nodes++;
    mark->changes = journal_len;
    if (summed) {
        mark->sums = sums;
    }
    change_point(point, BLACK, 0, true, summed);
    change_point(point, WHITE, 0, true, summed);
    for (int direction = 0; direction < 4; direction++) {
        Place place = PLACES[point][direction];
        toggle_stone(place, color);
        update_side(point, place, direction, -1, summed);
        update_side(point, place, direction, 1, summed);
    }
    toggle_hash(point, color);
    stone_count++;
}

static NEVER_INLINE void place_stone(int point, int color) {
    place(point, color, true);
}

/* Where nothing is evaluated before the stone is taken back. */
static NEVER_INLINE void place_unsummed(int point, int color) {
    place(point, color, false);
}

static ALWAYS_INLINE void take(int point, int color, bool summed) {
    Mark *mark = &marks[--mark_len];
    for (int direction = 0; direction < 4; direction++) {
        toggle_stone(PLACES[point][direction], color);
    }
    if (summed) {
        sums = mark->sums;
    }
    while (journal_len > mark->changes) {
        Change *change = &journal[--journal_len];
        int changed = change->point, side = change->color;
        int now = KIND[side][code_at[side][changed]], then = KIND[side][change->code];
        classes_at[side][changed] = change->classes;
        code_at[side][changed] = change->code;
        if (changed == point) {
            toggle_point(&sets[side][then], changed);
        } else if (now != then) {
            toggle_point(&sets[side][now], changed);
            toggle_point(&sets[side][then], changed);
        }
    }
    toggle_hash(point, color);
    stone_count--;
}

static NEVER_INLINE void take_back(int point, int color) {
    take(point, color, true);
}

static NEVER_INLINE void take_back_unsummed(int point, int color) {
    take(point, color, false);
}

static int count_stones(const int8_t *cells) {
    int count = 0;
    for (int point = 0; point < POINTS; point++) {
        count += cells[point] != 0;
    }
    return count;
}

/* The state of a board of 225 cells: 0 empty, 1 black, 2 white. */
static void set_up(const int8_t *cells) {
    memset(stones_of, 0, sizeof stones_of);
    for (int line = 0; line < LINES; line++) {
        uint64_t edges = 0;
        for (int bit = 0; bit < 32; bit++) {
            edges |= (uint64_t)(EDGES[line] >> bit & 1) << (2 * bit + 1);
        }
        line_cells[0][line] = line_cells[1][line] = edges;
    }
    memset(classes_at, 0, sizeof classes_at);
    memset(code_at, 0, sizeof code_at);
    memset(sets, 0, sizeof sets);
    sums = 0;
    hash[0] = hash[1] = 0;
    journal_len = mark_len = 0;
    stone_count = count_stones(cells);
    mix_weights(stone_count);
    for (int point = 0; point < POINTS; point++) {
        if (cells[point] != 0) {
            int color = cells[point] - 1;
            for (int direction = 0; direction < 4; direction++) {
                toggle_stone(PLACES[point][direction], color);
            }
            toggle_hash(point, color);
        }
    }
    for (int point = 0; point < POINTS; point++) {
        for (int color = 0; color < 2; color++) {
            if (cells[point] == 0) {
                unsigned classes = 0;
                for (int direction = 3; direction >= 0; direction--) {
                    classes = classes << 4 | class_at(point, direction, color);
                }
                classes_at[color][point] = (uint16_t)classes;
                code_at[color][point] = code_of(classes);
                toggle_point(&sets[color][KIND[color][code_at[color][point]]], point);
            }
            sums += WEIGHT[color][code_at[color][point]];
        }
    }
}

/* Which threats there are, with `mover` to move: a bit for each kind of point that its own or the other side has. */
static int threats_of(int mover) {
    const Points *own = sets[mover], *other = sets[1 - mover];
    int threats = 2 * mover + !is_none(&other[KIND_OPEN_FOUR]);
    for (int kind = KIND_THREE; kind <= KIND_FOUR_THREE; kind++) {
        threats = 4 * threats + 2 * !is_none(&own[kind]) + !is_none(&other[kind]);
    }
    return threats;
}

/* The value for the side to move, in search units. */
static int evaluate(int mover) {
    int32_t black = (int32_t)(uint32_t)sums, white = (int32_t)((sums - black) >> 32);
    int value = (((mover == BLACK ? black : white) + THREAT[threats_of(mover)] + 8) >> 4) + CONSTANTS[stone_count];
    value = (value + ((1 << SCALE_SHIFT) >> 1)) >> SCALE_SHIFT;
    return value > MOST ? MOST : value < -MOST ? -MOST : value;
}

/* What a stone of `color` on `point` is worth in ordering. */
static ALWAYS_INLINE int move_worth(int color, int point) {
    const int16_t *table = KNOT_ROWS[0] + (2 + color) * TABLE_SIZE;
    return table[code_at[color][point]] + table[CODES + code_at[1 - color][point]];
}

/* The empty points at most two steps from a stone along a line. */
static Points near_stones(void) {
    const uint32_t ROW = (1u << SIZE) - 1;
    uint32_t rows[SIZE + 4] = {0};
    Points near_them = {{0, 0, 0, 0}};
    for (int row = 0; row < SIZE; row++) {
        rows[row + 2] = (stones_of[0][row] | stones_of[1][row]) >> REACH & ROW;
    }
    for (int row = 0; row < SIZE; row++) {
        uint32_t one = rows[row + 1] | rows[row + 3], two = rows[row] | rows[row + 4], here = rows[row + 2];
        uint32_t found = one | two | here << 1 | here >> 1 | here << 2 | here >> 2;
        found |= one << 1 | one >> 1 | two << 2 | two >> 2;
        found &= ROW & ~here;
        int begin = row * SIZE;
        near_them.word[begin >> 6] |= (uint64_t)found << (begin & 63);
        if ((begin & 63) > 64 - SIZE) {
            near_them.word[(begin >> 6) + 1] |= (uint64_t)found >> (64 - (begin & 63));
        }
    }
    return near_them;
}

static ALWAYS_INLINE bool is_threatened(int me) {
    return !is_none(&sets[1 - me][KIND_OPEN_FOUR]);
}

static Points fours_of(int color) {
    Points *of = sets[color];
    return both(both(of[KIND_FOUR], of[KIND_BARE_FOUR]), both(of[KIND_FOUR_THREE], of[KIND_OPEN_FOUR]));
}

/* Leaves out fours of `me` that would only be stopped: of no use on their other lines, and in nobody's way. */
static Points without_idle_fours(Points some, int me) {
    Points bare = sets[me][KIND_BARE_FOUR];
    int point;
    while ((point = take_point(&bare)) >= 0) {
        if (IDLE_FOUR[code_at[me][point]] && (sets[1 - me][KIND_QUIET].word[point >> 6] >> (point & 63) & 1)) {
            some.word[point >> 6] &= ~((uint64_t)1 << (point & 63));
        }
    }
    return some;
}

/* The points worth playing for `me` where `me` has no five to make; points forbidden to Black are among them. */
static Points choices(int me) {
    if (!is_none(&sets[1 - me][KIND_FIVE])) {
        return sets[1 - me][KIND_FIVE];
    }
    Points some = is_threatened(me) ? both(both(fours_of(me), fours_of(1 - me)), sets[1 - me][KIND_FORBIDDEN])
                                    : near_stones();
    return without_idle_fours(some, me);
}

/* ---- Forbidden points ---------------------------------------------------------------------------------------------- */

static bool double_three(int point);

/* Whether a black stone on the empty `point` is forbidden, by the stones of the lines alone. */
static bool is_forbidden_exactly(int point, bool five_too) {
    int fours = 0, threes = 0;
    bool over = false;
    for (int direction = 0; direction < 4; direction++) {
        unsigned made = class_at(point, direction, BLACK);
        if (made == FIVE) {
            return five_too;
        }
        over = over || made == OVER;
        fours += made == FOUR || made == OPEN_FOUR;
        threes += made == THREE || made == TIGHT_THREE;
    }
    return over || fours >= 2 || (threes >= 2 && double_three(point));
}

/* Whether a stone on cell `cell` makes four in a row with cell `at` that can become exactly five at both ends. */
static bool makes_straight_four(uint32_t own, uint32_t blocked, int cell, int at) {
    int low = cell, high = cell;
    if ((own | blocked) >> cell & 1) {
        return false;
    }
    while (own >> (low - 1) & 1) {
        low--;
    }
    while (own >> (high + 1) & 1) {
        high++;
    }
    return high - low == 3 && low <= at && at <= high && !((own | blocked) >> (low - 1) & 1) &&
           !((own | blocked) >> (high + 1) & 1) && !(own >> (low - 2) & 1) && !(own >> (high + 2) & 1);
}

static void toggle_black(int point) {
    for (int direction = 0; direction < 4; direction++) {
        toggle_stone(PLACES[point][direction], BLACK);
    }
}

/* Whether at least two of the threes that a black stone makes on `point` count by article 9.3. */
static bool double_three(int point) {
    int counting = 0;
    bool three[4];
    for (int direction = 0; direction < 4; direction++) {
        unsigned made = class_at(point, direction, BLACK);
        three[direction] = made == THREE || made == TIGHT_THREE;
    }
    toggle_black(point);
    for (int direction = 0; direction < 4 && counting < 2; direction++) {
        Place place = PLACES[point][direction];
        uint32_t own = stones_of[BLACK][place.line], blocked = stones_of[WHITE][place.line] | EDGES[place.line];
        for (int step = -3; step <= 3 && three[direction]; step++) {
            int cell = place.at + REACH + step;
            if (cell >= REACH && makes_straight_four(own, blocked, cell, place.at + REACH) &&
                !is_forbidden_exactly(point + step * STRIDES[direction], true)) {
                counting++;
                break;
            }
        }
    }
    toggle_black(point);
    return counting >= 2;
}

/* Whether `color` may not play on the empty `point`. */
static ALWAYS_INLINE bool is_forbidden(int color, int point) {
    if (color == WHITE) {
        return false;
    }
    int code = code_at[BLACK][point], kind = KIND[BLACK][code];
    return kind == KIND_FIVE ? false : kind == KIND_FORBIDDEN ? true : DOUBLE_THREE[code] && double_three(point);
}

/* A point where `color` makes an open four, or two fours at once, and may; -1 if there is none. */
static int open_four(int color) {
    Points left = sets[color][KIND_OPEN_FOUR];
    int point;
    while ((point = take_point(&left)) >= 0 && is_forbidden(color, point)) {
    }
    return point;
}

/* ---- Transposition table ------------------------------------------------------------------------------------------ */

typedef struct {
    uint64_t key[2];
    int16_t lower, upper;
    uint8_t depth, level, best, generation;
} Entry;

static Entry *tt_entries;
static uint8_t tt_generation = 1;

static ALWAYS_INLINE Entry *tt_bucket(const uint64_t *key) {
    uint64_t mixed = key[0] * 0x9e3779b97f4a7c15u ^ (key[1] << 32 | key[1] >> 32);
    uint64_t index = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    return tt_entries + ((size_t)(index >> (64 - TT_BITS)) & ~(size_t)1);
}

static ALWAYS_INLINE bool tt_holds(const Entry *entry, const uint64_t *key) {
    return entry->key[0] == key[0] && entry->key[1] == key[1] && entry->generation == tt_generation;
}

static const Entry *tt_probe(const uint64_t *key) {
    const Entry *pair = tt_bucket(key);
    return tt_holds(pair, key) ? pair : tt_holds(pair + 1, key) ? pair + 1 : NULL;
}

static void tt_store(const uint64_t *key, int depth, int alpha, int beta, int score, int best, int worst) {
    Entry *pair = tt_bucket(key);
    int16_t lower = (int16_t)(score > alpha ? score : -worst);
    int16_t upper = (int16_t)(score < beta ? score : worst);
    Entry *entry = tt_holds(pair, key) ? pair : tt_holds(pair + 1, key) ? pair + 1 : NULL;
    if (entry != NULL && entry->depth == depth) {
        entry->lower = entry->lower > lower ? entry->lower : lower;
        entry->upper = entry->upper < upper ? entry->upper : upper;
        if (entry->lower > entry->upper) {
            entry->lower = lower;
            entry->upper = upper;
        }
        if (score > alpha || entry->best == NO_MOVE) {
            entry->best = (uint8_t)best;
        }
        return;
    }
    if (entry != NULL && entry->depth > depth) {
        /* What is known is worth more than what was found. */
        if (entry->best == NO_MOVE) {
            entry->best = (uint8_t)best;
        }
        return;
    }
    if (entry != NULL) {
        best = score > alpha || entry->best == NO_MOVE ? best : entry->best;
    } else {
        entry = pair + (pair[0].generation == tt_generation && pair[0].depth > depth);
    }
    entry->key[0] = key[0];
    entry->key[1] = key[1];
    entry->lower = lower;
    entry->upper = upper;
    entry->depth = (uint8_t)depth;
    entry->level = 0;
    entry->best = (uint8_t)best;
    entry->generation = tt_generation;
}

/* Results of continuous fours. */
typedef struct {
    uint64_t key;
    uint16_t distance, budget;
    uint8_t best, generation, kinds, deepest;
} FourEntry;

#define FOUR_BITS 16
static FourEntry *four_entries;

static void init_memory(void) {
    tt_entries = (Entry *)calloc((size_t)1 << TT_BITS, sizeof(Entry));
    four_entries = (FourEntry *)calloc((size_t)1 << FOUR_BITS, sizeof(FourEntry));
    if (tt_entries == NULL || four_entries == NULL) {
        exit(0);
    }
}

static void forget(void) {
    if (tt_generation == UINT8_MAX) {
        memset(tt_entries, 0, ((size_t)1 << TT_BITS) * sizeof(Entry));
        memset(four_entries, 0, ((size_t)1 << FOUR_BITS) * sizeof(FourEntry));
        tt_generation = 0;
    }
    tt_generation++;
}

/* ---- Search ------------------------------------------------------------------------------------------------------- */

#define WIN 30000
#define SURE 20000
#define INFINITE 32000
#define CHECK_EVERY 1024
#define DEEPEST 180
#define NULL_REDUCTION 2
#define PLY_MARGIN (LOGIT / 2)
#define DEEPEST_FOURS 60
#define BARE_FROM 200 /* fours that may be tried, from which on bare ones are among them */

typedef struct {
    int depth;
    bool timed;
    double soft_ms; /* from here on no new depth begins */
    double hard_ms; /* from here on the search stops where it is */
} Limits;

typedef struct {
    int best, score;
    bool exact;
    int depth;
    uint64_t nodes;
} SearchResult;

typedef struct {
    uint8_t point;
    int key;
} Candidate;

typedef struct {
    Candidate item[POINTS];
    int len;
} Candidates;

static double now_ms(void);

static Limits limits;
static uint64_t next_check;
static bool stopped;

static NEVER_INLINE bool check(void) {
    next_check = nodes + CHECK_EVERY;
    if (limits.timed && now_ms() >= limits.hard_ms) {
        stopped = true;
        next_check = 0;
    }
    return stopped;
}

static ALWAYS_INLINE bool must_stop(void) {
    return UNLIKELY(nodes >= next_check) && check();
}

static ALWAYS_INLINE void key_of(int mover, uint64_t *key) {
    key[0] = mover == BLACK ? hash[0] : hash[0] ^ SIDE_WORDS[0];
    key[1] = mover == BLACK ? hash[1] : hash[1] ^ SIDE_WORDS[1];
}

/* -- Continuous fours: every move of the attacker is a four, every answer is forced -- */

static int fours_after(int me, unsigned *left, int deepest, int kinds);
static int fours_of_node(int me, unsigned *left, int deepest, int kinds, int stop, int *best);

/* Plies to a win of `me`, who is to move, by fours alone; 0 if none was found. `best` is its first point. */
static int fours(int me, unsigned *left, int deepest, int kinds, int *best) {
    int other = 1 - me, stop = first_point(&sets[other][KIND_FIVE]);
    if (!is_none(&sets[me][KIND_FIVE])) {
        *best = first_point(&sets[me][KIND_FIVE]);
        return 1;
    }
    if (stop >= 0 && count_points(&sets[other][KIND_FIVE]) > 1) {
        return 0;
    }
    if (stop < 0) {
        int point = open_four(me);
        if (point >= 0) {
            *best = point;
            return 3;
        }
    }
    if (deepest == 0) {
        return 0;
    }
    uint64_t key[2];
    key_of(me, key);
    FourEntry *entry = &four_entries[key[0] >> (64 - FOUR_BITS)];
    if (entry->key == key[0] && entry->generation == tt_generation) {
        if (entry->distance > 0) {
            *best = entry->best;
            return entry->distance;
        }
        if (entry->budget >= *left && entry->kinds >= kinds && entry->deepest >= deepest) {
            return 0;
        }
    }
    unsigned granted = *left;
    int distance = fours_of_node(me, left, deepest, kinds, stop, best);
    if (distance == 0 && entry->distance > 0 && entry->generation == tt_generation) {
        return 0; /* wins are few and worth more */
    }
    entry->key = key[0];
    entry->distance = (uint16_t)distance;
    entry->budget = (uint16_t)granted;
    entry->best = (uint8_t)(distance > 0 ? *best : 0);
    entry->kinds = (uint8_t)kinds;
    entry->deepest = (uint8_t)deepest;
    entry->generation = tt_generation;
    return distance;
}

static int fours_of_node(int me, unsigned *left, int deepest, int kinds, int stop, int *best) {
    static const int ORDER[4] = {KIND_OPEN_FOUR, KIND_FOUR_THREE, KIND_FOUR, KIND_BARE_FOUR};
    for (int i = 0; i < kinds; i++) {
        Points points = sets[me][ORDER[i]];
        int point;
        while ((point = take_point(&points)) >= 0) {
            if ((stop >= 0 && stop != point) || is_forbidden(me, point)) {
                continue;
            }
            if (*left == 0) {
                return 0;
            }
            --*left;
            place_unsummed(point, me);
            int distance = fours_after(me, left, deepest, kinds);
            take_back_unsummed(point, me);
            if (distance > 0) {
                *best = point;
                return distance + 1;
            }
        }
    }
    return 0;
}

/* Plies to the win behind a four of `me`, the defender to move; 0 where it does not win. */
static int fours_after(int me, unsigned *left, int deepest, int kinds) {
    int other = 1 - me, cell = first_point(&sets[me][KIND_FIVE]), best;
    if (!is_none(&sets[other][KIND_FIVE]) || cell < 0) {
        return 0;
    }
    if (count_points(&sets[me][KIND_FIVE]) > 1 || (other == BLACK && is_forbidden(BLACK, cell))) {
        return 2;
    }
    place_unsummed(cell, other);
    int distance = fours(me, left, deepest - 1, kinds, &best);
    take_back_unsummed(cell, other);
    return distance > 0 ? distance + 1 : 0;
}

/* The same with the table; at most `budget` fours are tried. */
static int continuous_fours(int me, unsigned budget, int *best) {
    int kinds = budget < BARE_FROM ? 3 : 4;
    if (is_none(&sets[me][KIND_FOUR]) && is_none(&sets[me][KIND_FOUR_THREE]) && is_none(&sets[me][KIND_OPEN_FOUR]) &&
        (kinds == 3 || is_none(&sets[me][KIND_BARE_FOUR]))) {
        return 0;
    }
    unsigned left = budget;
    return fours(me, &left, DEEPEST_FOURS, kinds, best);
}

/* The same at the root, short lines first: a long one that fails can eat up any budget. */
static int root_fours(int me, unsigned budget, int *best) {
    unsigned left = budget;
    for (int deepest = 4; deepest < DEEPEST_FOURS; deepest *= 2) {
        int distance = fours(me, &left, deepest, 4, best);
        if (distance > 0) {
            return distance;
        }
    }
    return continuous_fours(me, budget, best);
}

/* -- Ordering -- */

static void generate(int me, Candidates *moves) {
    Points points = choices(me);
    int point;
    moves->len = 0;
    while ((point = take_point(&points)) >= 0) {
        moves->item[moves->len].point = (uint8_t)point;
        moves->item[moves->len++].key = move_worth(me, point);
    }
}

static ALWAYS_INLINE bool goes_first(Candidate a, Candidate b) {
    return a.key > b.key || (a.key == b.key && a.point < b.point);
}

/* Brings the next best move to place `from`. */
static Candidate pick(Candidates *moves, int from) {
    int best = from;
    for (int at = from + 1; at < moves->len; at++) {
        if (goes_first(moves->item[at], moves->item[best])) {
            best = at;
        }
    }
    Candidate swap = moves->item[from];
    moves->item[from] = moves->item[best];
    moves->item[best] = swap;
    return moves->item[from];
}

/* -- Principal variation search -- */

static int to_table(int value, int ply) {
    return value >= SURE && value < INFINITE ? value + ply : -value >= SURE && -value < INFINITE ? value - ply : value;
}

static int from_table(int value, int ply) {
    return value >= SURE && value < INFINITE ? value - ply : -value >= SURE && -value < INFINITE ? value + ply : value;
}

static void store(const uint64_t *key, int depth, int ply, int alpha, int beta, int score, int best) {
    tt_store(key, depth, to_table(alpha, ply), to_table(beta, ply), to_table(score, ply), best, INFINITE);
}

/* How much less deep the move number `at` (from 0) is searched. */
static int reduction(int depth, int at, bool threatened) {
    if (threatened || depth < 2 || at < 3) {
        return 0;
    }
    int less = 1 + (at >= 8) + (at >= 20) + (depth >= 7);
    return less < depth - 1 ? less : depth - 1;
}

static int pvs(int me, int depth, int ply, int alpha, int beta, bool may_pass);

/* The value of a move that was just played, by `me`, as number `at` of its node. */
static int move_value(int me, int depth, int ply, int low, int beta, int at, int less) {
    int score;
    if (at == 0) {
        return -pvs(1 - me, depth - 1, ply + 1, -beta, -low, true);
    }
    score = -pvs(1 - me, depth - 1 - less, ply + 1, -low - 1, -low, true);
    if (score > low && less > 0 && !stopped) {
        score = -pvs(1 - me, depth - 1, ply + 1, -low - 1, -low, true);
    }
    if (score > low && score < beta && !stopped) {
        score = -pvs(1 - me, depth - 1, ply + 1, -beta, -low, true);
    }
    return score;
}

static int branch(int me, int depth, int ply, int alpha, int beta, int hash_move, bool threatened, int *best_move) {
    static const int WIDTHS[5] = {5, 7, 9, 12, 16};
    Candidates moves;
    generate(me, &moves);
    for (int at = 0; at < moves.len && hash_move != NO_MOVE; at++) {
        if (moves.item[at].point == hash_move) {
            moves.item[at].key = INT32_MAX;
        }
    }
    int width = threatened ? POINTS : WIDTHS[(depth < 5 ? depth : 5) - 1], best = -INFINITE, searched = 0;
    *best_move = NO_MOVE;
    for (int at = 0; at < moves.len && searched < width; at++) {
        int point = pick(&moves, at).point;
        if (is_forbidden(me, point)) {
            continue;
        }
        int low = alpha > best ? alpha : best;
        place_stone(point, me);
        int score = move_value(me, depth, ply, low, beta, searched, reduction(depth, searched, threatened));
        take_back(point, me);
        if (stopped) {
            return 0;
        }
        searched++;
        if (score > best) {
            best = score;
            *best_move = point;
            if (best >= beta) {
                break;
            }
        }
    }
    if (searched > 0) {
        return best;
    }
    /* Nothing that is searched may be played. Against a threat that loses; else there is nothing but a pass. */
    return threatened ? -(WIN - ply - 4) : 0;
}

/* The value of a node `ply` plies below the root to `depth` plies within (alpha, beta), fail-soft. */
static int pvs(int me, int depth, int ply, int alpha, int beta, bool may_pass) {
    int other = 1 - me, best = NO_MOVE;
    if (!is_none(&sets[me][KIND_FIVE])) {
        return WIN - ply - 1;
    }
    if (stone_count == POINTS) {
        return 0;
    }
    if (must_stop()) {
        return 0;
    }
    int stop = first_point(&sets[other][KIND_FIVE]);
    if (stop >= 0) {
        if (count_points(&sets[other][KIND_FIVE]) > 1 || is_forbidden(me, stop)) {
            return -(WIN - ply - 2);
        }
        if (ply >= DEEPEST) {
            return evaluate(me);
        }
        place_stone(stop, me);
        int score = -pvs(other, depth, ply + 1, -beta, -alpha, true);
        take_back(stop, me);
        return score;
    }
    if (open_four(me) >= 0) {
        return WIN - ply - 3;
    }
    if (depth <= 0 || ply >= DEEPEST) {
        int distance = continuous_fours(me, 24, &best);
        return distance > 0 ? WIN - ply - distance : evaluate(me);
    }
    uint64_t key[2];
    int hash_move = NO_MOVE;
    key_of(me, key);
    const Entry *entry = tt_probe(key);
    if (entry != NULL) {
        int lower = from_table(entry->lower, ply), upper = from_table(entry->upper, ply);
        if (entry->depth >= depth || lower >= SURE) {
            if (lower >= beta || lower == upper) {
                return lower;
            }
            if (upper <= alpha) {
                return upper;
            }
        }
        hash_move = entry->best;
    }
    int distance = continuous_fours(me, 120, &best);
    if (distance > 0) {
        store(key, 100, ply, -INFINITE, INFINITE, WIN - ply - distance, best);
        return WIN - ply - distance;
    }
    bool threatened = is_threatened(me);
    if (beta - alpha == 1 && !threatened && beta < SURE && beta > -SURE) {
        int value = evaluate(me);
        if (depth <= 3 && value - PLY_MARGIN * depth >= beta) {
            return value;
        }
        if (may_pass && depth >= 3 && value >= beta) {
            int less = 1 + NULL_REDUCTION + depth / 4;
            nodes++;
            int score = -pvs(other, depth - less, ply + 1, -beta, -beta + 1, false);
            if (stopped) {
                return 0;
            }
            if (score >= beta) {
                return score >= SURE ? beta : score;
            }
        }
    }
    int score = branch(me, depth, ply, alpha, beta, hash_move, threatened, &best);
    if (stopped) {
        return 0;
    }
    store(key, depth, ply, alpha, beta, score, best);
    return score;
}

/* -- The root -- */

static void sort_moves(Candidates *moves) {
    for (int at = 0; at < moves->len; at++) {
        pick(moves, at);
    }
}

static void drop_forbidden(Candidates *moves, int me) {
    int kept = 0;
    for (int at = 0; at < moves->len; at++) {
        if (!is_forbidden(me, moves->item[at].point)) {
            moves->item[kept++] = moves->item[at];
        }
    }
    moves->len = kept;
}

static int distance_from_centre(int point) {
    int row = point / SIZE - SIZE / 2, col = point % SIZE - SIZE / 2;
    row = row < 0 ? -row : row;
    col = col < 0 ? -col : col;
    return row > col ? row : col;
}

/* The legal moves worth searching at the root, best first. */
static void root_moves(int me, Candidates *moves) {
    moves->len = 0;
    if (stone_count < 3) {
        for (int point = 0; point < POINTS; point++) {
            if (is_empty(point) && distance_from_centre(point) <= stone_count && !is_forbidden(me, point)) {
                moves->item[moves->len].point = (uint8_t)point;
                moves->item[moves->len++].key = move_worth(me, point);
            }
        }
    } else {
        generate(me, moves);
        drop_forbidden(moves, me);
        if (moves->len == 0) {
            Points points = near_stones();
            int point;
            while ((point = take_point(&points)) >= 0) {
                moves->item[moves->len].point = (uint8_t)point;
                moves->item[moves->len++].key = move_worth(me, point);
            }
            drop_forbidden(moves, me);
        }
    }
    sort_moves(moves);
}

/* Searches the root's moves within a window and puts the best one first. */
static int search_root(Candidates *moves, int me, int depth, int alpha, int beta) {
    int best = -INFINITE, best_at = 0;
    for (int at = 0; at < moves->len; at++) {
        int point = moves->item[at].point, low = alpha > best ? alpha : best;
        place_stone(point, me);
        int score = move_value(me, depth, 0, low, beta, at, reduction(depth, at, false));
        take_back(point, me);
        if (stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            best_at = at;
            if (best >= beta) {
                break;
            }
        }
    }
    if (best > alpha) {
        Candidate first = moves->item[best_at];
        memmove(moves->item + 1, moves->item, (size_t)best_at * sizeof first);
        moves->item[0] = first;
    }
    return best;
}

/* One iteration: an aspiration window around the last score, opened where it fails. */
static int deepen(Candidates *moves, int me, int depth, int guess) {
    int margin = LOGIT / 4, alpha = -INFINITE, beta = INFINITE;
    if (depth > 3) {
        alpha = guess - margin;
        beta = guess + margin;
    }
    for (;;) {
        int score = search_root(moves, me, depth, alpha, beta);
        if (stopped) {
            return 0;
        }
        margin *= 4;
        if (score <= alpha && alpha > -INFINITE) {
            alpha = score - margin > -INFINITE ? score - margin : -INFINITE;
        } else if (score >= beta && beta < INFINITE) {
            beta = score + margin < INFINITE ? score + margin : INFINITE;
        } else {
            return score;
        }
    }
}

/* Searches the position of `cells` with `me` to move, within `limits`. `passed`: the other side has just passed. The
 * game is not over. The best move is PASS where nothing else is worth more. */
static SearchResult search(const int8_t *cells, int me, bool passed) {
    SearchResult result = {PASS, 0, false, 0, 1};
    Candidates moves;
    nodes = 1;
    stopped = false;
    next_check = UINT64_MAX;
    set_up(cells);
    if (stone_count >= 3) {
        int best = first_point(&sets[me][KIND_FIVE]), distance = best >= 0 ? 1 : 0;
        if (distance == 0 && is_none(&sets[1 - me][KIND_FIVE]) && (best = open_four(me)) >= 0) {
            distance = 3;
        }
        if (distance == 0) {
            distance = root_fours(me, limits.timed && limits.hard_ms - now_ms() >= 200 ? 20000 : 4000, &best);
        }
        if (distance > 0) {
            result.best = best;
            result.score = WIN - distance;
            result.exact = true;
            result.nodes = nodes;
            return result;
        }
    }
    root_moves(me, &moves);
    if (moves.len == 0) {
        for (int point = POINTS - 1; point >= 0; point--) {
            if (is_empty(point) && !is_forbidden(me, point)) {
                result.best = point;
            }
        }
        return result;
    }
    result.best = moves.item[0].point;
    for (int depth = 1; depth <= limits.depth; depth++) {
        if (depth > 1) {
            next_check = limits.timed ? nodes + CHECK_EVERY : UINT64_MAX;
            if (limits.timed && now_ms() >= limits.soft_ms) {
                break;
            }
        }
        int score = deepen(&moves, me, depth, result.score);
        if (stopped) {
            break;
        }
        result.best = moves.item[0].point;
        result.score = score;
        result.depth = depth;
        /* Nothing to find out, or nothing to choose and time to save. */
        if (score >= SURE || score <= -SURE || (limits.timed && moves.len == 1)) {
            break;
        }
    }
    if (passed && stone_count >= 3 && result.score < 0) {
        result.best = PASS;
        result.score = 0;
    }
    result.nodes = nodes;
    return result;
}

static void init_engine(void) {
    init_lines();
    init_codes();
    init_words();
    decode_weights();
    init_memory();
}

/* ---- The rules once more, slowly -------------------------------------------------------------------------------------
 * Cell by cell from the definitions, sharing nothing with the engine: the last word on what is printed. */

static const int8_t STEPS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

/* The cell `steps` further: 0 empty, 1 black, 2 white, -1 off the board. */
static int cell_at(const int8_t *cells, int point, int axis, int steps, int *at) {
    int row = point / SIZE + steps * STEPS[axis][0], col = point % SIZE + steps * STEPS[axis][1];
    if (row < 0 || row >= SIZE || col < 0 || col >= SIZE) {
        return -1;
    }
    *at = SIZE * row + col;
    return cells[*at];
}

/* The length of the unbroken row of `color` through `point`. */
static int row_length(const int8_t *cells, int point, int axis, int color) {
    int length = 1, at;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 1; cell_at(cells, point, axis, sign * k, &at) == color; k++) {
            length++;
        }
    }
    return length;
}

static bool makes_five(const int8_t *cells, int point) {
    for (int axis = 0; axis < 4; axis++) {
        if (row_length(cells, point, axis, 1) == 5) {
            return true;
        }
    }
    return false;
}

/* A set of stones, their numbers from 1 in the bytes of a word; and how many cells make it a five. */
typedef struct {
    uint64_t set;
    int fives;
} SlowFour;

/* The different fours of a line with the black stone on `point`. */
static int slow_fours(const int8_t *cells, int point, int axis, SlowFour *found) {
    int count = 0;
    for (int start = -4; start <= 0; start++) {
        uint64_t set = 0;
        int black = 0, empty = 0, at = 0;
        if (cell_at(cells, point, axis, start - 1, &at) == 1 || cell_at(cells, point, axis, start + 5, &at) == 1) {
            continue;
        }
        for (int k = start; k < start + 5; k++) {
            int cell = cell_at(cells, point, axis, k, &at);
            if (cell == 1) {
                set = set << 8 | (uint64_t)(at + 1);
                black++;
            }
            empty += cell == 0;
        }
        if (black == 4 && empty == 1) {
            int known = 0;
            while (known < count && found[known].set != set) {
                known++;
            }
            if (known == count) {
                found[count].set = set;
                found[count++].fives = 0;
            }
            found[known].fives++;
        }
    }
    return count;
}

static bool slow_forbidden(int8_t *cells, int point);

/* Whether the line with the black stone on `point` has a three that counts by article 9.3. */
static bool slow_three(int8_t *cells, int point, int axis) {
    bool counts = false;
    for (int k = -3; k <= 3 && !counts; k++) {
        SlowFour found[5];
        int added = 0;
        if (cell_at(cells, point, axis, k, &added) != 0) {
            continue;
        }
        cells[added] = 1;
        int count = slow_fours(cells, point, axis, found);
        bool straight = false;
        for (int i = 0; i < count; i++) {
            bool has_added = false;
            for (uint64_t set = found[i].set; set != 0; set >>= 8) {
                has_added = has_added || (int)(set & 255) == added + 1;
            }
            straight = straight || (found[i].fives == 2 && has_added && row_length(cells, point, axis, 1) == 4);
        }
        bool five = makes_five(cells, added);
        cells[added] = 0;
        counts = straight && !five && !slow_forbidden(cells, added);
    }
    return counts;
}

/* Whether a black stone on the empty `point` is forbidden. */
static bool slow_forbidden(int8_t *cells, int point) {
    SlowFour found[5];
    int fours_made = 0, threes_made = 0;
    bool over = false, five;
    cells[point] = 1;
    five = makes_five(cells, point);
    for (int axis = 0; axis < 4 && !five; axis++) {
        over = over || row_length(cells, point, axis, 1) > 5;
        fours_made += slow_fours(cells, point, axis, found);
    }
    for (int axis = 0; axis < 4 && !five && !over && fours_made < 2; axis++) {
        threes_made += slow_three(cells, point, axis);
    }
    cells[point] = 0;
    return !five && (over || fours_made >= 2 || threes_made >= 2);
}

/* Whether `color` (1 black, 2 white) may play on `point`. */
static bool slow_legal(const int8_t *board, int point, int color) {
    int8_t cells[POINTS];
    int stones = count_stones(board);
    memcpy(cells, board, sizeof cells);
    if (point < 0 || point >= POINTS || cells[point] != 0) {
        return false;
    }
    if (stones < 3 && distance_from_centre(point) > stones) {
        return false;
    }
    return color == 2 || !slow_forbidden(cells, point);
}

#ifdef GOLDEN
/* ---- Golden lines ------------------------------------------------------------------------------------------------- */

static double now_ms(void) {
    return 0;
}

static void print_point(int point) {
    if (point == PASS) {
        printf("pass");
    } else {
        printf("%c%d", 'a' + point % SIZE, SIZE - point / SIZE);
    }
}

/* Positions on stdin (225 cells, a blank, the side to move) to golden lines, searched to the depth of the argument. */
int main(int argc, char **argv) {
    static char line[4096];
    int depth = argc > 1 ? atoi(argv[1]) : 6;
    init_engine();
    while (fgets(line, sizeof line, stdin) != NULL) {
        int8_t cells[POINTS];
        int color, legal = 0;
        if (!read_position(line, POINTS, cells, &color)) {
            continue;
        }
        for (int point = 0; point < POINTS; point++) {
            putchar(".BW"[cells[point]]);
            legal += slow_legal(cells, point, color);
        }
        forget();
        limits.depth = depth;
        SearchResult result = search(cells, color - 1, false);
        set_up(cells);
        printf("%c %d %d %d ", ".BW"[color], result.depth, legal, evaluate(color - 1));
        print_point(result.best);
        printf(" %d %llu\n", result.score, (unsigned long long)result.nodes);
        fflush(stdout);
    }
    return 0;
}

#else
/* ---- Bot ---------------------------------------------------------------------------------------------------------- */

#define OWN_CLOCK_MS 5000.0 /* what a game may take where no judge tells the time */

static struct {
    int8_t cells[POINTS];
    int color;       /* 1 black, 2 white, 0 unknown */
    int plies;       /* moves made, passes included */
    bool passed;     /* the opponent has just passed */
    bool pass_word;  /* it spells a pass as a word */
    double used_ms;  /* what our answers took */
    double told_ms;  /* the time the judge told last */
    double spent_ms; /* what the last answer took of it on purpose */
    double wait_ms;  /* what an answer costs besides, as seen in this game */
} game;

static double answer_start;
static double planned_ms; /* what the answer in hand may take */

static double now_ms(void) {
    return clock_ms(WALL);
}

/* On a busy machine an answer costs more than it thinks: the judge's clock tells how much. The worst of late counts. */
static void learn_wait(double told_ms) {
    if (told_ms >= 0 && game.told_ms > told_ms) {
        double wait = game.told_ms - told_ms - game.spent_ms;
        game.wait_ms = wait > 0.8 * game.wait_ms ? wait : 0.8 * game.wait_ms;
    }
    game.told_ms = told_ms;
}

static void init_once(void) {
    static bool done;
    if (!done) {
        init_engine();
        done = true;
    }
}

/* The third stone of the openings known to favour Black most: beside a direct second stone Kagetsu, beside a diagonal
 * one Hogetsu. */
static int known_third(void) {
    for (int point = 0; point < POINTS; point++) {
        int row = point / SIZE - 7, col = point % SIZE - 7;
        if (game.cells[point] == 2 && game.cells[POINTS / 2] == 1 && distance_from_centre(point) == 1) {
            if (row == 0 || col == 0) {
                return SIZE * (7 + (row == 0 ? 1 : row)) + 7 + (col == 0 ? 1 : col);
            }
            return SIZE * (7 - row) + 7 + col;
        }
    }
    return -1;
}

/* The move of `color` with `left_ms` left for the rest of the game. */
static int think(double left_ms) {
    int stones = count_stones(game.cells);
    if (stones == 0) {
        return POINTS / 2;
    }
    if (stones == 2 && game.color == 1 && known_third() >= 0) {
        return known_third();
    }
    double keep = 0.03 * left_ms > 150 ? 0.03 * left_ms : 150;
    /* What is lost to waiting is lost whether we think or not: twenty answers of it stay in hand. */
    keep += 20 * game.wait_ms < 0.7 * left_ms ? 20 * game.wait_ms : 0.7 * left_ms;
    double spend = left_ms - keep > 1 ? left_ms - keep : 1;
    /* Games last some thirty moves a side; what is decided is decided early. */
    double to_go = stones < 40 ? 26 - stones / 4.0 : 16;
    double share = spend / to_go, most = 0.2 * spend;
    limits.depth = spend > 20 ? 60 : 1;
    limits.timed = true;
    limits.soft_ms = answer_start + 0.55 * share;
    planned_ms = 2.5 * share < most ? 2.5 * share : most;
    limits.hard_ms = answer_start + planned_ms;
    return search(game.cells, game.color - 1, game.passed).best;
}

static void answer_turn(double told_ms) {
    init_once();
    learn_wait(told_ms);
    if (game.color == 0) {
        game.color = game.plies % 2 == 0 ? 1 : 2;
    }
    double left = told_ms >= 0 ? told_ms - (now_ms() - answer_start) : OWN_CLOCK_MS - game.used_ms;
    int best = think(left);
    bool may_pass = count_stones(game.cells) >= 3;
    if (!(best == PASS && may_pass) && !slow_legal(game.cells, best, game.color)) {
        /* Never seen; but a legal move nearest to the centre is better than an illegal one. */
        best = PASS;
        for (int distance = 7; distance >= 0; distance--) {
            for (int point = 0; point < POINTS; point++) {
                if (distance_from_centre(point) == distance && slow_legal(game.cells, point, game.color)) {
                    best = point;
                }
            }
        }
    }
    if (best == PASS) {
        reply(*PASS_REPLY != 0 ? PASS_REPLY "\n" : game.pass_word ? "PASS\n" : MOVE_REPLY "-1 -1\n");
    } else {
        reply_move(best / SIZE, best % SIZE);
        game.cells[best] = (int8_t)game.color;
    }
    game.plies++;
    game.passed = false;
    double took = now_ms() - answer_start;
    game.used_ms += took;
    game.spent_ms = took < planned_ms ? took : planned_ms;
}

static void ready(char **words, int count) {
    reply(READY_REPLY "\n");
    if (game.plies > 0) {
        forget();
    }
    memset(&game, 0, sizeof game);
    game.color = color_named(words, count);
    init_once();
}

/* The opponent's move: two numbers, or a pass as a word or as numbers off the board. */
static void opponent(char **words, int count) {
    long numbers[2] = {-1, -1};
    int known = 0;
    bool word = false;
    for (int i = 0; i < count; i++) {
        if (same_word(words[i], "PASS")) {
            word = true;
        } else if (is_integer(words[i]) && known < 2) {
            numbers[known++] = atol(words[i]);
        }
    }
    if (game.color == 0) {
        game.color = game.plies % 2 == 0 ? 2 : 1;
    }
    long row = numbers[COLUMN_FIRST ? 1 : 0] - INDEX_BASE, col = numbers[COLUMN_FIRST ? 0 : 1] - INDEX_BASE;
    game.plies++;
    game.passed = word || known < 2 || row < 0 || row >= SIZE || col < 0 || col >= SIZE;
    if (game.passed) {
        game.pass_word = word;
        return;
    }
    int point = (int)(SIZE * row + col);
    if (game.cells[point] == 0) {
        game.cells[point] = (int8_t)(3 - game.color);
    }
}

/* A position to go on from: 225 cells in one word or several, and the moves made. */
static void init_position(char **words, int count) {
    int cells = 0;
    long plies = -1;
    memset(game.cells, 0, sizeof game.cells);
    for (int i = 0; i < count; i++) {
        if (cells < POINTS && (strlen(words[i]) > 4 || !is_integer(words[i]))) {
            for (const char *letter = words[i]; *letter != 0 && cells < POINTS; letter++) {
                if (cell_of(*letter) >= 0) {
                    game.cells[cells++] = (int8_t)cell_of(*letter);
                }
            }
        } else if (is_integer(words[i])) {
            plies = atol(words[i]);
        }
    }
    game.plies = plies >= 0 ? (int)plies : count_stones(game.cells);
    game.passed = false;
}

static void take_request(char **words, int count) {
    if (same_word(words[0], "INIT")) {
        init_position(words + 1, count - 1);
    } else if (same_word(words[0], "OPP")) {
        opponent(words + 1, count - 1);
    } else if (same_word(words[0], TURN_WORD)) {
        answer_start = now_ms();
        planned_ms = 0;
        answer_turn(count > 1 && is_integer(words[1]) ? (double)atol(words[1]) : -1.0);
    }
}
#endif
