import Foundation
import Testing

/// The picture in the README is drawn from a golden frame.
@Suite struct PictureTests {
  private static let frame = "Tests/ClientTests/Golden/game.ans"
  private static let picture = "docs/screen.svg"
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(.enabled(if: python != nil, "no python3 here"))
  func `the picture in the README is drawn from a golden frame`() throws {
    let script = Self.package.appendingPathComponent("docs/picture.py")
    let frame = Self.package.appendingPathComponent(Self.frame)
    let python = try RunningProgram(
      URL(fileURLWithPath: try #require(Self.python)), [script.path, frame.path])
    let drawn = try python.readToEnd()
    #expect(try python.errorOutput().isEmpty)
    let picture = Self.package.appendingPathComponent(Self.picture)
    let isSame = try drawn == String(contentsOf: picture, encoding: .utf8)
    #expect(isSame, "Run: python3 docs/picture.py \(Self.frame) >\(Self.picture)")
    let readme = Self.package.appendingPathComponent("README.md")
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("](\(Self.picture))"))
  }
}
