#!/usr/bin/env bash
# The project's test command: format, lints, docs, tests, goldens across languages.
#   scripts/test.sh          everything that stands on the repository alone (minutes)
#   scripts/test.sh --full   also the long checks; those that need data not in the repository say so and are skipped
set -euo pipefail
cd "$(dirname "$0")/.."

full=no
case "${1:-}" in
    "") ;;
    --full) full=yes ;;
    *) echo "usage: scripts/test.sh [--full]" >&2; exit 2 ;;
esac

need() { # need COMMAND PACKAGE: a command, installed from the system's packages where that is possible
    command -v "$1" >/dev/null && return
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        apt-get install -y "$2" >/dev/null 2>&1 || { apt-get update >/dev/null 2>&1 && apt-get install -y "$2" >/dev/null 2>&1; } || true
    fi
    command -v "$1" >/dev/null && return
    echo "missing: $1 (package $2)" >&2
    return 1
}

need cargo cargo
need gcc gcc
need g++ g++
need python3 python3 || echo "python3 is missing: its bots are not tested" >&2
need pypy3 pypy3 || echo "pypy3 is missing: its bots are not tested" >&2
need clang clang || echo "clang is missing: goldens are compared with gcc and g++ alone" >&2

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --check
step "lints"
cargo clippy --release --all-targets -- -D warnings
step "docs"
RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --document-private-items
step "tests"
cargo test --release

if [ "$full" = yes ]; then
    step "long: 6x6 Othello solved from the start, with weights trained here"
    six=$(mktemp -d)
    cargo run --release --quiet -- train -g othello6 --profile quick --run "$six/run"
    echo "--------------OX----XO-------------- X; c2:-4" > "$six/start.obf"
    cargo run --release --quiet -- solve -g othello6 "$six/start.obf" --hash-mb 1024 --threads "$(nproc)" \
        --weights "$six/run/weights/$(cat "$six/run/weights/champion")"
    rm -rf "$six"

    data=../shared/data
    bin=target/release/stonesmith
    cargo build --release
    need valgrind valgrind || echo "valgrind is missing: whole games run under the compilers' sanitizers alone" >&2
    need x86_64-w64-mingw32-g++ g++-mingw-w64-x86-64 || echo "mingw-w64 is missing: the bot is not compiled for Windows" >&2
    step "long: baked bots on every compiler, slow machines, a million lines of noise, judged games of every size"
    cargo test --release --test baked -- --ignored --test-threads 1
    step "long: perft 12, both modes"
    for mode in 1 2; do
        expected=$(awk -v mode="$mode" '$1 == 12 { print $(mode + 1) }' tests/data/othello.perft)
        $bin perft 12 --mode "$mode" --json | grep -q "\"nodes\":$expected," || { echo "perft 12, mode $mode: wrong"; exit 1; }
    done
    if [ -d "$data" ]; then
        step "long: endgame suites"
        $bin solve "$data/othello/fforum-20-39.obf"
        $bin solve "$data/othello/hard-20.obf"
        step "long: WTHOR"
        for file in "$data"/othello/wthor/*.wtb; do
            $bin convert "$file" "$(mktemp -u).txt"
        done
        step "long: forbidden points against every case"
        RENJU_CASES="$data/renju/cases" cargo test --release --test renju_rules -- --ignored
    else
        echo "skipped: the endgame suites, WTHOR and Renju cases are not in this repository ($data)"
    fi
    if python3 -c 'import renju' 2>/dev/null; then
        step "long: forbidden points against the PyPI package renju"
        python3 scripts/renju_oracle.py $bin 5000
    else
        echo "skipped: python3 -m pip install renju brings the further oracle of forbidden points"
    fi
fi
step "all passed"
