/* BAKE:BEGIN origin */
/* Stonesmith's Othello bot as it stands in the source tree: a whole program, with weights that know little.
 * `stonesmith bake` fills the regions between BAKE:BEGIN and BAKE:END. Licence: MIT OR Apache-2.0. */
/* BAKE:END origin */

/* One file of C11 that is also C++17. It answers a judge line by line (READY, TURN turn board) and keeps to 5,000 ms
 * of answer time and of CPU time for a whole game. With -DGOLDEN it reads positions and prints golden lines instead.
 *
 * The engine repeats the Rust engine function by function: moves and flips, evaluation, table, ordering, endgame,
 * midgame, search. Equal node counts on equal positions are the proof of that. A baked file holds the engine twice,
 * for any processor and for AVX2, and chooses at run time; both visit the same nodes. */

#if !defined(_POSIX_C_SOURCE) && !defined(__cplusplus)
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Windows: gcc does not align the stack there as AVX2 needs it. */
#if !defined(PORTABLE) && !defined(_WIN32) && defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_AVX2_COPY 1
#include <immintrin.h>
#else
#define HAVE_AVX2_COPY 0
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NEVER_INLINE __attribute__((noinline))
#define ALIGNED __attribute__((aligned(32)))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- What was baked ------------------------------------------------------------------------------------------- */

/* BAKE:BEGIN identity */
#define WEIGHTS_ID "00000000"
/* BAKE:END identity */

/* BAKE:BEGIN spelling */
#define READY_REPLY "OK"
#define MOVE_REPLY "MOVE "
#define PASS_REPLY "PASS"
#define TURN_WORD "TURN"
#define INDEX_BASE 1
#define COLUMN_FIRST 0
/* BAKE:END spelling */

#define NEAR_BITS 15
#ifdef GOLDEN
#define TT_BITS 21
#else
/* BAKE:BEGIN memory */
#define TT_BITS 21
/* BAKE:END memory */
#endif

/* BAKE:BEGIN patterns */
#define PATTERNS 1
#define TABLES 3
#define KNOTS 1
#define LANES_USED 4
#define ROW_LEN 118
#define RAW_LEN 81
#define SCALE_SHIFT 3
/* Each pattern: the number of its cells, the cells (8 * row + column). */
static const uint8_t PATTERN_CELLS[1][11] = {
    {4, 0, 1, 8, 9}, /* corner 2x2 */
};
static const int TABLE_SIZES[] = {54, 32, 32};
static const uint8_t KNOT_PLIES[] = {30};
static const int16_t CONSTANTS[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};
/* BAKE:END patterns */

/* BAKE:BEGIN probcut */
/* From this ply on: deep, shallow depth; slope in 1024ths, intercept and deviation in search units. */
typedef struct {
    uint8_t ply, deep, shallow;
    int16_t slope, intercept;
    uint16_t deviation;
} ProbCut;
#define PROBCUT_LINES 0
static const ProbCut PROBCUT[PROBCUT_LINES + 1] __attribute__((unused)) = {
    {255, 0, 0, 0, 0, 0}};
/* BAKE:END probcut */

