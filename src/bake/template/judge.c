
/* ---- What the bots of all games share: weights, clock, the judge's lines --------------------------------------- */

/* The text holds 13 bits in two characters of 91, or 15 in one of 32,768. The bits are bytes: frequency tables, then
 * 16-bit words of a range coder (rANS, Duda 2009) with one table per context. A weight is coded as the difference from
 * the same weight at the knot before; the context tells how large that was and how much the neighbours changed. */
#define ALPHABET 80
#define FIRST_CONTEXTS 8
#define CONTEXTS 72
#define SLOTS 4096

static const uint8_t *stream;

static unsigned stream_byte(void) {
    return *stream++;
}

static unsigned stream_u16(void) {
    stream += 2;
    return (unsigned)(stream[-2] | stream[-1] << 8);
}

/* The letters at `text` as a number: one character of 32,768 from U+3400 on, three bytes of UTF-8, or two of 91, those
 * from 33 to 126 without the double quote, the question mark and the backslash. */
#if DENSE_TEXT
#define LETTER_BYTES 3
#define LETTER_BITS 15
static unsigned letter_value(const unsigned char *text) {
    return ((text[0] & 15u) << 12 | (text[1] & 63u) << 6 | (text[2] & 63u)) - 0x3400u;
}
#else
#define LETTER_BYTES 2
#define LETTER_BITS 13
static unsigned letter_value(const unsigned char *text) {
    unsigned value = 0;
    for (int i = 0; i < 2; i++) {
        unsigned letter = text[i];
        value = 91 * value + letter - 33 - (letter > 34) - (letter > 63) - (letter > 92);
    }
    return value;
}
#endif

static uint8_t *text_to_bytes(void) {
    uint8_t *bytes = (uint8_t *)malloc(WEIGHTS_BYTES + 8), *out = bytes;
    unsigned count = 0, held = 0;
    if (bytes == NULL) {
        exit(0);
    }
    for (size_t part = 0; part < sizeof WEIGHTS_TEXT / sizeof *WEIGHTS_TEXT; part++) {
        const unsigned char *text = (const unsigned char *)WEIGHTS_TEXT[part];
        for (; *text != 0; text += LETTER_BYTES) {
            held |= letter_value(text) << count;
            for (count += LETTER_BITS; count >= 8; count -= 8, held >>= 8) {
                if (out < bytes + WEIGHTS_BYTES) {
                    *out++ = (uint8_t)held;
                }
            }
        }
    }
    return bytes;
}

/* How large a magnitude is: 0, 1, 2, up to 4, up to 8, up to 20, more; and for the change of the neighbours up to 15 and
 * up to 39 instead. */
static int size_class(int magnitude) {
    return magnitude <= 2 ? magnitude : magnitude <= 4 ? 3 : magnitude <= 8 ? 4 : magnitude <= 20 ? 5 : 6;
}

static int change_class(int magnitude) {
    return magnitude <= 8 ? size_class(magnitude) : magnitude < 16 ? 5 : magnitude < 40 ? 6 : 7;
}

/* The state with another word, if it has become small: without a branch, which nothing could predict. */
static inline uint32_t refilled(uint32_t state) {
    uint32_t longer = state << 16 | stream[0] | (uint32_t)stream[1] << 8;
    bool is_small = state < 65536;
    stream += 2 * is_small;
    return is_small ? longer : state;
}

