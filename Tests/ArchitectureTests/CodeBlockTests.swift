import Testing

/// Compares the code in the documents with the files that it is taken from. Above such a block
/// stands `<!-- from PATH -->`. A line with nothing but `…` stands for lines that are left out.
@Suite struct CodeBlockTests {
  private struct Block {
    let document: String
    let source: String
    var lines: [String] = []
  }

  /// The documents in which every block of Swift and Python is from a file.
  private static func documents() throws -> [String] {
    try Project.files(in: "docs").filter {
      ["PROTOCOL.md", "writing-a-bot.md"].contains($0)
        || $0.hasPrefix("tutorial/") && $0.hasSuffix(".md")
    }.map { "docs/\($0)" }
  }

  @Test func `code in a document is that of the file that it is from`() throws {
    let blocks = try Self.documents().flatMap(Self.blocks)
    try #require(blocks.count > 4)
    for block in blocks {
      var text = Self.unindented(try Project.text(block.source).lines)[...]
      for piece in block.lines.split(separator: "…").map({ Self.unindented(Array($0)) }) {
        guard let end = text.end(of: piece) else {
          Issue.record(
            """
            \(block.document) shows code that is not in \(block.source), or not there: \
            \(piece.first ?? ""). Copy it again.
            """)
          continue
        }
        text = text[end...]
      }
    }
  }

  @Test func `every block of code names its file`() throws {
    for document in try Self.documents() {
      let lines = try Project.text(document).lines
      for (index, line) in lines.enumerated()
      where ["```swift", "```python"].contains(line)
        && (index == 0 || !lines[index - 1].hasPrefix("<!-- from "))
      {
        Issue.record("\(document), line \(index + 1): write <!-- from PATH --> above the block.")
      }
    }
  }

  private static func blocks(in document: String) throws -> [Block] {
    var blocks: [Block] = []
    var current: Block?
    var source: String?
    for line in try Project.text(document).lines {
      if let comment = line.wholeMatch(of: /<!-- from ([^ ]+) -->/) {
        source = String(comment.1)
      } else if let path = source {
        current = Block(document: document, source: path)
        source = nil
      } else if var block = current {
        if line == "```" {
          blocks.append(block)
          current = nil
        } else {
          block.lines.append(line.drop { $0 == " " } == "…" ? "…" : line)
          current = block
        }
      }
    }
    return blocks
  }

  /// A block is often shown further to the left than it is in its file.
  private static func unindented(_ lines: [String]) -> [String] {
    lines.map { String($0.drop { $0 == " " }) }
  }
}

extension String {
  fileprivate var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension ArraySlice<String> {
  /// Returns where lines end that stand here.
  fileprivate func end(of lines: [String]) -> Int? {
    guard count >= lines.count else { return nil }
    return (startIndex...endIndex - lines.count).first {
      self[$0..<$0 + lines.count].elementsEqual(lines)
    }.map { $0 + lines.count }
  }
}