/* BAKE:BEGIN weights */
#define DENSE_TEXT 0
#define WEIGHTS_BYTES 217
static const char *const WEIGHTS_TEXT[] = {
"8TP1A(CNPz/g*`iGB&n.!#!!!!-9!%!;!+!!!!!!!!#+*l&W!!!!!!!!!!']P&!:$037-{!!!!!!!!!!!!!!!!`SE6%h)Q!}!7!!!!!!!!!!!!!!!!!!eH<hE#+)fXmi!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!*K']P#rj+BnL:lmV*YBR]R:wPi5QOBK3};->eD+nd)7l)]|TRsh_9Vx~a'!Q",
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

/* ---- Tables --------------------------------------------------------------------------------------------------- */

#define DISC 16                  /* search units of one disc */
#define MOST (64 * DISC - 1)     /* the largest evaluation */
#define INFINITE (64 * DISC + 1) /* beyond every score */
#define NONE (-127)              /* below every score in discs */
#define SOLVED 16                /* the table level of exact bounds */
#define SOLVE_LEVEL 8            /* the lowest level of solves with forward cuts */
#define LEVEL 1                  /* the selectivity of midgame searches */
#define BOLD_SOLVE 0             /* and of the solve that goes before the exact one */
#define NO_MOVE 255
#define PASS 255
#define LANES 48
#define MAX_CELLS 10
#define MOBILITY_SIZE 32
#define PLIES 61

typedef struct {
    uint64_t player, opponent;
} Board;

/* One number per pattern placement. */
typedef struct {
    uint16_t at[LANES];
} ALIGNED Lanes;

/* The pattern indices as the first side sees them, and as the second does. The first side is the one to move at the
 * root of the search. */
typedef struct {
    Lanes view[2];
} Indices;

/* The four rays of a square towards higher bits (right, down, down-right, down-left) and their opposites. */
typedef struct {
    uint64_t up[4], down[4];
} ALIGNED Rays;

static Rays RAYS[64];
static uint64_t NEIGHBORS[64];
static uint64_t DIAGONALS[64][2]; /* down-right, down-left */
static uint8_t LINE[8][256];      /* discs turned on a full line by square s for owner byte b: LINE[s][b] */
static uint8_t EDGE[65536];       /* stable discs of an edge by 256 * player + opponent */
static uint64_t ODD_SQUARES[16];  /* the squares of the quadrants whose parity bit is set */

static const uint64_t CORNERS = 0x8100000000000081u;
static const uint64_t QUADRANTS[4] = {0x000000000f0f0f0fu, 0x00000000f0f0f0f0u, 0x0f0f0f0f00000000u,
                                      0xf0f0f0f000000000u};

static uint64_t ray(int square, int dr, int dc) {
    uint64_t mask = 0;
    int r = square / 8 + dr, c = square % 8 + dc;
    for (; r >= 0 && r < 8 && c >= 0 && c < 8; r += dr, c += dc) {
        mask |= (uint64_t)1 << (8 * r + c);
    }
    return mask;
}

/* The discs turned along an edge alone by a disc of `player` on `square`. */
static unsigned edge_flips(unsigned player, unsigned opponent, int square) {
    unsigned turned = 0;
    for (int step = -1; step <= 1; step += 2) {
        unsigned run = 0;
        int at = square + step;
        for (; at >= 0 && at < 8 && (opponent >> at & 1); at += step) {
            run |= 1u << at;
        }
        if (at >= 0 && at < 8 && (player >> at & 1)) {
            turned |= run;
        }
    }
    return turned;
}

static uint8_t stable_on_edge(unsigned player, unsigned opponent) {
    unsigned stable = player;
    for (int square = 0; square < 8; square++) {
        unsigned bit = 1u << square, turned;
        if ((player | opponent) & bit) {
            continue;
        }
        turned = edge_flips(player, opponent, square);
        stable &= EDGE[256 * (player | bit | turned) + (opponent & ~turned)];
        turned = edge_flips(opponent, player, square);
        stable &= EDGE[256 * (player & ~turned) + (opponent | bit | turned)];
    }
    return (uint8_t)stable;
}

static void init_tables(void) {
    static const int STEPS[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int square = 0; square < 64; square++) {
        for (int axis = 0; axis < 4; axis++) {
            RAYS[square].up[axis] = ray(square, STEPS[axis][0], STEPS[axis][1]);
            RAYS[square].down[axis] = ray(square, -STEPS[axis][0], -STEPS[axis][1]);
        }
        uint64_t bit = (uint64_t)1 << square;
        DIAGONALS[square][0] = RAYS[square].up[2] | RAYS[square].down[2] | bit;
        DIAGONALS[square][1] = RAYS[square].up[3] | RAYS[square].down[3] | bit;
        for (int other = 0; other < 64; other++) {
            int dr = square / 8 - other / 8, dc = square % 8 - other % 8;
            if (other != square && dr >= -1 && dr <= 1 && dc >= -1 && dc <= 1) {
                NEIGHBORS[square] |= (uint64_t)1 << other;
            }
        }
    }
    for (int square = 0; square < 8; square++) {
        for (unsigned own = 0; own < 256; own++) {
            for (int step = -1; step <= 1; step += 2) {
                int at = square + step, run = 0;
                for (; at >= 0 && at < 8 && !(own >> at & 1); at += step) {
                    run++;
                }
                if (at >= 0 && at < 8) {
                    LINE[square][own] = (uint8_t)(LINE[square][own] + run);
                }
            }
        }
    }
    /* An edge depends only on edges with one disc more, and those have a larger set of occupied squares. */
    for (int occupied = 255; occupied >= 0; occupied--) {
        unsigned player = (unsigned)occupied;
        for (;; player = (player - 1) & (unsigned)occupied) {
            EDGE[256 * player + ((unsigned)occupied ^ player)] = stable_on_edge(player, (unsigned)occupied ^ player);
            if (player == 0) {
                break;
            }
        }
    }
    for (int parity = 0; parity < 16; parity++) {
        for (int quadrant = 0; quadrant < 4; quadrant++) {
            if (parity >> quadrant & 1) {
                ODD_SQUARES[parity] |= QUADRANTS[quadrant];
            }
        }
    }
}

/* ---- Patterns: placements, indices, shared weights -------------------------------------------------------------- */

static Lanes DIGITS[64];         /* 3^i in the lanes that have the square as their cell i */
static uint32_t OFFSETS[LANES];  /* where the table of a lane begins within one ply's weights */
static uint16_t SHARED[RAW_LEN]; /* the shared weight of each raw index, pattern by pattern */

/* Where symmetry s (transpose 4, rows 2, columns 1) puts a square. */
static int transform_square(int square, int s) {
    int r = square / 8, c = square % 8;
    if (s & 4) {
        int swap = r;
        r = c;
        c = swap;
    }
    if (s & 2) {
        r = 7 - r;
    }
    if (s & 1) {
        c = 7 - c;
    }
    return 8 * r + c;
}

/* Configurations that a symmetry of the pattern itself makes equal share a weight: its number is the rank of the
 * least of them. `to[p][i]` is the digit that symmetry p makes of digit i. */
static void rank_orbits(int cells, int count, int to[8][MAX_CELLS], uint16_t *shared) {
    uint32_t power[MAX_CELLS + 1] = {1}, image[8] = {0};
    int digit[MAX_CELLS] = {0};
    for (int i = 0; i < cells; i++) {
        power[i + 1] = 3 * power[i];
    }
    uint32_t rank = 0;
    for (uint32_t index = 0; index < power[cells]; index++) {
        uint32_t least = index;
        for (int p = 0; p < count; p++) {
            least = image[p] < least ? image[p] : least;
        }
        shared[index] = least == index ? (uint16_t)rank++ : shared[least];
        /* The images of the next index, digit by digit as far as the carry goes. */
        for (int i = 0; i < cells; i++) {
            bool carry = ++digit[i] == 3;
            for (int p = 0; p < count; p++) {
                image[p] += carry ? 0 - 2 * power[to[p][i]] : power[to[p][i]];
            }
            if (!carry) {
                break;
            }
            digit[i] = 0;
        }
    }
}

static void init_patterns(void) {
    int lane = 0;
    uint32_t start = 0;
    for (int number = 0; number < PATTERNS; number++) {
        const uint8_t *cells = PATTERN_CELLS[number] + 1;
        int length = PATTERN_CELLS[number][0], own = 0, placed = 0, to[8][MAX_CELLS] = {{0}};
        uint64_t shape = 0, known[8];
        for (int i = 0; i < length; i++) {
            shape |= (uint64_t)1 << cells[i];
        }
        for (int s = 0; s < 8; s++) {
            uint64_t image = 0;
            bool seen = false;
            for (int i = 0; i < length; i++) {
                image |= (uint64_t)1 << transform_square(cells[i], s);
            }
            if (image == shape) {
                for (int i = 0; i < length; i++) {
                    int at = 0;
                    while (cells[at] != transform_square(cells[i], s)) {
                        at++;
                    }
                    to[own][i] = at;
                }
                own++;
            }
            for (int k = 0; k < placed; k++) {
                seen = seen || known[k] == image;
            }
            if (seen) {
                continue;
            }
            known[placed++] = image;
            uint16_t power = 1;
            for (int i = 0; i < length; i++, power = (uint16_t)(3 * power)) {
                DIGITS[transform_square(cells[i], s)].at[lane] = power;
            }
            OFFSETS[lane++] = start;
        }
        rank_orbits(length, own, to, SHARED + start);
        uint32_t size = 1;
        for (int i = 0; i < length; i++) {
            size *= 3;
        }
        start += size;
    }
}

/* ---- Weights of a ply ------------------------------------------------------------------------------------------- */

static int16_t KNOT_ROWS[KNOTS][ROW_LEN]; /* the weights of each knot, table by table, mobilities last */

/* The weights of one ply, spread over the raw indices: made when a search first needs them, in the place of a ply that
 * lies behind, where there is one. */
#define STRIDE (RAW_LEN + 2 * MOBILITY_SIZE)
static int16_t ROW_STORE[PLIES][STRIDE];
static int16_t *ROWS[PLIES];
static int16_t *free_rows[PLIES];
static int free_count, rows_made;

#ifndef GOLDEN
/* Gives back the rows of plies before `ply`. */
static void forget_rows(int ply) {
    for (int behind = 0; behind < ply; behind++) {
        if (ROWS[behind] != NULL) {
            free_rows[free_count++] = ROWS[behind];
            ROWS[behind] = NULL;
        }
    }
}
#endif

/* Mixes the two knots around `ply` in 256ths, rounded to nearest, and spreads them. */
static NEVER_INLINE const int16_t *expand_row(int ply) {
    static int16_t mixed[ROW_LEN];
    const int16_t *low, *high;
    int share = mixture(ply, &low, &high);
    const int16_t *row = low;
    if (share != 0) {
        for (int i = 0; i < ROW_LEN; i++) {
            mixed[i] = (int16_t)((low[i] * (256 - share) + high[i] * share + 128) >> 8);
        }
        row = mixed;
    }
    int16_t *out = free_count > 0 ? free_rows[--free_count] : ROW_STORE[rows_made++];
    uint32_t raw = 0, shared = 0;
    for (int number = 0; number < PATTERNS; number++) {
        uint32_t size = 1;
        for (int i = 0; i < PATTERN_CELLS[number][0]; i++) {
            size *= 3;
        }
        for (uint32_t i = 0; i < size; i++, raw++) {
            out[raw] = row[shared + SHARED[raw]];
        }
        shared += (uint32_t)TABLE_SIZES[number];
    }
    memcpy(out + raw, row + shared, 2 * MOBILITY_SIZE * sizeof(int16_t));
    ROWS[ply] = out;
    return out;
}

/* ---- Transposition table ------------------------------------------------------------------------------------------ */

/* The whole board is the key, so a hit is never a mistaken one. Two entries share a bucket, which is one cache line:
 * the first keeps the deeper search, the second the latest. Entries of another generation count as empty. */
typedef struct {
    uint64_t key[2];
    int16_t lower, upper;
    uint8_t depth, level, best, generation;
} Entry;

typedef struct {
    Entry pair[2];
    uint64_t unused[2];
} Bucket;

typedef struct {
    Bucket *buckets;
    int bits; /* 2^bits entries */
} Table;

/* The table of all searches, and that of the last plies, small enough for the processor's caches: most searches there
 * are over before the memory behind a large table would answer. */
static Table tt, tt_near;
static uint8_t tt_generation = 1;

static void tt_new(Table *table, int bits) {
    char *memory = (char *)calloc(((size_t)1 << (bits - 1)) + 1, sizeof(Bucket));
    if (memory == NULL) {
        exit(0);
    }
    table->bits = bits;
    table->buckets = (Bucket *)(memory + (64 - (uintptr_t)memory % 64));
}

static void tt_init(void) {
    tt_new(&tt, TT_BITS);
    tt_new(&tt_near, NEAR_BITS);
}

static void tt_clear(void) {
    if (tt_generation == UINT8_MAX) {
        memset(tt.buckets, 0, sizeof(Bucket) << (tt.bits - 1));
        memset(tt_near.buckets, 0, sizeof(Bucket) << (tt_near.bits - 1));
        tt_generation = 0;
    }
    tt_generation++;
}

static ALWAYS_INLINE Entry *tt_pair(const Table *table, Board key) {
    uint64_t mixed = key.player * 0x9e3779b97f4a7c15u ^ (key.opponent << 32 | key.opponent >> 32);
    uint64_t hash = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
    return table->buckets[hash >> (64 - table->bits) >> 1].pair;
}

/* Asks memory for the entries of a position that will soon be probed. */
static ALWAYS_INLINE void tt_prefetch(const Table *table, Board key) {
#ifdef __GNUC__
    __builtin_prefetch(tt_pair(table, key));
#else
    (void)table;
    (void)key;
#endif
}

static ALWAYS_INLINE bool tt_holds(const Entry *entry, Board key) {
    return entry->key[0] == key.player && entry->key[1] == key.opponent && entry->generation == tt_generation;
}

/* The entry of a position, or NULL. */
static ALWAYS_INLINE const Entry *tt_probe(const Table *table, Board key) {
    const Entry *pair = tt_pair(table, key);
    return tt_holds(pair, key) ? pair : tt_holds(pair + 1, key) ? pair + 1 : NULL;
}

/* Whether the bounds of `entry` come from a better search than one of this depth and level: a solve before any midgame
 * search, then the deeper, then the surer. */
static ALWAYS_INLINE bool outranks(const Entry *entry, int depth, int level) {
    int held = (entry->level >= SOLVE_LEVEL) << 16 | entry->depth << 8 | entry->level;
    return held > ((level >= SOLVE_LEVEL) << 16 | depth << 8 | level);
}

/* Stores what a search found: `score` relative to its window. Bounds of an equal search are narrowed. */
static void tt_store(const Table *table, Board key, int depth, int level, int alpha, int beta, int score, int best,
                     int worst) {
    Entry *pair = tt_pair(table, key);
    int16_t lower = (int16_t)(score > alpha ? score : -worst);
    int16_t upper = (int16_t)(score < beta ? score : worst);
    Entry *entry = tt_holds(pair, key) ? pair : tt_holds(pair + 1, key) ? pair + 1 : NULL;
    if (entry != NULL && entry->depth == depth && entry->level == level) {
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
    if (entry != NULL && outranks(entry, depth, level)) {
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
    entry->key[0] = key.player;
    entry->key[1] = key.opponent;
    entry->lower = lower;
    entry->upper = upper;
    entry->depth = (uint8_t)depth;
    entry->level = (uint8_t)level;
    entry->best = (uint8_t)best;
    entry->generation = tt_generation;
}

/* ---- What a search is told and what it answers -------------------------------------------------------------------- */

typedef struct {
    int depth;
    int solve_empties; /* positions with at most this many empty squares are solved */
    bool timed;        /* whether the clock counts */
    double soft_ms;    /* from here on no new depth begins */
    double hard_ms;    /* from here on the search stops where it is */
} Limits;

typedef struct {
    int best, score;
    bool exact;
    int depth;
    uint64_t nodes;
} SearchResult;

static double now_ms(void);

#define CHECK_EVERY 4096 /* nodes between two looks at the clock */
/* A search with at least so many milliseconds before it finishes so many plies whatever the clock says: they cost a
 * fraction of that, and a machine that sleeps through a whole move must not make its answer a move seen one ply deep. */
#define SURE_MS 20
#define SURE_DEPTH 6
static Limits limits;
static uint64_t nodes, next_check;
static double stop_ms;
static bool stopped;
static int solve_level;   /* the level of the solve at hand */
static bool winner_known; /* whether the last search has settled who wins */

static NEVER_INLINE bool check(void) {
    next_check = nodes + CHECK_EVERY;
    if (limits.timed && now_ms() >= stop_ms) {
        stopped = true;
        next_check = 0;
    }
    return stopped;
}

static ALWAYS_INLINE bool must_stop(void) {
    return UNLIKELY(nodes >= next_check) && check();
}

/* What no limit may interrupt has been finished: from now on they hold. */
static void arm(void) {
    next_check = limits.timed ? nodes + CHECK_EVERY : UINT64_MAX;
    stop_ms = limits.hard_ms;
}

/* ---- Engine --------------------------------------------------------------------------------------------------------
 * Written once, compiled for each instruction set: ISA is the ending of every name, WIDE says that AVX2 may be used. */

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define NAME(name) CAT(name, ISA)

#define count_ones NAME(count_ones)
#define both_ways NAME(both_ways)
#define mobility NAME(mobility)
#define flips NAME(flips)
#define lanes_step NAME(lanes_step)
#define indices_new NAME(indices_new)
#define indices_after NAME(indices_after)
#define view_after NAME(view_after)
#define evaluate NAME(evaluate)
#define Candidate NAME(Candidate)
#define Candidates NAME(Candidates)
#define candidates_new NAME(candidates_new)
#define candidates_pick NAME(candidates_pick)
#define candidates_sort NAME(candidates_sort)
#define weighted_mobility NAME(weighted_mobility)
#define parity_of NAME(parity_of)
#define reach NAME(reach)
#define stable_edges NAME(stable_edges)
#define stable_count NAME(stable_count)
#define final_score NAME(final_score)
#define last_flips NAME(last_flips)
#define last1 NAME(last1)
#define last2 NAME(last2)
#define last3 NAME(last3)
#define last4 NAME(last4)
#define last_few NAME(last_few)
#define last5 NAME(last5)
#define mobility_keys NAME(mobility_keys)
#define solve_mobile NAME(solve_mobile)
#define probcut NAME(probcut)
#define stability_bound NAME(stability_bound)
#define store_solved NAME(store_solved)
#define enhanced_cutoff NAME(enhanced_cutoff)
#define solved_bound NAME(solved_bound)
#define order_by_eval NAME(order_by_eval)
#define solve_table NAME(solve_table)
#define solve_moves NAME(solve_moves)
#define solve_null NAME(solve_null)
#define solve_deep NAME(solve_deep)
#define solve_child NAME(solve_child)
#define solve_pv NAME(solve_pv)
#define last_ply NAME(last_ply)
#define branch NAME(branch)
#define pvs NAME(pvs)
#define deepen NAME(deepen)
#define root_move NAME(root_move)
#define solve_root NAME(solve_root)
#define solve_winner NAME(solve_winner)
#define search NAME(search)
#define static_value NAME(static_value)
#define perft NAME(perft)

static ALWAYS_INLINE int trailing_zeros(uint64_t mask) {
    return __builtin_ctzll(mask);
}

static ALWAYS_INLINE uint64_t square_bit(int square) {
    return (uint64_t)1 << square;
}

static ALWAYS_INLINE Board board_of(uint64_t player, uint64_t opponent) {
    Board board;
    board.player = player;
    board.opponent = opponent;
    return board;
}

/* The board after a move that turns `flipped`, seen from the other side. */
static ALWAYS_INLINE Board play(Board board, int square, uint64_t flipped) {
    return board_of(board.opponent ^ flipped, board.player ^ flipped ^ square_bit(square));
}

static ALWAYS_INLINE Board pass(Board board) {
    return board_of(board.opponent, board.player);
}

/* Column `shift` of a bitboard as a byte, and a byte spread over column `shift`. */
static ALWAYS_INLINE uint64_t column(uint64_t mask, int shift) {
    return ((mask >> shift) & 0x0101010101010101u) * 0x0102040810204080u >> 56;
}

static ALWAYS_INLINE uint64_t to_column(uint64_t byte, int shift) {
    /* Seven bits spread without carries; the eighth would collide with the first and goes by itself. */
    uint64_t spread = (byte & 127) * 0x0002040810204081u & 0x0101010101010101u;
    return (spread | (byte >> 7) << 56) << shift;
}

/* The parity bit of a square's quadrant. */
static ALWAYS_INLINE int quadrant_bit(int square) {
    return 1 << ((square >> 2 & 1) + (square >> 4 & 2));
}

/* From this many empty squares on: moves are ordered with the evaluation; with searches of the midgame; by mobility with
 * the table; by mobility without it; the table is asked about every child; a solve with forward cuts cuts; and such a
 * solve goes before the exact one. Then alpha from which stable discs are counted, by empty squares. */
#define EVAL_EMPTIES 12
#define SEARCH_EMPTIES 17
#define TABLE_EMPTIES 8
#define MOBILITY_EMPTIES 6
#define ETC_EMPTIES 10
#define PROBCUT_EMPTIES 13
#define BOLD_SOLVE_EMPTIES 18
static const int STABILITY_FROM[25] = {64, 64, 64, 64, 64, 64, 64, 64, 6,  8,  10, 12, 14,
                                       16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38};

/* What one reply of the opponent costs in ordering, in search units: in the endgame by evaluation and by search, in the
 * midgame. */
#define SOLVE_REPLY_WEIGHT (3 * DISC)
#define SEARCHED_REPLY_WEIGHT (2 * DISC)
#define REPLY_WEIGHT (DISC / 2)

/* Multi-ProbCut: from this depth on a node may be cut by a shallower search that lies so many deviations (in 256ths, by
 * level) outside the window. */
#define PROBCUT_DEPTH 3
static const int SIGMAS[] = {256, 358, 486, 666, 896};

#define DEPTHS 64
static ProbCut CUTS[PLIES][DEPTHS][2]; /* the lines that hold at a ply for a depth; `deep` 0 where there is none */

/* A line holds from its ply on, up to the next line of the same depths; one that reaches the end of the game holds at its
 * own ply, and there no other does. */
static void init_cuts(void) {
    for (int line = 0; line < PROBCUT_LINES; line++) {
        int first = PROBCUT[line].ply, deep = PROBCUT[line].deep, past = 60 - deep;
        if (first == past) {
            past++;
        }
        for (int ply = first; ply < past; ply++) {
            ProbCut *slot = CUTS[ply][deep];
            if (slot->deep != 0 && slot->shallow != PROBCUT[line].shallow) {
                slot++;
            }
            if (slot->deep == 0 || slot->shallow == PROBCUT[line].shallow) {
                *slot = PROBCUT[line];
            }
        }
    }
}

/* Rounds down; nothing negative is divided. */
static int floor_quotient(int value, int divisor) {
    return (value + 8192 * divisor) / divisor - 8192;
}

/* How deep the midgame search before a solve goes. */
static int midgame_depth_before_solving(int empties) {
    return empties <= 9 ? 0 : empties <= 13 ? 1 : empties / 2 - 3;
}

/* Eight or sixteen lanes at a time. */
typedef uint16_t Vector8 __attribute__((vector_size(16), may_alias));
typedef uint16_t Vector16 __attribute__((vector_size(32), may_alias));

#define ISA _portable
#define WIDE 0
/* BAKE:BEGIN engine */

/* -- Moves and flips -- */

static ALWAYS_INLINE int count_ones(uint64_t mask) {
#if WIDE || defined(__POPCNT__)
    return __builtin_popcountll(mask);
#else
    mask -= mask >> 1 & 0x5555555555555555u;
    mask = (mask & 0x3333333333333333u) + (mask >> 2 & 0x3333333333333333u);
    return (int)(((mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
#endif
}

#if WIDE
/* The empty squares where `player` may place a disc: the four axes in the four lanes of a register. */
static ALWAYS_INLINE uint64_t mobility(uint64_t player, uint64_t opponent) {
    const __m256i shift = _mm256_set_epi64x(7, 9, 8, 1), shift2 = _mm256_set_epi64x(14, 18, 16, 2);
    const long long inner = 0x7e7e7e7e7e7e7e7e;
    __m256i p = _mm256_set1_epi64x((long long)player);
    __m256i o = _mm256_and_si256(_mm256_set1_epi64x((long long)opponent), _mm256_set_epi64x(inner, inner, -1, inner));
    __m256i up = _mm256_and_si256(o, _mm256_sllv_epi64(p, shift));
    __m256i down = _mm256_and_si256(o, _mm256_srlv_epi64(p, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(o, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(down, _mm256_and_si256(o, _mm256_srlv_epi64(down, shift)));
    __m256i pairs_up = _mm256_and_si256(o, _mm256_sllv_epi64(o, shift));
    __m256i pairs_down = _mm256_srlv_epi64(pairs_up, shift);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, shift2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, shift2)));
    __m256i moves = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    __m128i halves = _mm_or_si128(_mm256_castsi256_si128(moves), _mm256_extracti128_si256(moves, 1));
    halves = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
    return (uint64_t)_mm_cvtsi128_si64(halves) & ~(player | opponent);
}

/* The opponent's discs that a disc on the empty `square` turns: four rays a register, both directions. */
static ALWAYS_INLINE uint64_t flips(uint64_t player, uint64_t opponent, int square) {
    const Rays *rays = &RAYS[square];
    const __m256i zero = _mm256_setzero_si256();
    const __m256i shift = _mm256_set_epi64x(7, 9, 8, 1);
    const __m256i shift2 = _mm256_set_epi64x(14, 18, 16, 2), shift4 = _mm256_set_epi64x(28, 36, 32, 4);
    __m256i p = _mm256_set1_epi64x((long long)player), o = _mm256_set1_epi64x((long long)opponent);
    __m256i line = _mm256_load_si256((const __m256i *)(const void *)rays->up);
    __m256i open = _mm256_andnot_si256(o, line);
    __m256i end = _mm256_and_si256(_mm256_and_si256(open, _mm256_sub_epi64(zero, open)), p);
    /* end - 1 where there is an end, 0 elsewhere. */
    __m256i below = _mm256_add_epi64(end, _mm256_xor_si256(_mm256_cmpeq_epi64(end, zero), _mm256_set1_epi64x(-1)));
    __m256i up = _mm256_and_si256(below, line);
    line = _mm256_load_si256((const __m256i *)(const void *)rays->down);
    open = _mm256_andnot_si256(o, line);
    /* Open squares smeared along the ray, away from the move, leave exactly the run before the first of them. */
    __m256i shadow = _mm256_or_si256(open, _mm256_srlv_epi64(open, shift));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, shift2));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, shift4));
    __m256i near = _mm256_andnot_si256(shadow, _mm256_and_si256(o, line));
    end = _mm256_andnot_si256(_mm256_srlv_epi64(shadow, shift), open);
    __m256i lost = _mm256_cmpeq_epi64(_mm256_and_si256(end, p), zero);
    __m256i both = _mm256_or_si256(up, _mm256_andnot_si256(lost, near));
    __m128i halves = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    halves = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
    return (uint64_t)_mm_cvtsi128_si64(halves);
}
#else
static ALWAYS_INLINE uint64_t both_ways(uint64_t player, uint64_t opponent, int shift) {
    uint64_t up = opponent & (player << shift), down = opponent & (player >> shift);
    up |= opponent & (up << shift);
    down |= opponent & (down >> shift);
    uint64_t pairs_up = opponent & (opponent << shift), pairs_down = pairs_up >> shift;
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    up |= pairs_up & (up << (2 * shift));
    down |= pairs_down & (down >> (2 * shift));
    return up << shift | down >> shift;
}

/* The empty squares where `player` may place a disc: runs of opponent discs grown by doubling. */
static ALWAYS_INLINE uint64_t mobility(uint64_t player, uint64_t opponent) {
    uint64_t inner = opponent & 0x7e7e7e7e7e7e7e7eu;
    uint64_t moves = both_ways(player, inner, 1) | both_ways(player, opponent, 8) | both_ways(player, inner, 7) |
                     both_ways(player, inner, 9);
    return moves & ~(player | opponent);
}

/* The opponent's discs that a disc on the empty `square` turns: each ray ends at its first square without one. */
static ALWAYS_INLINE uint64_t flips(uint64_t player, uint64_t opponent, int square) {
    const Rays *rays = &RAYS[square];
    uint64_t flipped = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t open = rays->up[i] & ~opponent;
        uint64_t end = open & (0 - open) & player;
        flipped |= rays->up[i] & (end - (end != 0));
    }
    for (int i = 0; i < 4; i++) {
        uint64_t open = rays->down[i] & ~opponent;
        uint64_t end = ((uint64_t)1 << 63 >> __builtin_clzll(open | 1)) & open & player;
        flipped |= rays->down[i] & (0 - (end << 1)) & (0 - (uint64_t)(end != 0));
    }
    return flipped;
}
#endif

/* Discs for the owner of `player` when the game is over: empties go to the winner. */
static ALWAYS_INLINE int final_score(uint64_t player, uint64_t opponent) {
    int p = count_ones(player), o = count_ones(opponent), empties = 64 - p - o;
    return p > o ? p - o + empties : p < o ? p - o - empties : 0;
}

/* -- Evaluation -- */

/* out = from + times * digits[square] + sign * (digits of every flipped square). */
static ALWAYS_INLINE void lanes_step(Lanes *out, const Lanes *from, int square, int times, uint64_t flipped, int sign) {
#if WIDE
    typedef Vector16 Vector;
#else
    typedef Vector8 Vector;
#endif
    const int parts = (int)(sizeof(Lanes) / sizeof(Vector));
    const Vector *source = (const Vector *)(const void *)from->at;
    const Vector *digit = (const Vector *)(const void *)DIGITS[square].at;
    Vector *target = (Vector *)(void *)out->at;
    Vector sum[sizeof(Lanes) / sizeof(Vector)];
#pragma GCC unroll 6
    for (int i = 0; i < parts; i++) {
        sum[i] = source[i] + digit[i];
        if (times == 2) {
            sum[i] += digit[i];
        }
    }
    for (; flipped != 0; flipped &= flipped - 1) {
        digit = (const Vector *)(const void *)DIGITS[trailing_zeros(flipped)].at;
#pragma GCC unroll 6
        for (int i = 0; i < parts; i++) {
            sum[i] = sign > 0 ? sum[i] + digit[i] : sum[i] - digit[i];
        }
    }
#pragma GCC unroll 6
    for (int i = 0; i < parts; i++) {
        target[i] = sum[i];
    }
}

/* The indices of a position from scratch, with the side to move as the first side. */
static void indices_new(Indices *indices, Board board) {
    memset(indices, 0, sizeof *indices);
    for (int square = 0; square < 64; square++) {
        int player = (int)(board.player >> square & 1), opponent = (int)(board.opponent >> square & 1);
        for (int lane = 0; lane < LANES; lane++) {
            unsigned digit = DIGITS[square].at[lane];
            indices->view[0].at[lane] = (uint16_t)(indices->view[0].at[lane] + digit * (unsigned)(player + 2 * opponent));
            indices->view[1].at[lane] = (uint16_t)(indices->view[1].at[lane] + digit * (unsigned)(2 * player + opponent));
        }
    }
}

/* After a disc on `square` that turned `flipped`, placed by the first side if `by_first`. */
static ALWAYS_INLINE void indices_after(Indices *next, const Indices *indices, int square, uint64_t flipped,
                                        bool by_first) {
    lanes_step(&next->view[!by_first], &indices->view[!by_first], square, 1, flipped, -1);
    lanes_step(&next->view[by_first], &indices->view[by_first], square, 2, flipped, 1);
}

/* Of the indices after a move, only what the side to move then sees. */
static ALWAYS_INLINE void view_after(Lanes *view, const Indices *indices, int square, uint64_t flipped, bool by_first) {
    lanes_step(view, &indices->view[by_first], square, 2, flipped, 1);
}

/* The value of `board` for its side to move in search units, from the indices that side sees. */
static ALWAYS_INLINE int evaluate(Board board, const Lanes *seen) {
    int ply = count_ones(board.player | board.opponent) - 4;
    const int16_t *row = ROWS[ply];
    if (UNLIKELY(row == NULL)) {
        row = expand_row(ply);
    }
    int sum = CONSTANTS[ply];
#pragma GCC unroll 48
    for (int lane = 0; lane < LANES_USED; lane++) {
        sum += row[OFFSETS[lane] + seen->at[lane]];
    }
    int own = count_ones(mobility(board.player, board.opponent));
    int other = count_ones(mobility(board.opponent, board.player));
    sum += row[RAW_LEN + (own < MOBILITY_SIZE ? own : MOBILITY_SIZE - 1)];
    sum += row[RAW_LEN + MOBILITY_SIZE + (other < MOBILITY_SIZE ? other : MOBILITY_SIZE - 1)];
    sum = (sum + (1 << SCALE_SHIFT >> 1)) >> SCALE_SHIFT;
    return sum < -MOST ? -MOST : sum > MOST ? MOST : sum;
}

#ifdef GOLDEN
/* The value of a position from scratch. */
static int static_value(Board board) {
    Indices indices;
    indices_new(&indices, board);
    return evaluate(board, &indices.view[0]);
}
#endif

/* -- Ordering -- */

typedef struct {
    uint64_t flipped, replies; /* what the move turns, and the moves that answer it */
    Board child;
    int key, square;
} Candidate;

typedef struct {
    Candidate items[60];
    int len;
} Candidates;

static ALWAYS_INLINE void candidates_new(Candidates *list, Board board, uint64_t moves) {
    list->len = 0;
    for (; moves != 0; moves &= moves - 1) {
        Candidate *item = &list->items[list->len++];
        item->square = trailing_zeros(moves);
        item->flipped = flips(board.player, board.opponent, item->square);
        item->child = play(board, item->square, item->flipped);
        item->replies = mobility(item->child.player, item->child.opponent);
        item->key = 0;
    }
}

/* The best of the moves from number `from` on, put in that place: the order of candidates_sort, worked out no further than
 * it is asked for. */
static ALWAYS_INLINE const Candidate *candidates_pick(Candidates *list, int from) {
    int at = from, best = list->items[from].key * 64 - list->items[from].square;
    for (int i = from + 1; i < list->len; i++) {
        int rank = list->items[i].key * 64 - list->items[i].square;
        at = rank > best ? i : at;
        best = rank > best ? rank : best;
    }
    Candidate picked = list->items[at];
    list->items[at] = list->items[from];
    list->items[from] = picked;
    return &list->items[from];
}

/* Largest key first, equal keys by square. */
static ALWAYS_INLINE void candidates_sort(Candidates *list) {
    for (int i = 1; i < list->len; i++) {
        Candidate item = list->items[i];
        int at = i;
        for (; at > 0 && list->items[at - 1].key < item.key; at--) {
            list->items[at] = list->items[at - 1];
        }
        list->items[at] = item;
    }
}

/* Moves with corners counted twice. */
static ALWAYS_INLINE int weighted_mobility(uint64_t moves) {
    return count_ones(moves) + count_ones(moves & CORNERS);
}

/* The parity bits of the four quadrants: 1 where the number of empty squares is odd. */
static ALWAYS_INLINE int parity_of(uint64_t empties) {
    int parity = 0;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        parity |= (count_ones(empties & QUADRANTS[quadrant]) & 1) << quadrant;
    }
    return parity;
}

