import Foundation
import Testing

/// The pictures in the documents are drawn from golden frames.
@Suite struct PictureTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil, "no python3 here"))
  func `no picture is older than its frame`() throws {
    let script = Self.docs.appendingPathComponent("picture.py").path
    let python = try RunningProgram(
      URL(fileURLWithPath: try #require(Self.python)), [script, "--check"])
    #expect(try python.readToEnd().isEmpty)
    #expect(try python.errorOutput() == "")
  }

  @Test func `every picture is drawn from a frame, and is in a document`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.docs.path)
    let script = try text("picture.py")
    let documents = ["../README.md"] + names.filter { $0.hasSuffix(".md") }
    let texts = try documents.map(text)
    let pictures = names.filter { $0.hasSuffix(".svg") }
    try #require(pictures.count >= 6)
    for picture in pictures {
      let name = picture.dropLast(4)
      #expect(script.contains("\"\(name)\": "), "picture.py does not draw \(picture).")
      #expect(texts.contains { $0.contains("\(picture))") }, "No document shows \(picture).")
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.docs.appendingPathComponent(name), encoding: .utf8)
  }
}
