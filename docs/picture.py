#!/usr/bin/env python3
"""Draws the pictures in docs from golden frames of the tests.

  picture.py           draw all pictures again
  picture.py --check   list the pictures that are older than their frames; exit with 1 if there are any
  picture.py FRAME.ans >PICTURE.svg

A frame is text with the looks of the terminal in it (SGR escapes). A terminal shows the same with:
cat FRAME.ans. Each picture has the colours of a dark and of a light page.
"""
import os
import re
import sys
import unicodedata
from xml.sax.saxutils import escape

# The frame of each picture.
PICTURES = {
    "screen": "game", "lobby": "lobby-invitations", "games": "lobby-all-games",
    "gomoku": "game-gomoku", "ultimate": "game-ultimate", "replay": "replay",
}
DOCS = os.path.dirname(os.path.abspath(__file__))
FRAMES = os.path.join(DOCS, "..", "Tests", "ClientTests", "Golden")

CELL_WIDTH, CELL_HEIGHT, BASELINE, MARGIN = 9, 19, 14, 14
# The background and the text, and then as in SGR 30 to 37, and 90 to 97.
NAMES = ["back", "text"] + [f"c{index}" for index in range(16)]
DARK = ["#1d2127", "#d7dae0",
        "#3b4048", "#e05561", "#8cc265", "#d18f52", "#4aa5f0", "#c162de", "#42b3c2", "#d7dae0",
        "#5a6070", "#ff616e", "#a5e075", "#f0a45d", "#4dc4ff", "#de73ff", "#4cd1e0", "#ffffff"]
LIGHT = ["#f6f8fa", "#24292f",
         "#24292f", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#57606a",
         "#6e7781", "#a40e26", "#116329", "#7d4e00", "#0550ae", "#6639ba", "#136061", "#24292f"]
# Box-drawing characters are drawn as shapes in a cell of 2 × 2, so that no font leaves gaps.
LINES = {
    "─": "M0 1L2 1", "│": "M1 0L1 2",
    "┌": "M2 1L1 1L1 2", "┐": "M0 1L1 1L1 2", "└": "M1 0L1 1L2 1", "┘": "M1 0L1 1L0 1",
    "├": "M1 0L1 2M1 1L2 1", "┤": "M1 0L1 2M1 1L0 1",
    "┬": "M0 1L2 1M1 1L1 2", "┴": "M0 1L2 1M1 1L1 0", "┼": "M0 1L2 1M1 0L1 2",
    "╭": "M2 1Q1 1 1 2", "╮": "M0 1Q1 1 1 2", "╰": "M1 0Q1 1 2 1", "╯": "M1 0Q1 1 0 1",
    "╱": "M2 0L0 2", "╲": "M0 0L2 2", "╳": "M2 0L0 2M0 0L2 2",
    "╂": "M0 1L2 1", "┰": "M0 1L2 1", "┸": "M0 1L2 1",
    "┿": "M1 0L1 2", "┝": "M1 0L1 2", "┥": "M1 0L1 2", "┃": "", "━": "", "╋": "",
}
# The heavy strokes of these characters.
HEAVY = {
    "┃": "M1 0L1 2", "╂": "M1 0L1 2", "┰": "M1 1L1 2", "┸": "M1 0L1 1",
    "━": "M0 1L2 1", "┿": "M0 1L2 1", "┝": "M1 1L2 1", "┥": "M0 1L1 1", "╋": "M0 1L2 1M1 0L1 2",
}


def columns(text):
    """Returns how many columns of a terminal a text takes."""
    return sum(0 if unicodedata.category(character) in ("Mn", "Me", "Cf")
               else 2 if unicodedata.east_asian_width(character) in "WF" else 1
               for character in text)


def runs(line):
    """Splits a line into pieces of the same style, as (text, looks)."""
    looks = {}
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b"):
            if part:
                yield part, dict(looks)
            continue
        for code in (int(code or 0) for code in part[2:-1].split(";")):
            if code == 0:
                looks = {}
            elif code in (1, 2, 4, 7):
                looks[code] = True
            elif 30 <= code <= 37 or 90 <= code <= 97:
                looks["colour"] = f"c{code - 30 if code < 90 else code - 82}"
            else:
                sys.exit(f"picture.py: a look that has no picture: {code}")