/* -- Stability -- */

static ALWAYS_INLINE uint64_t stable_edges(uint64_t player, uint64_t opponent) {
    uint64_t top = EDGE[256 * (player & 255) + (opponent & 255)];
    uint64_t bottom = EDGE[256 * (player >> 56) + (opponent >> 56)];
    uint64_t left = EDGE[256 * column(player, 0) + column(opponent, 0)];
    uint64_t right = EDGE[256 * column(player, 7) + column(opponent, 7)];
    return top | bottom << 56 | to_column(left, 0) | to_column(right, 7);
}

/* All squares on a diagonal (`step` 9 down-right, 7 down-left) with one of `squares`; the masks are the columns that
 * a step of one, two and four towards higher bits may enter. */
static ALWAYS_INLINE uint64_t reach(uint64_t squares, int step, uint64_t first, uint64_t second, uint64_t fourth) {
    uint64_t up = squares, down = squares;
    up |= (up << step) & first;
    up |= (up << (2 * step)) & second;
    up |= (up << (4 * step)) & fourth;
    down |= (down & first) >> step;
    down |= (down & second) >> (2 * step);
    down |= (down & fourth) >> (4 * step);
    return up | down;
}

/* The number of discs of `player` that nothing can turn any more (a lower bound). */
static int stable_count(uint64_t player, uint64_t opponent) {
    uint64_t discs = player | opponent, rows = discs, columns = discs;
    rows &= rows >> 1 | 0x8080808080808080u;
    rows &= rows >> 2 | 0xc0c0c0c0c0c0c0c0u;
    rows &= rows >> 4 | 0xf0f0f0f0f0f0f0f0u;
    rows = (rows & 0x0101010101010101u) * 255;
    columns &= columns >> 8 | columns << 56;
    columns &= columns >> 16 | columns << 48;
    columns &= columns >> 32 | columns << 32;
    uint64_t right = ~reach(~discs, 9, 0xfefefefefefefefeu, 0xfcfcfcfcfcfcfcfcu, 0xf0f0f0f0f0f0f0f0u);
    uint64_t left = ~reach(~discs, 7, 0x7f7f7f7f7f7f7f7fu, 0x3f3f3f3f3f3f3f3fu, 0x0f0f0f0f0f0f0f0fu);
    uint64_t stable = stable_edges(player, opponent) | (rows & columns & right & left & player);
    uint64_t inner = player & 0x007e7e7e7e7e7e00u;
    for (;;) {
        uint64_t h = stable >> 1 | stable << 1 | rows, v = stable >> 8 | stable << 8 | columns;
        uint64_t d = stable >> 9 | stable << 9 | right, a = stable >> 7 | stable << 7 | left;
        uint64_t next = stable | (inner & h & v & d & a);
        if (next == stable) {
            return count_ones(stable);
        }
        stable = next;
    }
}

