import Foundation
import Testing

/// The pictures in the README are drawn from golden frames.
@Suite struct PictureTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    .enabled(if: python != nil, "no python3 here"),
    arguments: [
      ("screen", "game"), ("lobby", "lobby-invitations"), ("games", "lobby-choose"),
      ("gomoku", "game-gomoku"),
      ("ultimate", "game-ultimate"),
    ])
  func `a picture in the README is drawn from a golden frame`(name: String, golden: String) throws {
    let source = "Tests/ClientTests/Golden/\(golden).ans"
    let target = "docs/\(name).svg"
    let script = Self.package.appendingPathComponent("docs/picture.py")
    let frame = Self.package.appendingPathComponent(source)
    let python = try RunningProgram(
      URL(fileURLWithPath: try #require(Self.python)), [script.path, frame.path])
    let drawn = try python.readToEnd()
    #expect(try python.errorOutput().isEmpty)
    let picture = Self.package.appendingPathComponent(target)
    let isSame = try drawn == String(contentsOf: picture, encoding: .utf8)
    #expect(isSame, "Run: python3 docs/picture.py \(source) >\(target)")
    let readme = Self.package.appendingPathComponent("README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("](\(target))"))
  }
}
