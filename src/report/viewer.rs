//! Games to step through: boards as text, ply by ply, and a script that draws the one in view.

use std::fmt::Write;

/// A game as the viewer shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewedGame {
    /// In the list of games.
    pub title: String,
    /// The board's columns.
    pub columns: usize,
    /// The board before the first move and after each one, row by row, `B`, `W` and `.`.
    pub boards: Vec<String>,
    /// The moves, one fewer than boards.
    pub moves: Vec<String>,
}

/// The viewer's script: it reads `GAMES` and draws into the elements of [`element`].
const SCRIPT: &str = r#"
const pick = document.getElementById("pick"), board = document.getElementById("board");
const slide = document.getElementById("ply"), says = document.getElementById("says");
let game = 0;
GAMES.forEach((g, i) => { const o = document.createElement("option"); o.value = i; o.textContent = g.t; pick.append(o); });
function changed(before, now, i) { return before !== undefined && before[i] === "." && now[i] !== "."; }
function draw() {
  const g = GAMES[game], ply = +slide.value, now = g.b[ply], before = g.b[ply - 1];
  board.style.gridTemplateColumns = "repeat(" + g.c + ", 1fr)";
  board.replaceChildren(...[...now].map((cell, i) => {
    const e = document.createElement("i");
    if (cell !== ".") e.className = cell + (changed(before, now, i) ? " last" : "");
    return e;
  }));
  const count = letter => [...now].filter(c => c === letter).length;
  says.textContent = "ply " + ply + " of " + g.m.length + (ply ? ": " + g.m[ply - 1] : "") + " - black " + count("B") + ", white " + count("W");
}
function show(i) { game = i; slide.max = GAMES[i].m.length; slide.value = slide.max; draw(); }
function move(by) { slide.value = +slide.value + by; draw(); }
pick.onchange = () => show(+pick.value);
slide.oninput = draw;
document.getElementById("back").onclick = () => move(-1);
document.getElementById("on").onclick = () => move(1);
show(0);
"#;

/// The viewer with its games.
pub fn element(games: &[ViewedGame]) -> String {
    let mut data = String::new();
    for game in games {
        let list = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(",");
        let _ = writeln!(
            data,
            "{{t:{},c:{},b:[{}],m:[{}]}},",
            quoted(&game.title),
            game.columns,
            list(&game.boards),
            list(&game.moves)
        );
    }
    format!(
        "<p><select id=\"pick\"></select></p>\n<div id=\"board\"></div>\n<p><button id=\"back\">&lt;</button> \
         <input id=\"ply\" type=\"range\" min=\"0\"> <button id=\"on\">&gt;</button> <span id=\"says\"></span></p>\n\
         <script>\nconst GAMES = [\n{data}];{SCRIPT}</script>\n"
    )
}

/// A string of the script; it cannot end the script's element.
fn quoted(text: &str) -> String {
    let mut safe = "\"".to_string();
    for c in text.chars() {
        match c {
            '"' | '\\' => safe.extend(['\\', c]),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(safe, "\\u{:04x}", c as u32);
            }
            c if (c as u32) < 32 => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_games_text_cannot_end_the_script() {
        assert_eq!(quoted("a\"b\\</script>\n"), r#""a\"b\\\u003c/script\u003e ""#);
    }
}