/* -- Endgame: scores in discs for the side to move -- */

/* The discs a move to the last empty square turns for the owner of `player`: each line is a byte and looked up. */
static ALWAYS_INLINE int last_flips(uint64_t player, int square) {
    int r = square / 8, c = square % 8;
    uint64_t down = (player & DIAGONALS[square][0]) * 0x0101010101010101u >> 56;
    uint64_t up = (player & DIAGONALS[square][1]) * 0x0101010101010101u >> 56;
    return LINE[c][player >> (8 * r) & 255] + LINE[r][column(player, c)] + LINE[c][down] + LINE[c][up];
}

/* One empty square: the discs it turns are counted, not turned. */
static ALWAYS_INLINE int last1(uint64_t player, int square) {
    nodes++;
    int own = count_ones(player), turned = last_flips(player, square);
    if (turned != 0) {
        return 2 * (own + turned) - 62;
    }
    turned = last_flips(~player ^ square_bit(square), square);
    if (turned != 0) {
        return 2 * (own - turned) - 64;
    }
    return own > 31 ? 2 * own - 62 : 2 * own - 64;
}

/* Two empty squares. */
static ALWAYS_INLINE int last2(uint64_t player, uint64_t opponent, int alpha, int first, int second) {
    nodes++;
    int best = NONE;
    if (NEIGHBORS[first] & opponent) {
        uint64_t flipped = flips(player, opponent, first);
        if (flipped != 0) {
            best = -last1(opponent ^ flipped, second);
            if (best > alpha) {
                return best;
            }
        }
    }
    if (NEIGHBORS[second] & opponent) {
        uint64_t flipped = flips(player, opponent, second);
        if (flipped != 0) {
            int score = -last1(opponent ^ flipped, first);
            best = score > best ? score : best;
        }
    }
    if (best != NONE) {
        return best;
    }
    /* A pass: the other side has the same two squares. */
    nodes++;
    int worst = -NONE;
    uint64_t flipped = flips(opponent, player, first);
    if (flipped != 0) {
        worst = last1(player ^ flipped, second);
        if (worst <= alpha) {
            return worst;
        }
    }
    flipped = flips(opponent, player, second);
    if (flipped != 0) {
        int score = last1(player ^ flipped, first);
        worst = score < worst ? score : worst;
    }
    return worst != -NONE ? worst : final_score(player, opponent);
}

static int last3(uint64_t player, uint64_t opponent, int alpha, uint64_t empties, int parity);
static int last4(uint64_t player, uint64_t opponent, int alpha, uint64_t empties, int parity);

