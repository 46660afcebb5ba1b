//! C source with short names and without needless blanks: the same program in fewer characters.
//!
//! Every name of the program gets a short one, the most frequent the shortest; what belongs to the language, the
//! library or the compiler stays. Literals, `#include` and `#pragma` lines stay as they are. Names that an instruction
//! set's ending is pasted to (`search` + `_avx2`) keep that ending.

use std::collections::{HashMap, HashSet};

/// What does not belong to the program: the languages' words, and what the templates use of library and compiler.
const KEPT: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const \
    constexpr continue default delete do double else enum explicit export extern false float for friend goto if inline \
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
    restrict return short signed sizeof static struct switch template this throw true try typedef typename typeof union \
    unsigned using virtual void volatile while xor xor_eq \
    define defined elif endif error ifdef ifndef include line pragma undef \
    GOLDEN PORTABLE NULL EOF SIZE_MAX BUFSIZ CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID CLOCKS_PER_SEC UINT64_MAX UINT32_MAX \
    UINT16_MAX UINT8_MAX INT64_MAX INT32_MAX INT16_MAX INT8_MAX INT16_MIN INT32_MIN INT_MAX INT_MIN LONG_MAX stdin stdout stderr \
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t size_t ptrdiff_t clockid_t clock_t \
    timespec tv_sec tv_nsec time_t FILE clock clock_gettime time abs atof atoi atol calloc exit fflush fgetc fgets fopen \
    fprintf fputc fputs fread free fwrite getc getchar isdigit isspace malloc memchr memcmp memcpy memmove memset main printf \
    putc putchar puts qsort realloc scanf setvbuf snprintf sprintf sscanf strchr strcmp strcpy strcspn strlen strncmp strncpy \
    strpbrk strrchr strspn strstr strtod strtok strtol strtoul toupper tolower ungetc vector_size may_alias aligned \
    always_inline noinline unused packed target optimize hot cold pure fallthrough";

/// Endings that the preprocessor pastes to names.
const ENDINGS: &[&str] = &["_portable", "_avx2"];

/// A line is broken behind the first statement or item that ends behind this many characters.
const LINE: usize = 500;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A name or a number.
    Word,
    /// A string or a character.
    Literal,
    /// One sign.
    Sign,
}

/// Shortens a source without comments.
pub fn squeezed(source: &str) -> String {
    let names = short_names(source);
    let mut out = String::with_capacity(source.len());
    let mut line_start = 0;
    // Open round brackets: a line does not end inside them.
    let mut depth = 0;
    for line in source.lines() {
        if line.starts_with('#') {
            if out.len() > line_start {
                out.push('\n');
            }
            // A blank may mean something here: between a macro's name and a bracket.
            if line.starts_with("#include") || line.starts_with("#pragma") || line.starts_with("#error") {
                out.push_str(line);
            } else {
                tokens(line, |_, text, blank| {
                    out.push_str(if blank { " " } else { "" });
                    out.push_str(&renamed(&names, text));
                });
            }
            out.push('\n');
            line_start = out.len();
            continue;
        }
        let mut last = out[line_start..].chars().last();
        tokens(line, |kind, text, _| {
            let text = renamed(&names, text);
            // Not between a condition and what it guards: compilers would warn of what follows on the new line.
            let breaks = depth == 0 && last.is_some_and(|last| ";,{}".contains(last));
            if kind == Kind::Sign {
                depth += i32::from(text == "(") - i32::from(text == ")");
            }
            if out.len() - line_start > LINE && breaks {
                out.push('\n');
                line_start = out.len();
                last = None;
            }
            if last.is_some_and(|last| needs_blank(last, &text)) {
                out.push(' ');
            }
            out.push_str(&text);
            last = text.chars().last();
        });
    }
    if out.len() > line_start {
        out.push('\n');
    }
    out
}

/// Whether two tokens would become another one if nothing stood between them.
fn needs_blank(last: char, text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let next = text.chars().next().unwrap_or(' ');
    let pasted = matches!(
        (last, next),
        ('+', '+') | ('-', '-') | ('&', '&') | ('|', '|') | ('<', '<') | ('>', '>') | ('/', '*' | '/')
    );
    // The signs of one operator are neighbours in the source as well and have no blank between them there: only a
    // sign followed by a unary one of its kind comes here, and `a - -b` must not become `a--b`.
    (word(last) && (word(next) || next == '"' || next == '\'')) || pasted
}