static void decode_weights(void) {
    static uint16_t frequency[CONTEXTS][ALPHABET], start[CONTEXTS][ALPHABET];
    static uint8_t symbol_at[CONTEXTS][SLOTS], change_at[256], size_at[32];
    static int16_t scaled[2][ROW_LEN]; /* the knot in hand and the one before, in steps */
    uint8_t *bytes = text_to_bytes();
    stream = bytes;
    for (int context = 0; context < CONTEXTS; context++) {
        unsigned count = stream_byte(), slot = 0;
        for (unsigned symbol = 0; symbol < count; symbol++) {
            unsigned share = stream_byte();
            share = share < 192 ? share : (share - 192) << 8 | stream_byte();
            frequency[context][symbol] = (uint16_t)share;
            start[context][symbol] = (uint16_t)slot;
            memset(symbol_at[context] + slot, (int)symbol, share);
            slot += share;
        }
    }
    int step[TABLES];
    for (int table = 0; table < TABLES; table++) {
        step[table] = (int)stream_u16();
    }
    for (int magnitude = 0; magnitude < 256; magnitude++) {
        change_at[magnitude] = (uint8_t)change_class(magnitude);
        size_at[magnitude & 31] = (uint8_t)size_class(magnitude & 31);
    }
    uint32_t state = stream_u16();
    state |= (uint32_t)stream_u16() << 16;
    for (int knot = 0; knot < KNOTS; knot++) {
        int16_t *now = scaled[knot & 1], *before = scaled[~knot & 1], *out = KNOT_ROWS[knot];
        for (int table = 0; table < TABLES; table++) {
            int size = TABLE_SIZES[table], change1 = 0, change2 = 0, change3 = 0;
            for (int i = 0; i < size; i++) {
                int old = knot > 0 ? before[i] : 0, magnitude = old < 0 ? -old : old;
                int change = 2 * change1 + change2 + change3;
                int context = change_at[(change < 510 ? change : 510) / 2];
                if (knot > 0) {
                    context += FIRST_CONTEXTS + 8 * size_at[magnitude < 31 ? magnitude : 31];
                }
                unsigned slot = state & (SLOTS - 1), symbol = symbol_at[context][slot], value = symbol;
                state = refilled(frequency[context][symbol] * (state >> 12) + slot - start[context][symbol]);
                if (symbol >= 16) {
                    /* Two bits behind the leading one are in the symbol, the rest follows plainly. */
                    unsigned rest = (symbol - 16) / 4 + 2;
                    value = ((4 + (symbol & 3)) << rest) | (state & ((1u << rest) - 1));
                    state = refilled(state >> rest);
                }
                /* Odd values are differences towards 0 or, from 0, down. */
                change3 = change2;
                change2 = change1;
                change1 = (int)((value + 1) / 2);
                bool down = (old < 0) != (value & 1);
                now[i] = (int16_t)(old + (down ? -change1 : change1));
                out[i] = (int16_t)(now[i] * step[table]);
            }
            now += size;
            before += size;
            out += size;
        }
    }
    free(bytes);
}

/* The weights of the two knots around a ply, and the share of the second in 256ths. */
static int mixture(int ply, const int16_t **low, const int16_t **high) {
    int above = 0;
    while (above < KNOTS && KNOT_PLIES[above] <= ply) {
        above++;
    }
    int below = above > 0 ? above - 1 : 0;
    above = above < KNOTS ? above : KNOTS - 1;
    int a = KNOT_PLIES[below], b = KNOT_PLIES[above];
    *low = KNOT_ROWS[below];
    *high = KNOT_ROWS[above];
    return above == below ? 0 : ((ply - a) * 256 + (b - a) / 2) / (b - a);
}

/* A letter as a cell of a board: 0 empty, 1 black, 2 white, -1 none. */
static int cell_of(char letter) {
    static const char *const LETTERS[] = {".-_0", "BbXx*@1", "WwOo2"};
    for (int cell = 0; cell < 3; cell++) {
        if (letter != 0 && strchr(LETTERS[cell], letter) != NULL) {
            return cell;
        }
    }
    return -1;
}

/* A line without the mark that some editors put before a file's first byte. */
static char *without_mark(char *line) {
    return strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line;
}