/* The last four (`four`) or three empty squares, odd regions first. */
static ALWAYS_INLINE int last_few(bool four, uint64_t player, uint64_t opponent, int alpha, uint64_t empties,
                                  int parity) {
    nodes++;
    int best = NONE;
    uint64_t group = empties & ODD_SQUARES[parity], later = empties ^ group;
    for (int number = 0; number < 2; number++, group = later) {
        for (; group != 0; group &= group - 1) {
            int square = trailing_zeros(group);
            if (!(NEIGHBORS[square] & opponent)) {
                continue;
            }
            uint64_t flipped = flips(player, opponent, square);
            if (flipped == 0) {
                continue;
            }
            uint64_t next = opponent ^ flipped, other = player ^ flipped ^ square_bit(square);
            uint64_t rest = empties ^ square_bit(square);
            int score = four ? -last3(next, other, -alpha - 1, rest, parity ^ quadrant_bit(square))
                             : -last2(next, other, -alpha - 1, trailing_zeros(rest), trailing_zeros(rest & (rest - 1)));
            if (score > best) {
                best = score;
                if (best > alpha) {
                    return best;
                }
            }
        }
    }
    if (best != NONE) {
        return best;
    }
    if (mobility(opponent, player) == 0) {
        return final_score(player, opponent);
    }
    return four ? -last4(opponent, player, -alpha - 1, empties, parity)
                : -last3(opponent, player, -alpha - 1, empties, parity);
}

static int last3(uint64_t player, uint64_t opponent, int alpha, uint64_t empties, int parity) {
    return last_few(false, player, opponent, alpha, empties, parity);
}

static int last4(uint64_t player, uint64_t opponent, int alpha, uint64_t empties, int parity) {
    return last_few(true, player, opponent, alpha, empties, parity);
}

/* Five empty squares, with the moves of the side to move: odd regions and corners first. */
static int last5(uint64_t player, uint64_t opponent, uint64_t moves, int alpha) {
    nodes++;
    if (moves == 0) {
        uint64_t replies = mobility(opponent, player);
        return replies == 0 ? final_score(player, opponent) : -last5(opponent, player, replies, -alpha - 1);
    }
    uint64_t empties = ~(player | opponent);
    int parity = parity_of(empties);
    uint64_t odd = ODD_SQUARES[parity];
    uint64_t groups[4] = {moves & odd & CORNERS, moves & odd & ~CORNERS, moves & ~odd & CORNERS,
                          moves & ~odd & ~CORNERS};
    int best = NONE;
    for (int number = 0; number < 4; number++) {
        for (uint64_t group = groups[number]; group != 0; group &= group - 1) {
            int square = trailing_zeros(group);
            uint64_t flipped = flips(player, opponent, square), bit = square_bit(square);
            int score = -last4(opponent ^ flipped, player ^ flipped ^ bit, -alpha - 1, empties ^ bit,
                               parity ^ quadrant_bit(square));
            if (score > best) {
                best = score;
                if (best > alpha) {
                    return best;
                }
            }
        }
    }
    return best;
}

/* Keys by the opponent's mobility, then odd regions, the table's move first. */
static ALWAYS_INLINE void mobility_keys(Candidates *list, uint64_t empties, int hash_move) {
    uint64_t odd = ODD_SQUARES[parity_of(empties)];
    for (int i = 0; i < list->len; i++) {
        Candidate *candidate = &list->items[i];
        candidate->key = (int)(odd >> candidate->square & 1) - 2 * weighted_mobility(candidate->replies);
        if (candidate->square == hash_move) {
            candidate->key = 1 << 20;
        }
    }
}

/* Null-window node ordered by mobility, 6 or 7 empty squares. */
static int solve_mobile(Board board, uint64_t moves, int alpha, int count) {
    nodes++;
    if (moves == 0) {
        uint64_t replies = mobility(board.opponent, board.player);
        return replies == 0 ? final_score(board.player, board.opponent)
                            : -solve_mobile(pass(board), replies, -alpha - 1, count);
    }
    Candidates list;
    candidates_new(&list, board, moves);
    mobility_keys(&list, ~(board.player | board.opponent), NO_MOVE);
    int best = NONE;
    for (int i = 0; i < list.len; i++) {
        const Candidate *candidate = candidates_pick(&list, i);
        Board child = candidate->child;
        int score = count > MOBILITY_EMPTIES ? -solve_mobile(child, candidate->replies, -alpha - 1, count - 1)
                                             : -last5(child.player, child.opponent, candidate->replies, -alpha - 1);
        if (score > best) {
            best = score;
            if (best > alpha) {
                break;
            }
        }
    }
    return best;
}

static int pvs(Board board, const Indices *indices, bool by_first, int depth, int alpha, int beta);

/* Whether the value of a search to `deep` is surely at least `beta` or surely at most `alpha` (search units): then that
 * bound. The weights carry fitted lines, deep = a * shallow + b with a deviation. */
static bool probcut(Board board, const Indices *indices, bool by_first, int deep, int sigmas, int alpha, int beta,
                    int *bound) {
    const ProbCut *line = CUTS[count_ones(board.player | board.opponent) - 4][deep];
    if (line->deep == 0) {
        return false;
    }
    int value = evaluate(board, &indices->view[!by_first]);
    for (int number = 0; number < 2 && line->deep != 0; number++, line++) {
        int margin = (sigmas * line->deviation) >> 8;
        if (value >= beta) {
            int high = -floor_quotient(-(beta + margin - line->intercept) * 1024, line->slope);
            if (high < INFINITE && pvs(board, indices, by_first, line->shallow, high - 1, high) >= high) {
                *bound = beta;
                return !stopped;
            }
        } else if (value <= alpha) {
            int low = floor_quotient((alpha - margin - line->intercept) * 1024, line->slope);
            if (low > -INFINITE && pvs(board, indices, by_first, line->shallow, low, low + 1) <= low) {
                *bound = alpha;
                return !stopped;
            }
        }
        if (stopped) {
            return false;
        }
    }
    return false;
}

/* The score cannot exceed what the opponent's stable discs leave; true with the bound when that decides the node. */
static ALWAYS_INLINE bool stability_bound(Board board, int alpha, int count, int *bound) {
    if (alpha < STABILITY_FROM[count < 24 ? count : 24]) {
        return false;
    }
    *bound = 64 - 2 * stable_count(board.opponent, board.player);
    return *bound <= alpha;
}

/* Whether the table decides the null window at alpha (with what), and the move to try first: only one that a solve has
 * shown to be good enough knows more than the order by value and replies. */
static ALWAYS_INLINE bool solved_bound(const Table *table, Board board, int alpha, int level, int *bound,
                                       int *hash_move) {
    const Entry *entry = tt_probe(table, board);
    *hash_move = NO_MOVE;
    if (entry == NULL) {
        return false;
    }
    if (entry->level >= SOLVE_LEVEL && entry->lower > -64 * DISC) {
        *hash_move = entry->best;
    }
    if (entry->level < level) {
        return false;
    }
    if (entry->lower > alpha * DISC) {
        *bound = entry->lower / DISC;
        return true;
    }
    *bound = entry->upper / DISC;
    return entry->upper <= alpha * DISC;
}

static ALWAYS_INLINE void store_solved(const Table *table, Board board, int count, int alpha, int beta, int score,
                                       int best, int level) {
    tt_store(table, board, count, level, alpha * DISC, beta * DISC, score * DISC, best, 64 * DISC);
}

/* A child whose stored upper bound already decides the node. */
static ALWAYS_INLINE bool enhanced_cutoff(const Table *table, const Candidates *list, int alpha, int level,
                                          int *bound) {
    for (int i = 0; i < list->len; i++) {
        const Entry *entry = tt_probe(table, list->items[i].child);
        if (entry != NULL && entry->level >= level && -entry->upper > alpha * DISC) {
            *bound = -entry->upper / DISC;
            return true;
        }
    }
    return false;
}

/* Sorts by the child's value (its evaluation or, far from the end, a search), mobility and parity, the table's move
 * first. */
static void order_by_eval(Candidates *list, const Indices *indices, bool by_first, int hash_move, uint64_t empties) {
    int count = count_ones(empties);
    int depth = count < SEARCH_EMPTIES ? 0 : (count - SEARCH_EMPTIES) / 2 + 1;
    int reply_weight = depth == 0 ? SOLVE_REPLY_WEIGHT : SEARCHED_REPLY_WEIGHT;
    uint64_t odd = ODD_SQUARES[parity_of(empties)];
    for (int i = 0; i < list->len; i++) {
        Candidate *candidate = &list->items[i];
        if (candidate->square == hash_move) {
            candidate->key = 1 << 20;
            continue;
        }
        int value;
        if (depth == 0) {
            Lanes seen;
            view_after(&seen, indices, candidate->square, candidate->flipped, by_first);
            value = -evaluate(candidate->child, &seen);
        } else {
            Indices after;
            indices_after(&after, indices, candidate->square, candidate->flipped, by_first);
            value = -pvs(candidate->child, &after, !by_first, depth, -INFINITE, INFINITE);
        }
        candidate->key = value - reply_weight * weighted_mobility(candidate->replies);
        candidate->key += DISC * (int)(odd >> candidate->square & 1);
    }
    candidates_sort(list);
}

static int solve_moves(Board board, uint64_t moves, int alpha, int count);

/* Null-window node with table and mobility order. */
static int solve_table(Board board, uint64_t moves, int alpha, int count) {
    nodes++;
    if (must_stop()) {
        return 0;
    }
    int bound, hash_move;
    if (stability_bound(board, alpha, count, &bound)) {
        return bound;
    }
    if (moves == 0) {
        uint64_t replies = mobility(board.opponent, board.player);
        return replies == 0 ? final_score(board.player, board.opponent)
                            : -solve_table(pass(board), replies, -alpha - 1, count);
    }
    if (solved_bound(&tt_near, board, alpha, SOLVED, &bound, &hash_move)) {
        return bound;
    }
    Candidates list;
    candidates_new(&list, board, moves);
    /* Children are asked about after the keys have been worked out: by then their entries have arrived. */
    for (int i = 0; count > TABLE_EMPTIES && i < list.len; i++) {
        tt_prefetch(&tt_near, list.items[i].child);
    }
    mobility_keys(&list, ~(board.player | board.opponent), hash_move);
    if (count >= ETC_EMPTIES && enhanced_cutoff(&tt_near, &list, alpha, SOLVED, &bound)) {
        return bound;
    }
    int best = NONE, best_move = NO_MOVE;
    for (int i = 0; i < list.len; i++) {
        const Candidate *candidate = candidates_pick(&list, i);
        int score = -solve_moves(candidate->child, candidate->replies, -alpha - 1, count - 1);
        if (stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            best_move = candidate->square;
            if (best > alpha) {
                break;
            }
        }
    }
    store_solved(&tt_near, board, count, alpha, alpha + 1, best, best_move, SOLVED);
    return best;
}

/* The null-window search (alpha, alpha + 1) without evaluation from five empty squares on, with the moves. */
static ALWAYS_INLINE int solve_moves(Board board, uint64_t moves, int alpha, int count) {
    return count >= TABLE_EMPTIES      ? solve_table(board, moves, alpha, count)
           : count >= MOBILITY_EMPTIES ? solve_mobile(board, moves, alpha, count)
                                       : last5(board.player, board.opponent, moves, alpha);
}

