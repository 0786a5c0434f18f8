import Testing

/// What holds for each file.
@Suite struct FileTests {
  private static let maxLines = 400

  @Test func `no file is too long to be read at once`() throws {
    for folder in ["Sources", "Tests", "Benchmarks", "docs"] {
      for file in try Project.files(in: folder) where file.hasSuffix(".swift") {
        let lines = try Project.text("\(folder)/\(file)").count { $0 == "\n" }
        if lines > Self.maxLines {
          Issue.record(
            """
            \(folder)/\(file) has \(lines) lines, which is more than \(Self.maxLines). Give a part \
            of it that can be understood by itself a type and a file of its own.
            """)
        }
      }
    }
  }

  @Test func `the script of the page for browsers is short`() throws {
    let path = "Sources/Client/Web/Page/page.js"
    let lines = try Project.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= Self.maxLines + 1, "\(path) has more than \(Self.maxLines) lines.")
  }
}
