import Foundation
import Testing

/// The pages that `make install` installs.
@Suite struct InstalledPageTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  private static let make = "/usr/bin/make", python = "/usr/bin/python3"
  private static let hasTools = [make, python].allSatisfy {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private func run(
    _ program: String, _ arguments: [String]
  ) throws -> (output: String, code: Int32) {
    let program = try RunningProgram(URL(fileURLWithPath: program), arguments)
    return (try program.readToEnd(), try program.exitCode())
  }

  @Test(.enabled(if: hasTools, "no make or python3 here"))
  func `no installed page leads to a file that is not installed`() throws {
    let folder = NSTemporaryDirectory() + "tictactoe-installed-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let install = try run(
      Self.make, ["-s", "-C", Self.project, "install-files", "DESTDIR=\(folder)", "PREFIX=/usr"])
    #expect(install.code == 0)
    let pages = folder + "/usr/share/doc/tictactoe"
    #expect(install.output.contains("\(pages)/docs/playing.md\n"))
    let links = try run(Self.python, ["\(Self.project)/.ci/links", pages])
    #expect(links.output == "")
    #expect(links.code == 0)

    // The check finds a link whose file is gone.
    try FileManager.default.removeItem(atPath: pages + "/docs/lobby.svg")
    let broken = try run(Self.python, ["\(Self.project)/.ci/links", pages])
    #expect(broken.output.contains("docs/playing.md: lobby.svg is not there\n"))
    #expect(broken.code == 1)
  }
}