/* The same for any number of empty squares. */
static int solve_null(Board board, int alpha, int count) {
    uint64_t empties = ~(board.player | board.opponent);
    switch (count) {
    case 0:
        nodes++;
        return final_score(board.player, board.opponent);
    case 1:
        return last1(board.player, trailing_zeros(empties));
    case 2:
        return last2(board.player, board.opponent, alpha, trailing_zeros(empties),
                     trailing_zeros(empties & (empties - 1)));
    case 3:
        return last3(board.player, board.opponent, alpha, empties, parity_of(empties));
    case 4:
        return last4(board.player, board.opponent, alpha, empties, parity_of(empties));
    default:
        return solve_moves(board, mobility(board.player, board.opponent), alpha, count);
    }
}

/* Null-window node with table, ETC and evaluation order. */
static int solve_deep(Board board, const Indices *indices, bool by_first, int alpha, int count) {
    nodes++;
    if (must_stop()) {
        return 0;
    }
    int bound, hash_move;
    if (stability_bound(board, alpha, count, &bound)) {
        return bound;
    }
    uint64_t moves = mobility(board.player, board.opponent);
    if (moves == 0) {
        if (mobility(board.opponent, board.player) == 0) {
            return final_score(board.player, board.opponent);
        }
        return -solve_deep(pass(board), indices, !by_first, -alpha - 1, count);
    }
    if (solved_bound(&tt, board, alpha, solve_level, &bound, &hash_move)) {
        return bound;
    }
    if (solve_level < SOLVED && count >= PROBCUT_EMPTIES) {
        int sigmas = SIGMAS[solve_level - SOLVE_LEVEL];
        if (probcut(board, indices, by_first, count, sigmas, alpha * DISC, (alpha + 1) * DISC, &bound)) {
            bound /= DISC;
            store_solved(&tt, board, count, alpha, alpha + 1, bound, hash_move, solve_level);
            return bound;
        }
        if (stopped) {
            return 0;
        }
    }
    Candidates list;
    candidates_new(&list, board, moves);
    const Table *below = count > EVAL_EMPTIES ? &tt : &tt_near;
    for (int i = 0; i < list.len; i++) {
        tt_prefetch(below, list.items[i].child);
    }
    if (enhanced_cutoff(below, &list, alpha, solve_level, &bound)) {
        return bound;
    }
    order_by_eval(&list, indices, by_first, hash_move, ~(board.player | board.opponent));
    if (stopped) {
        return 0;
    }
    int best = NONE, best_move = NO_MOVE;
    for (int i = 0; i < list.len; i++) {
        const Candidate *candidate = &list.items[i];
        int score;
        if (count > EVAL_EMPTIES) {
            Indices after;
            indices_after(&after, indices, candidate->square, candidate->flipped, by_first);
            score = -solve_deep(candidate->child, &after, !by_first, -alpha - 1, count - 1);
        } else {
            score = -solve_moves(candidate->child, candidate->replies, -alpha - 1, count - 1);
        }
        if (stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            best_move = candidate->square;
            if (best > alpha) {
                break;
            }
        }
    }
    store_solved(&tt, board, count, alpha, alpha + 1, best, best_move, solve_level);
    return best;
}

/* The null-window search that fits the number of empty squares. */
static ALWAYS_INLINE int solve_child(Board board, const Indices *indices, bool by_first, int alpha, int count) {
    if (count >= EVAL_EMPTIES) {
        return solve_deep(board, indices, by_first, alpha, count);
    }
    return solve_null(board, alpha, count);
}

/* A principal variation node with window (alpha, beta), any number of empty squares. */
static int solve_pv(Board board, const Indices *indices, bool by_first, int alpha, int beta) {
    nodes++;
    if (must_stop()) {
        return 0;
    }
    uint64_t moves = mobility(board.player, board.opponent);
    if (moves == 0) {
        if (mobility(board.opponent, board.player) == 0) {
            return final_score(board.player, board.opponent);
        }
        return -solve_pv(pass(board), indices, !by_first, -beta, -alpha);
    }
    const Entry *entry = tt_probe(&tt, board);
    int hash_move = entry != NULL ? entry->best : NO_MOVE, count = 64 - count_ones(board.player | board.opponent);
    Candidates list;
    candidates_new(&list, board, moves);
    order_by_eval(&list, indices, by_first, hash_move, ~(board.player | board.opponent));
    if (stopped) {
        return 0;
    }
    int best = NONE, best_move = NO_MOVE;
    for (int i = 0; i < list.len; i++) {
        const Candidate *candidate = &list.items[i];
        Indices after;
        indices_after(&after, indices, candidate->square, candidate->flipped, by_first);
        int low = alpha > best ? alpha : best, score;
        if (i == 0) {
            score = -solve_pv(candidate->child, &after, !by_first, -beta, -low);
        } else {
            score = -solve_child(candidate->child, &after, !by_first, -low - 1, count - 1);
            if (score > low && score < beta && !stopped) {
                score = -solve_pv(candidate->child, &after, !by_first, -beta, -score);
            }
        }
        if (stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            best_move = candidate->square;
            if (best >= beta) {
                break;
            }
        }
    }
    store_solved(&tt, board, count, alpha, beta, best, best_move, solve_level);
    return best;
}

/* -- Midgame: scores in search units for the side to move -- */

/* Depth 1: every child is evaluated where it stands. */
static int last_ply(Board board, const Indices *indices, bool by_first, uint64_t moves, int alpha, int beta,
                    int *best_move) {
    int best = -INFINITE;
    uint64_t group = moves & CORNERS, later = moves ^ group;
    for (int number = 0; number < 2; number++, group = later) {
        for (; group != 0; group &= group - 1) {
            nodes++;
            int square = trailing_zeros(group), score = 64 * DISC;
            uint64_t flipped = flips(board.player, board.opponent, square);
            Board child = play(board, square, flipped);
            if (child.player != 0) {
                Lanes seen;
                view_after(&seen, indices, square, flipped, by_first);
                score = -evaluate(child, &seen);
            }
            if (score > best) {
                best = score;
                *best_move = square;
                if (best >= beta && best > alpha) {
                    return best;
                }
            }
        }
    }
    return best;
}

static int branch(Board board, const Indices *indices, bool by_first, int depth, int alpha, int beta, uint64_t moves,
                  int hash_move, int *best_move) {
    Candidates list;
    candidates_new(&list, board, moves);
    for (int i = 0; i < list.len; i++) {
        Candidate *candidate = &list.items[i];
        if (candidate->square == hash_move) {
            candidate->key = 1 << 20;
            continue;
        }
        uint64_t replies = mobility(candidate->child.player, candidate->child.opponent);
        candidate->key = -REPLY_WEIGHT * weighted_mobility(replies);
        if (depth >= 3) {
            Lanes seen;
            view_after(&seen, indices, candidate->square, candidate->flipped, by_first);
            candidate->key -= evaluate(candidate->child, &seen);
        }
    }
    candidates_sort(&list);
    int best = -INFINITE;
    for (int i = 0; i < list.len; i++) {
        const Candidate *candidate = &list.items[i];
        Indices after;
        indices_after(&after, indices, candidate->square, candidate->flipped, by_first);
        int low = alpha > best ? alpha : best, score;
        if (i == 0) {
            score = -pvs(candidate->child, &after, !by_first, depth - 1, -beta, -low);
        } else {
            score = -pvs(candidate->child, &after, !by_first, depth - 1, -low - 1, -low);
            if (score > low && score < beta && !stopped) {
                score = -pvs(candidate->child, &after, !by_first, depth - 1, -beta, -score);
            }
        }
        if (stopped) {
            return 0;
        }
        if (score > best) {
            best = score;
            *best_move = candidate->square;
            if (best >= beta) {
                break;
            }
        }
    }
    return best;
}

/* The value of a node to `depth` plies within (alpha, beta), fail-soft. */
static int pvs(Board board, const Indices *indices, bool by_first, int depth, int alpha, int beta) {
    nodes++;
    if (depth == 0) {
        return evaluate(board, &indices->view[!by_first]);
    }
    if (must_stop()) {
        return 0;
    }
    uint64_t moves = mobility(board.player, board.opponent);
    if (moves == 0) {
        if (mobility(board.opponent, board.player) == 0) {
            return final_score(board.player, board.opponent) * DISC;
        }
        return -pvs(pass(board), indices, !by_first, depth, -beta, -alpha);
    }
    int hash_move = NO_MOVE, best_move = NO_MOVE, best;
    const Entry *entry = tt_probe(&tt, board);
    if (entry != NULL) {
        if (entry->level >= SOLVE_LEVEL || (entry->depth >= depth && entry->level >= LEVEL)) {
            if (entry->lower >= beta || entry->lower == entry->upper) {
                return entry->lower;
            }
            if (entry->upper <= alpha) {
                return entry->upper;
            }
        }
        hash_move = entry->best;
    }
    if (depth >= PROBCUT_DEPTH && beta - alpha == 1) {
        int bound;
        if (probcut(board, indices, by_first, depth, SIGMAS[LEVEL], alpha, beta, &bound)) {
            tt_store(&tt, board, depth, LEVEL, alpha, beta, bound, hash_move, INFINITE);
            return bound;
        }
        if (stopped) {
            return 0;
        }
    }
    if (depth == 1) {
        best = last_ply(board, indices, by_first, moves, alpha, beta, &best_move);
    } else {
        best = branch(board, indices, by_first, depth, alpha, beta, moves, hash_move, &best_move);
    }
    if (stopped) {
        return 0;
    }
    tt_store(&tt, board, depth, LEVEL, alpha, beta, best, best_move, INFINITE);
    return best;
}

/* -- Search: iterative deepening, then the exact solve -- */

static int root_move(Board board) {
    const Entry *entry = tt_probe(&tt, board);
    return entry != NULL ? entry->best : NO_MOVE;
}

/* One iteration: an aspiration window around the last score, opened where it fails. */
static int deepen(Board board, const Indices *indices, int depth, int guess, int *best) {
    int margin = 3 * DISC, alpha = -INFINITE, beta = INFINITE;
    if (depth > 3) {
        alpha = guess - margin;
        beta = guess + margin;
    }
    for (;;) {
        int score = pvs(board, indices, true, depth, alpha > -INFINITE ? alpha : -INFINITE,
                        beta < INFINITE ? beta : INFINITE);
        if (stopped) {
            return 0;
        }
        margin *= 3;
        if (score <= alpha && alpha > -INFINITE) {
            alpha = score - margin;
        } else if (score >= beta && beta < INFINITE) {
            beta = score + margin;
        } else {
            *best = root_move(board);
            return score;
        }
    }
}

