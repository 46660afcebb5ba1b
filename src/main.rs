//! The `stonesmith` command: a thin door to [`stonesmith::cli`].
//! Everything it does is a library call; the exit code is what [`stonesmith::cli::main`] answers
//! (0 done, 1 "no", 2 bad usage or input).

fn main() -> std::process::ExitCode {
    stonesmith::cli::main()
}
