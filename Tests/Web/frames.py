"""Draws the golden frames of the terminal with the page, and reads them back cell by cell."""
import glob
import json
import os
import re
import unicodedata

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ClientTests/Golden")
SKINS = [chr(code) for code in range(0x1F3FB, 0x1F400)]
LOOKS = {1: "bold", 2: "dim", 4: "under", 7: "reversed"}


def cells(line):
    """The cells of a line as [text, looks], from its text and its escape sequences."""
    looks, found = [], []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            codes = [int(code or 0) for code in part[2:-1].split(";")]
            looks = sorted(
                LOOKS.get(code) or f"c{code - 30 if code < 90 else code - 82}"
                for code in codes if code)
            continue
        for character in part:
            last = next((cell for cell in reversed(found) if cell), None)
            if unicodedata.category(character) in ("Mn", "Me", "Cf") or character in SKINS \
                    or last and last[0].endswith("\u200d"):
                last[0] += character
                continue
            found.append([character, looks])
            if unicodedata.east_asian_width(character) in "WF":
                found.append(None)
    return found


def drawn(page, rows, columns, bytes_):
    """The cells of the page when it has drawn bytes; None in the right half of a wide character."""
    return json.loads(page.run(
        f"rows = {rows}; columns = {columns}; makeGrid(); draw({json.dumps(bytes_)});"
        "JSON.stringify(cells.map((list) => list.map((cell) => cell.className === 'none' ? null"
        " : [cell.textContent, [...cell.classList].filter((name) => name !== 'wide')"
        ".sort()])))"))


def read(file):
    with open(file, encoding="utf-8") as text:
        return text.read()


def marked(row, line):
    """The bytes of a line as the program writes them for a page."""
    bytes_, column = "", 1
    for part in re.split(r"(\x1b\[[0-9;]*m)", f"\x1b[0m{line}"):
        if part.startswith("\x1b"):
            bytes_ += part
            continue
        found = cells(part)
        for index, cell in enumerate(found):
            if cell:
                width = 2 if found[index + 1:index + 2] == [None] else 1
                mark = f"\x1b[{width}w" if width == 2 or len(cell[0]) > 1 else ""
                bytes_ += f"\x1b[{row + 1};{column}H{mark}{cell[0]}"
            column += 1
    return bytes_


def check_wide(page, say):
    """Characters whose width the program decides; each file has the bytes of two frames."""
    files = sorted(glob.glob(os.path.join(GOLDEN, "wide-*.web")))
    assert len(files) == 3, files
    for file in files:
        expected = [[None if text == "" else text for text in line.split("|")]
                    for line in read(file[:-3] + "cells").rstrip("\n").split("\n")]
        shown = drawn(page, len(expected), len(expected[0]), read(file))
        texts = [[cell and cell[0] for cell in row] for row in shown]
        assert texts == expected, (os.path.basename(file), texts, expected)
        page.picture(os.path.basename(file)[:-4])
    say("a page cuts no character of Han, Hindi or Thai, and leaves nothing of the last frame")


def check(page, say):
    """Compares all frames; `page` is a tab that nobody uses any more."""
    files = sorted(glob.glob(os.path.join(GOLDEN, "*.ans")))
    assert len(files) > 50, files
    page.run("isOver = true; socket.close()")
    for file in files:
        lines = read(file).rstrip("\n").split("\n")
        expected = [cells(line) for line in lines]
        width = max(map(len, expected))
        bytes_ = "".join(marked(row, line) for row, line in enumerate(lines))
        blank = [" ", []]
        page_shows = drawn(page, len(lines), width, bytes_)
        for row, (shown, wanted) in enumerate(zip(page_shows, expected, strict=True)):
            wanted = wanted + [blank] * (width - len(wanted))
            assert shown == wanted, (os.path.basename(file), row, shown, wanted)
    check_wide(page, say)
    say(f"the page draws {len(files)} golden frames of the terminal, cell by cell")