/* The exact value of the root in discs, by aspiration around `guess` (search units). */
static int solve_root(Board board, const Indices *indices, int guess, int *best) {
    /* Values are even when the board fills up; start with a window around the even number nearest the guess. */
    int center = (guess + MOST + 1 + DISC) / (2 * DISC) * 2 - 64;
    int margin = 2, alpha = center - 1, beta = center + 1;
    for (;;) {
        int low = alpha > -65 ? alpha : -65, high = beta < 65 ? beta : 65;
        int score = solve_pv(board, indices, true, low, high);
        if (stopped) {
            return 0;
        }
        if (score <= low && low >= -64) {
            beta = score + 1;
            alpha = score - margin;
        } else if (score >= high && high <= 64) {
            alpha = score - 1;
            beta = score + margin;
        } else {
            const Entry *entry = tt_probe(&tt, board);
            *best = entry != NULL && entry->level >= SOLVE_LEVEL ? entry->best : NO_MOVE;
            return score;
        }
        margin *= 3;
    }
}

/* On the clock, who wins comes before by how much: a solve with the window (-1, 1). Whether there is time left for the
 * exact score. */
static bool solve_winner(Board board, const Indices *indices, SearchResult *result) {
    if (!limits.timed) {
        return true;
    }
    int score = solve_pv(board, indices, true, -1, 1);
    if (stopped) {
        return false;
    }
    winner_known = true;
    /* A lost position keeps the move that loses by least, as far as is known. */
    if (score >= 0) {
        result->best = root_move(board);
        result->score = score * DISC;
    }
    return now_ms() < limits.soft_ms;
}

/* Searches a position within `limits`. */
static SearchResult search(Board board) {
    SearchResult result = {PASS, 0, false, 0, 0};
    nodes = 0;
    stopped = false;
    winner_known = false;
    next_check = UINT64_MAX;
    if (mobility(board.player, board.opponent) == 0) {
        if (mobility(board.opponent, board.player) == 0) {
            result.score = final_score(board.player, board.opponent) * DISC;
            result.exact = true;
            result.nodes = 1;
            return result;
        }
        result = search(pass(board));
        result.best = PASS;
        result.score = -result.score;
        result.nodes++;
        return result;
    }
    int empties = 64 - count_ones(board.player | board.opponent), guess = 0, best = NO_MOVE;
    bool solving = empties <= limits.solve_empties;
    /* A solve is prepared by a midgame search about half as deep: it fills the table with best moves. */
    int deepest = solving ? midgame_depth_before_solving(empties) : limits.depth < empties ? limits.depth : empties;
    Indices indices;
    indices_new(&indices, board);
    int sure_depth = limits.timed && limits.hard_ms - now_ms() >= SURE_MS ? SURE_DEPTH : 1;
    for (int depth = 1; depth <= deepest; depth++) {
        if (depth > sure_depth) {
            arm();
            if (limits.timed && now_ms() >= limits.soft_ms) {
                break;
            }
        }
        int score = deepen(board, &indices, depth, guess, &best);
        if (stopped) {
            break;
        }
        guess = score;
        result.best = best;
        result.score = score;
        result.depth = depth;
    }
    if (solving && !stopped) {
        /* A solve with forward cuts costs little, knows nearly everything, and leaves its moves in the table. */
        bool bold = empties >= BOLD_SOLVE_EMPTIES && CUTS[60 - empties][empties][0].deep != 0;
        for (solve_level = bold ? SOLVE_LEVEL + BOLD_SOLVE : SOLVED;; solve_level = SOLVED) {
            if (result.depth > 0) {
                arm();
            }
            if (solve_level == SOLVED && !solve_winner(board, &indices, &result)) {
                break;
            }
            int score = solve_root(board, &indices, guess, &best);
            if (stopped) {
                break;
            }
            guess = score * DISC;
            result.best = best;
            result.score = guess;
            result.exact = solve_level == SOLVED;
            result.depth = empties;
            if (result.exact) {
                break;
            }
        }
    }
    result.nodes = nodes;
    return result;
}

#ifdef GOLDEN
/* Leaves `depth` plies below; a pass is a ply, an ended game one leaf. */
static uint64_t perft(Board board, int depth) {
    uint64_t moves = mobility(board.player, board.opponent), count = 0;
    if (depth == 0) {
        return 1;
    }
    if (moves == 0) {
        return mobility(board.opponent, board.player) == 0 ? 1 : perft(pass(board), depth - 1);
    }
    for (; moves != 0; moves &= moves - 1) {
        int square = trailing_zeros(moves);
        count += perft(play(board, square, flips(board.player, board.opponent, square)), depth - 1);
    }
    return count;
}
#endif
/* BAKE:END engine */
#undef ISA
#undef WIDE
/* BAKE:BEGIN engine-avx2 */
/* BAKE:END engine-avx2 */

/* Whether the engine for AVX2 is there and suits this processor. */
static bool wide;

static SearchResult search_position(Board board) {
#ifdef HAVE_AVX2_ENGINE
    if (wide) {
        return search_avx2(board);
    }
#endif
    return search_portable(board);
}

/* What every game needs once: some milliseconds. */
static void init_engine(void) {
#ifdef HAVE_AVX2_ENGINE
    __builtin_cpu_init();
    wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    wide = false;
#endif
    init_tables();
    init_cuts();
    init_patterns();
    decode_weights();
    tt_init();
}

/* The board of 64 cells (0, 1, 2) for the side `color` (1 black, 2 white). */
static Board board_for(const int8_t *cells, int color) {
    uint64_t discs[3] = {0, 0, 0};
    for (int square = 0; square < 64; square++) {
        discs[cells[square]] |= square_bit(square);
    }
    return board_of(discs[color], discs[3 - color]);
}

/* ---- Time plan ------------------------------------------------------------------------------------------------------
 * The judge allows 5,000 ms of answer time and of processor time for the whole game. The plan spends at most PLAN_MS
 * of either. Midgame moves share what is not kept for the solve; the solve begins as early as it promises to end. */

#define PLAN_MS 4500.0
#define RESERVE_MS 500.0      /* kept where a judge tells the time that is left */
#define SOLVE_KEEP 0.24       /* the share of the plan kept for solving while there is midgame to play */
#define SOLVE_PROMISE 0.7     /* a solve begins when it should take at most this share of what is left */
#define SOLVE_MOST 0.75       /* and it stops at this share */
#define SOLVE_SPEED 7.0       /* nodes a solve visits in the time of one of the midgame */
#define EXACT_SHARE 0.3       /* the exact score is sought if the winner was found in this share of the solve's time */
#define QUICK_SOLVE 0.05      /* below this share a solve needs no midgame search before it */

/* How fast solving goes here, and how much harder than expected it has been. */
typedef struct {
    double nodes_per_ms, difficulty;
    bool measured; /* the speed is that of a solve */
} Pace;

/* Milliseconds from now on. */
typedef struct {
    double soft_ms, hard_ms;
    bool solve;
} Budget;

/* The nodes that finding the winner of a position of an ordinary game takes. */
static double solve_nodes(int empties) {
    double expected = 2e6;
    for (; empties > 20; empties--) {
        expected *= 2;
    }
    for (; empties < 20; empties++) {
        expected *= 0.5;
    }
    return expected;
}

static double solve_ms(int empties, const Pace *seen) {
    return solve_nodes(empties) * seen->difficulty / seen->nodes_per_ms;
}

/* What a midgame move is worth: openings little, the middle most. */
static double move_weight(int empties) {
    return empties >= 55 ? 0.1 : empties >= 49 ? 0.5 : 1.0;
}

/* How to spend what is left on the move at `empties` empty squares. */
static Budget budget(double left_ms, int empties, const Pace *seen) {
    Budget plan = {0, 1, true};
    if (left_ms < 1) {
        plan.solve = empties <= 8;
        return plan;
    }
    if (solve_ms(empties, seen) <= SOLVE_PROMISE * left_ms) {
        plan.soft_ms = 0.1 * left_ms;
        plan.hard_ms = SOLVE_MOST * left_ms;
        return plan;
    }
    double keep = SOLVE_KEEP * PLAN_MS < 0.75 * left_ms ? SOLVE_KEEP * PLAN_MS : 0.75 * left_ms, sum = 0;
    for (int later = empties; later > 0; later -= 2) {
        if (later < empties - 2 && solve_ms(later, seen) <= SOLVE_PROMISE * keep) {
            break;
        }
        sum += move_weight(later);
    }
    double share = (left_ms - keep) * move_weight(empties) / sum, most = 0.4 * left_ms;
    plan.soft_ms = 0.65 * share;
    plan.hard_ms = 1.8 * share < most ? 1.8 * share : most;
    plan.solve = false;
    return plan;
}

#ifdef GOLDEN
/* ---- Golden lines ------------------------------------------------------------------------------------------------- */

#define GOLDEN_DEPTH 8
#define GOLDEN_SOLVE_EMPTIES 14
#define GOLDEN_PERFT 4

static double now_ms(void) {
    return 0;
}

static void print_square(int square, const char *end) {
    if (square == PASS) {
        printf("pass%s", end);
    } else {
        printf("%c%d%s", 'a' + square % 8, square / 8 + 1, end);
    }
}

/* Time plans: `left_ms empties nodes_per_ms difficulty` on stdin to `soft hard solve` in thousandths of a ms. */
static void print_plans(void) {
    double left_ms;
    int empties;
    Pace seen = {0, 0, false};
    while (scanf("%lf %d %lf %lf", &left_ms, &empties, &seen.nodes_per_ms, &seen.difficulty) == 4) {
        Budget plan = budget(left_ms, empties, &seen);
        printf("%.0f %.0f %d\n", 1000 * plan.soft_ms, 1000 * plan.hard_ms, plan.solve);
    }
}

/* Positions on stdin to golden lines, searched to the depth of the first argument; exact scores with --solve. */
int main(int argc, char **argv) {
    static char line[4096];
    bool solve = argc > 1 && strcmp(argv[1], "--solve") == 0;
    if (argc > 1 && strcmp(argv[1], "--plan") == 0) {
        print_plans();
        return 0;
    }
    int depth = argc > 1 && !solve ? atoi(argv[1]) : GOLDEN_DEPTH;
    init_engine();
    while (fgets(line, sizeof line, stdin) != NULL) {
        int8_t cells[64];
        int color;
        if (!read_position(line, 64, cells, &color)) {
            continue;
        }
        Board board = board_for(cells, color);
        for (int square = 0; square < 64; square++) {
            putchar("-XO"[cells[square]]);
        }
        putchar("-XO"[color]);
        putchar(' ');
        tt_clear();
        limits.depth = solve ? 60 : depth;
        limits.solve_empties = solve ? 64 : GOLDEN_SOLVE_EMPTIES;
        SearchResult result = search_position(board);
        if (solve) {
            printf("%d ", result.score / DISC);
            print_square(result.best, " ");
            printf("%llu\n", (unsigned long long)result.nodes);
        } else {
            uint64_t leaves;
            int value;
#ifdef HAVE_AVX2_ENGINE
            leaves = wide ? perft_avx2(board, GOLDEN_PERFT) : perft_portable(board, GOLDEN_PERFT);
            value = wide ? static_value_avx2(board) : static_value_portable(board);
#else
            leaves = perft_portable(board, GOLDEN_PERFT);
            value = static_value_portable(board);
#endif
            printf("%d %llu %d ", result.depth, (unsigned long long)leaves, value);
            print_square(result.best, " ");
            printf("%d %llu\n", result.score, (unsigned long long)result.nodes);
        }
        fflush(stdout);
    }
    return 0;
}