#ifdef GOLDEN
/* Reads one position of an .obf line, a board of so many cells; false when the line holds none. */
static bool read_position(char *line, int size, int8_t *cells, int *color) {
    char *end = strpbrk(line, ";\r\n");
    if (end != NULL) {
        *end = 0;
    }
    int count = 0;
    for (line = without_mark(line); *line != 0 && count < size; line++) {
        if (*line == '%' || *line == '#') {
            return false;
        }
        int cell = cell_of(*line);
        if (cell >= 0) {
            cells[count++] = (int8_t)cell;
        }
    }
    while (*line == ' ' || *line == '\t') {
        line++;
    }
    *color = cell_of(*line);
    return count == size && *color > 0;
}

#else
#ifdef _WIN32
/* Windows has no POSIX clocks without a further library. These four are in its kernel; <windows.h> would bring names
 * that clash with ours. */
#ifdef __cplusplus
extern "C" {
#endif
__declspec(dllimport) int __stdcall QueryPerformanceCounter(int64_t *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(int64_t *per_second);
__declspec(dllimport) void *__stdcall GetCurrentProcess(void);
__declspec(dllimport) int __stdcall GetProcessTimes(void *process, uint64_t *begun, uint64_t *ended, uint64_t *kernel,
                                                    uint64_t *user);
#ifdef __cplusplus
}
#endif

static double clock_ms(enum Clock which) {
    int64_t count = 0, per_second = 1;
    uint64_t begun, ended, kernel = 0, user = 0; /* in tenths of a microsecond */
    if (which == PROCESSOR) {
        GetProcessTimes(GetCurrentProcess(), &begun, &ended, &kernel, &user);
        return (double)(kernel + user) / 1e4;
    }
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&per_second);
    return (double)count * 1e3 / (double)per_second;
}
#else
static double clock_ms(enum Clock which) {
    struct timespec now;
    clock_gettime(which == PROCESSOR ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}
#endif

static bool same_word(const char *word, const char *upper) {
    for (; *word != 0 && *upper != 0; word++, upper++) {
        if ((*word >= 'a' && *word <= 'z' ? *word - 32 : *word) != *upper) {
            return false;
        }
    }
    return *word == *upper;
}

static bool is_integer(const char *word) {
    size_t len = strlen(word), sign = *word == '-' || *word == '+';
    return len > sign && len < 10 && strspn(word + sign, "0123456789") == len - sign;
}

/* The colour that READY names: 1 black, 2 white, 0 none. */
static int color_named(char **words, int count) {
    int color = 0;
    for (int i = 0; i < count; i++) {
        if (same_word(words[i], "FIRST") || same_word(words[i], "BLACK")) {
            color = 1;
        } else if (same_word(words[i], "SECOND") || same_word(words[i], "WHITE")) {
            color = 2;
        }
    }
    return color;
}

static void reply(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

static void reply_move(int row, int col) {
    char text[64];
    row += INDEX_BASE;
    col += INDEX_BASE;
    snprintf(text, sizeof text, MOVE_REPLY "%d %d\n", COLUMN_FIRST ? col : row, COLUMN_FIRST ? row : col);
    reply(text);
}

/* One line of the judge; false when the game is over. */
static bool take_line(char *line) {
    static const char BLANKS[] = " \t\r\n\v\f,";
    char *words[300], **rest = words;
    int count = 0;
    for (char *word = strtok(without_mark(line), BLANKS); word != NULL && count < 300; word = strtok(NULL, BLANKS)) {
        words[count++] = word;
    }
    if (count > 1 && same_word(rest[0], "START") && same_word(rest[1], TURN_WORD)) {
        rest++;
        count--;
    }
    if (count == 0) {
        return true;
    }
    if (same_word(rest[0], "FINISH")) {
        return false;
    }
    if (same_word(rest[0], "READY")) {
        ready(rest + 1, count - 1);
    } else {
        take_request(rest, count);
    }
    return true;
}

int main(void) {
    static char line[65536];
    static char output[256];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    while (fgets(line, sizeof line, stdin) != NULL && take_line(line)) {
    }
    return 0;
}
#endif