def elements(line, y):
    """Returns the elements of a row whose upper edge is at y."""
    x = MARGIN
    for text, looks in runs(line):
        colour = looks.get("colour", "text")
        width = columns(text) * CELL_WIDTH
        if 7 in looks:
            yield (f'<rect x="{x}" y="{y}" width="{width}" height="{CELL_HEIGHT}" class="{colour}" '
                   'shape-rendering="crispEdges"/>')
            colour = "back"
        faint = ' opacity="0.6"' if 2 in looks else ""
        if 4 in looks:
            yield f'<path d="M{x} {y + BASELINE + 2.5}h{width}" class="{colour}"{faint}/>'
        # Each word by itself: whatever the font, it begins in its column.
        for word in re.finditer(f"[{''.join(LINES)}]+|[^\\s{''.join(LINES)}]+", text):
            place = x + columns(text[:word.start()]) * CELL_WIDTH
            if word[0][0] in LINES:
                for shapes, stroke in ((LINES, 2.4 if 1 in looks else 1.2), (HEAVY, 2.4)):
                    path = "".join(lines(shapes.get(character, ""), place + index * CELL_WIDTH, y)
                                   for index, character in enumerate(word[0]))
                    if path:
                        yield f'<path d="{path}" class="{colour}" stroke-width="{stroke}"{faint}/>'
            else:
                weight = ' font-weight="bold"' if 1 in looks else ""
                yield (f'<text x="{place}" y="{y + BASELINE}" '
                       f'textLength="{columns(word[0]) * CELL_WIDTH}" '
                       f'class="{colour}"{weight}{faint}>{escape(word[0])}</text>')
        x += width


def lines(shape, x, y):
    """The path of a shape in the cell whose corner is there."""
    return re.sub("([0-2]) ([0-2])", lambda place: (
        f"{x + int(place[1]) * CELL_WIDTH / 2:g} {y + int(place[2]) * CELL_HEIGHT / 2:g}"
    ), shape)


def style(used):
    """The colours that a picture uses, on a dark and on a light page."""
    def rules(colours):
        return "".join(f".{name}{{color:{colour}}}"
                       for name, colour in zip(NAMES, colours) if name in used)
    return (f"<style>{rules(DARK)}@media(prefers-color-scheme:light){{{rules(LIGHT)}}}"
            "rect,text{fill:currentColor}path{fill:none;stroke:currentColor}</style>")


def picture(frame):
    """The picture of a frame, which is a path."""
    with open(frame, encoding="utf-8") as file:
        rows = file.read().rstrip("\n").split("\n")
    longest = max(sum(columns(text) for text, _ in runs(row)) for row in rows)
    width, height = 2 * MARGIN + longest * CELL_WIDTH, 2 * MARGIN + len(rows) * CELL_HEIGHT
    drawn = [f'<rect width="{width}" height="{height}" rx="10" class="back"/>']
    for row, line in enumerate(rows):
        drawn += elements(line, MARGIN + row * CELL_HEIGHT)
    used = set(name for element in drawn for name in re.findall(r'class="(\w+)', element))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-size="15" font-family="ui-monospace, Menlo, '
        'Consolas, \'DejaVu Sans Mono\', monospace">', style(used), *drawn, "</svg>", ""])


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 1 and not arguments[0].startswith("-"):
        sys.stdout.write(picture(arguments[0]))
        return
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__.strip())
    old = []
    for name, frame in PICTURES.items():
        path = os.path.join(DOCS, f"{name}.svg")
        drawn = picture(os.path.join(FRAMES, f"{frame}.ans"))
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != drawn:
            old.append(f"docs/{name}.svg is older than Tests/ClientTests/Golden/{frame}.ans.")
            if not arguments:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(drawn)
    if arguments and old:
        sys.exit("\n".join(old + ["Run: make pictures"]))


main()