#else
/* ---- Bot ---------------------------------------------------------------------------------------------------------- */

static double wall_before;   /* ms of answer time of this game before the answer in hand */
static double answer_start;  /* when the request in hand was read */
static double answer_cpu;    /* ms of processor time when it was read */
static double cpu_before;    /* ms of processor time of earlier games of this process */
static Pace pace;

/* What this game has used: answer time or processor time, whichever is more. */
static double now_ms(void) {
    double wall = wall_before + clock_ms(WALL) - answer_start;
    double cpu = clock_ms(PROCESSOR) - cpu_before;
    return wall > cpu ? wall : cpu;
}

static void begin_answer(void) {
    answer_start = clock_ms(WALL);
    answer_cpu = clock_ms(PROCESSOR);
}

/* The judge's clock also sees the pipe and the scheduler: a little is added for them. On a machine where others held
 * the processor during this answer, they will also have held it before the request was read, which no clock of ours
 * shows: half of that wait is added, up to 40 ms an answer. */
static void end_answer(void) {
    double wall = clock_ms(WALL) - answer_start;
    double waited = wall - (clock_ms(PROCESSOR) - answer_cpu);
    double unseen = waited < 0 ? 0 : waited > 80 ? 40 : waited / 2;
    wall_before += wall + 0.3 + unseen;
}

/* Until a solve has been seen, its speed follows from the midgame's. */
static void pace_midgame(Pace *seen, double searched_nodes, double ms) {
    if (ms >= 20 && !seen->measured) {
        seen->nodes_per_ms = SOLVE_SPEED * searched_nodes / ms;
    }
}

/* Learns from a solve of `solved_nodes` nodes that took `ms` and ended or was stopped. */
static void pace_seen(Pace *seen, int empties, double solved_nodes, double ms, bool ended) {
    if (ms >= 20) {
        seen->nodes_per_ms = solved_nodes / ms;
        seen->measured = true;
    }
    double ratio = solved_nodes / solve_nodes(empties);
    if (!ended && 1.5 * ratio > seen->difficulty) {
        seen->difficulty = 1.5 * ratio;
    }
}

/* The discs that a disc of `color` on `square` turns, cell by cell as the rules say it: the last word on legality. */
static int slow_flips(const int8_t *cells, int color, int square) {
    int turned = 0;
    if (square < 0 || square > 63 || cells[square] != 0) {
        return 0;
    }
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            int r = square / 8 + dr, c = square % 8 + dc, run = 0;
            if (dr == 0 && dc == 0) {
                continue;
            }
            for (; r >= 0 && r < 8 && c >= 0 && c < 8 && cells[8 * r + c] == 3 - color; r += dr, c += dc) {
                run++;
            }
            if (r >= 0 && r < 8 && c >= 0 && c < 8 && cells[8 * r + c] == color) {
                turned += run;
            }
        }
    }
    return turned;
}

/* The first legal square, how many there are. */
static int first_legal(const int8_t *cells, int color, int *count) {
    int first = PASS;
    *count = 0;
    for (int square = 63; square >= 0; square--) {
        if (slow_flips(cells, color, square) > 0) {
            first = square;
            (*count)++;
        }
    }
    return first;
}

static SearchResult timed_search(Board board, int solve_empties, double soft_ms, double hard_ms) {
    limits.depth = 60;
    limits.solve_empties = solve_empties;
    limits.timed = true;
    limits.soft_ms = soft_ms;
    limits.hard_ms = hard_ms;
    return search_position(board);
}

/* The move the engine would play; `told_ms` is what a judge says is left, if it says so. */
static int think(Board board, int empties, double told_ms) {
    forget_rows(60 - empties);
    double now = now_ms(), left = PLAN_MS - now;
    if (told_ms - RESERVE_MS < left) {
        left = told_ms - RESERVE_MS;
    }
    Budget plan = budget(left, empties, &pace);
    if (!plan.solve) {
        SearchResult result = timed_search(board, 0, now + plan.soft_ms, now + plan.hard_ms);
        pace_midgame(&pace, (double)result.nodes, now_ms() - now);
        return result.best;
    }
    /* A midgame search before a long solve orders it, and is the answer should the solve not end in time. */
    SearchResult quick = {PASS, 0, false, 0, 0};
    if (solve_ms(empties, &pace) > QUICK_SOLVE * left) {
        quick = timed_search(board, 0, now + plan.soft_ms, now + plan.hard_ms / 4);
    }
    double begin = now_ms();
    SearchResult solved = timed_search(board, 64, now + EXACT_SHARE * plan.hard_ms, now + plan.hard_ms);
    pace_seen(&pace, empties, (double)solved.nodes, now_ms() - begin, solved.exact || winner_known);
    return solved.exact || solved.depth > quick.depth ? solved.best : quick.best;
}

/* -- Protocol -- */

static struct {
    bool locked;       /* the layout of TURN is known */
    int turn_at;       /* which of its integers is the turn, or -1 */
    int time_at;       /* which is our remaining time, or -1 */
    bool flipped;      /* even turns are black's */
    int color;         /* 1 black, 2 white, 0 unknown */
    bool played;       /* a TURN was answered */
    bool known;        /* INIT set a position */
    int8_t board[64];  /* that position */
    int ply;           /* the actions before it, -1 unknown */
} game;

/* A request whose board is being read. */
enum Kind { NOTHING, TURN_REQUEST, INIT_REQUEST };

static struct {
    enum Kind kind;
    int8_t cells[64];
    int count;
    long ints[16];
    int int_count;
} request;

static bool is_cells(const char *word) {
    for (; *word != 0; word++) {
        if (cell_of(*word) < 0) {
            return false;
        }
    }
    return true;
}

static void add_cells(const char *word) {
    for (; *word != 0 && request.count < 64; word++) {
        request.cells[request.count++] = (int8_t)cell_of(*word);
    }
}

/* Takes words by their shape: a board of 64 letters, rows of 8, cells one by one, integers. */
static void take_words(char **words, int count) {
    int singles = 0, skip;
    for (int i = 0; i < count; i++) {
        singles += strlen(words[i]) == 1 && is_cells(words[i]);
        if (strlen(words[i]) == 64 && is_cells(words[i])) {
            request.count = 0;
            add_cells(words[i]);
        }
    }
    /* Of single letters the last 64, or whole rows of 8, are cells: a turn number may stand before them. */
    skip = request.count == 64 ? singles : singles >= 64 ? singles - 64 : singles % 8;
    for (int i = 0; i < count; i++) {
        size_t len = strlen(words[i]);
        if (len == 1 && is_cells(words[i]) && skip-- <= 0) {
            add_cells(words[i]);
        } else if (len >= 8 && len % 8 == 0 && is_cells(words[i])) {
            add_cells(words[i]);
        } else if (is_integer(words[i]) && request.int_count < 16) {
            request.ints[request.int_count++] = atol(words[i]);
        }
    }
}

/* Finds out at the first TURN which integer is what; later TURNs have the same layout. */
static void lock_layout(int discs) {
    game.locked = true;
    game.turn_at = game.time_at = -1;
    for (int i = 0; i < request.int_count && game.turn_at < 0; i++) {
        /* The turn counts discs placed and passes. */
        long passes = request.ints[i] - 1 - (discs - 4);
        if (passes >= 0 && passes <= 20) {
            game.turn_at = i;
        }
    }
    for (int i = 0; i < request.int_count && game.turn_at < 0; i++) {
        if (request.ints[i] >= 0 && request.ints[i] < 50) {
            game.turn_at = i;
        }
    }
    for (int i = 0; i < request.int_count && game.time_at < 0; i++) {
        if (i != game.turn_at && request.ints[i] >= 50) {
            game.time_at = i;
        }
    }
    /* With four or five discs there is no doubt who moves: a turn of other parity is counted from 0. */
    if (game.turn_at >= 0 && !game.known && (discs == 4 || discs == 5)) {
        game.flipped = (request.ints[game.turn_at] & 1) != (discs == 4);
    }
}

/* Our colour: by the turn's parity, else what READY said or was found before, else by the number of discs. */
static int our_color(int discs) {
    if (!game.locked) {
        lock_layout(discs);
    }
    if (game.turn_at >= 0 && game.turn_at < request.int_count) {
        return ((request.ints[game.turn_at] & 1) != 0) != game.flipped ? 1 : 2;
    }
    if (game.color != 0) {
        return game.color;
    }
    if (game.known && game.ply >= 0) {
        return game.ply % 2 == 0 ? 1 : 2;
    }
    return discs % 2 == 0 ? 1 : 2;
}

static void init_once(void) {
    static bool done;
    if (!done) {
        init_engine();
        pace.nodes_per_ms = wide ? 20000 : 10000;
        pace.difficulty = 1;
        done = true;
    }
}

static void answer_turn(void) {
    int discs = 0, count;
    for (int square = 0; square < 64; square++) {
        discs += request.cells[square] != 0;
    }
    init_once();
    int color = game.color = our_color(discs), best = first_legal(request.cells, color, &count);
    if (count > 1 && discs >= 4) {
        double told = game.time_at >= 0 && game.time_at < request.int_count ? (double)request.ints[game.time_at] : 1e9;
        int move = think(board_for(request.cells, color), 64 - discs, told);
        if (slow_flips(request.cells, color, move) > 0) {
            best = move;
        }
    }
    if (best == PASS) {
        reply(PASS_REPLY "\n");
    } else {
        reply_move(best / 8, best % 8);
    }
    game.played = true;
    end_answer();
}

/* A whole board has been read (or, for a bare TURN, INIT set one before). */
static void finish_request(void) {
    if (request.kind == TURN_REQUEST) {
        request.kind = NOTHING;
        answer_turn();
    } else {
        request.kind = NOTHING;
        memcpy(game.board, request.cells, sizeof game.board);
        game.known = true;
        game.ply = request.int_count > 0 ? (int)request.ints[request.int_count - 1] : -1;
    }
}

static void ready(char **words, int count) {
    begin_answer();
    request.kind = NOTHING;
    reply(READY_REPLY "\n");
    if (game.played) {
        cpu_before = clock_ms(PROCESSOR);
        tt_clear();
        forget_rows(PLIES);
        pace.difficulty = 1;
    }
    memset(&game, 0, sizeof game);
    wall_before = 0;
    game.color = color_named(words, count);
    init_once();
    end_answer();
}

/* A line that begins with any word but READY and FINISH: a request, or more of one. */
static void take_request(char **words, int count) {
    bool turn = same_word(words[0], TURN_WORD);
    if (turn || same_word(words[0], "INIT")) {
        memset(&request, 0, sizeof request);
        if (turn) {
            request.kind = TURN_REQUEST;
            begin_answer();
        } else {
            request.kind = INIT_REQUEST;
        }
        take_words(words + 1, count - 1);
        if (turn && request.count == 0 && game.known) {
            memcpy(request.cells, game.board, sizeof request.cells);
            request.count = 64;
        }
    } else if (request.kind != NOTHING) {
        take_words(words, count);
    }
    if (request.kind != NOTHING && request.count == 64) {
        finish_request();
    }
}
#endif
