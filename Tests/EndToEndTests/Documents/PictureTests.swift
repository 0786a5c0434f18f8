import Foundation
import Testing

/// The pictures in the documents are drawn from golden frames. Those of the page for browsers have a
/// digest of the frame and the page in them.
@Suite struct PictureTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil, "no python3 here"), arguments: ["picture.py", "browser.py"])
  func `no picture is older than its frame`(script: String) throws {
    let script = Self.docs.appendingPathComponent(script).path
    let python = try RunningProgram(
      URL(fileURLWithPath: try #require(Self.python)), [script, "--check"])
    #expect(try python.readToEnd().isEmpty)
    #expect(try python.errorOutput() == "")
  }

  @Test func `every picture is drawn from a frame, and is in a document`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.docs.path)
    let scripts = try ["svg": text("picture.py"), "png": text("browser.py")]
    let documents = ["../README.md"] + names.filter { $0.hasSuffix(".md") }
    let texts = try documents.map(text)
    let pictures = names.filter { $0.hasSuffix(".svg") || $0.hasSuffix(".png") }
    try #require(pictures.count >= 8)
    for picture in pictures {
      let name = picture.dropLast(4)
      let script = try #require(scripts[String(picture.suffix(3))])
      #expect(script.contains("\"\(name)\": "), "No script draws \(picture).")
      #expect(
        texts.contains { $0.contains("\(picture))") || $0.contains("\"\(picture)\"") },
        "No document shows \(picture).")
    }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.docs.appendingPathComponent(name), encoding: .utf8)
  }
}