/// Calls `each` with every token of a line, and whether a blank stood before it. Operators of several signs that must
/// stay together are one token.
fn tokens(line: &str, mut each: impl FnMut(Kind, &str, bool)) {
    let bytes = line.as_bytes();
    let mut at = 0;
    let mut blank = false;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            b' ' | b'\t' => {
                (blank, at) = (true, at + 1);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                Kind::Literal
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let number = byte.is_ascii_digit();
                let inside = |at: usize| {
                    let byte = bytes[at];
                    byte.is_ascii_alphanumeric()
                        || byte == b'_'
                        || (number
                            && (byte == b'.'
                                || (matches!(byte, b'+' | b'-')
                                    && matches!(bytes[at - 1], b'e' | b'E')
                                    && !line[start..at].starts_with("0x"))))
                };
                while at < bytes.len() && inside(at) {
                    at += 1;
                }
                Kind::Word
            }
            _ => {
                const OPERATORS: [&str; 22] = [
                    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
                    "*=", "/=", "%=", "&=", "|=", "^=",
                ];
                let rest = &line[at..];
                at +=
                    OPERATORS.iter().find(|operator| rest.starts_with(**operator)).map_or(1, |operator| operator.len());
                Kind::Sign
            }
        };
        each(kind, &line[start..at], blank);
        blank = false;
    }
}

fn renamed(names: &HashMap<String, String>, text: &str) -> String {
    if let Some(name) = names.get(text) {
        return name.clone();
    }
    for ending in ENDINGS {
        if let Some(name) = text.strip_suffix(ending).and_then(|stem| names.get(stem)) {
            return format!("{name}{ending}");
        }
    }
    text.to_string()
}

/// A short name for every name of the program.
fn short_names(source: &str) -> HashMap<String, String> {
    let kept: HashSet<&str> = KEPT.split_whitespace().collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in source.lines().filter(|line| !line.starts_with("#include") && !line.starts_with("#pragma")) {
        // The line outlives the tokens, which the closure's argument does not say.
        let mut at = 0;
        tokens(line, |kind, text, _| {
            let start = at + line[at..].find(text).expect("tokens come in order");
            at = start + text.len();
            let name = &line[start..at];
            let ours = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !kept.contains(name);
            let pasted = ENDINGS.iter().any(|ending| name.ends_with(ending));
            if kind == Kind::Word && ours && !pasted {
                *counts.entry(name).or_default() += 1;
            }
        });
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let mut short = candidates().filter(|name| !kept.contains(name.as_str()));
    names.into_iter().map(|(name, _)| (name.to_string(), short.next().expect("thousands of names"))).collect()
}

/// a … Z, then two letters or a letter and a digit.
fn candidates() -> impl Iterator<Item = String> {
    let letters = || ('a'..='z').chain('A'..='Z');
    let second = move || letters().chain('0'..='9');
    letters()
        .map(String::from)
        .chain(letters().flat_map(move |first| second().map(move |next| format!("{first}{next}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_short_and_literals_stay() {
        let source = "#include <stdio.h>\n#define TWICE(value) ((value) * 2)\n#define LIMIT (1)\nint counter = 0x1e+3;\n\
                      static double ratio = 1.5e-3;\nint main(void) {\nprintf(\"%d counter\\n\", TWICE(counter) - -counter + +counter);\n\
                      return counter-- > 'c' ? search_avx2(counter) : search (counter) << 1;\n}\n";
        let found = squeezed(source);
        assert_eq!(
            found,
            "#include <stdio.h>\n#define b(c) ((c) * 2)\n#define d (1)\nint a=0x1e+3;static double e=1.5e-3;int main(void){\
             printf(\"%d counter\\n\",b(a)- -a+ +a);return a-->'c'?f_avx2(a):f(a)<<1;}\n"
        );
    }

    #[test]
    fn lines_end_behind_statements_and_not_inside_brackets() {
        let source = "if (a) {\nf(1, 2);\n} else\nfor (int i = 0; i < 9; i++)\nf(i, i);\nb = 3;\n".repeat(100);
        let lines: Vec<String> = squeezed(&source).lines().map(str::to_string).collect();
        assert!(lines.len() > 5 && lines.iter().all(|line| line.len() < LINE + 50));
        for line in &lines {
            assert!(line.ends_with([';', '{', '}']), "{line}");
            assert_eq!(line.matches('(').count(), line.matches(')').count(), "{line}");
        }
    }

    #[test]
    fn no_short_name_is_a_word_of_the_language() {
        let kept: HashSet<&str> = KEPT.split_whitespace().collect();
        let source = (0..900).map(|number| format!("int name{number};\n")).collect::<String>();
        let names = short_names(&source);
        assert_eq!(names.len(), 900);
        assert_eq!(names.values().collect::<HashSet<_>>().len(), 900);
        assert!(names.values().all(|name| !kept.contains(name.as_str()) && name.len() <= 2));
    }
}
