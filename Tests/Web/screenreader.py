"""What a screen reader gets: Chromium's accessibility tree."""
import re

from browser import wait


def nodes(page, role):
    """The nodes of a role that a screen reader reaches, by their names."""
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    return {node.get("name", {}).get("value", ""): node for node in tree
            if not node.get("ignored") and node["role"]["value"] == role}


def check(page, say):
    """`page` is on its turn. Presses the first free cell as a screen reader does."""
    page.call("Accessibility.enable")
    wait(lambda: any(name.endswith(": free") for name in nodes(page, "button")), 10, "free cells")
    buttons, lines, texts = (nodes(page, role) for role in ("button", "image", "StaticText"))
    # A line is one text, and no cell is one, however many the window has.
    cells = [text for text in texts if len(text) == 1 and text != "\u200b"]
    assert len(texts) < 50 and not cells, list(texts)
    assert len(lines) <= page.run("rows"), list(lines)
    assert any(re.search("Your turn|to move", line) for line in lines), list(lines)
    assert not re.search("[─-╰]", "".join(lines)), list(lines)
    name, node = next((name, node) for name, node in buttons.items() if name.endswith(": free"))
    found = page.call("DOM.resolveNode", backendNodeId=node["backendDOMNodeId"])["object"]
    page.call("Runtime.callFunctionOn", objectId=found["objectId"],
              functionDeclaration="function() { this.click(); }")
    cell = name.split(":")[0]
    wait(lambda: any(re.match(f"{cell}: [XO]", other) for other in nodes(page, "button")), 10,
         f"a mark on {cell}")
    page.call("Accessibility.disable")
    say(f"a screen reader gets {len(lines)} lines, {len(texts)} texts and {len(buttons)} buttons,"
        f" and presses “{name}”")
