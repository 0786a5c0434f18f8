import Foundation
import Shared
import Testing

@testable import Client

/// The file with the password of a script.
@Suite struct PasswordFileTests {
  private func read(_ contents: String) throws -> Result<String?, ConfigurationError> {
    let path = NSTemporaryDirectory() + "password-\(UUID().uuidString)"
    try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return Result { () throws(ConfigurationError) in
      try PasswordFile.read(in: [PasswordFile.variable: path])
    }
  }

  @Test(arguments: ["open sesame", "open sesame\n", "open sesame\r\nand more\n"])
  func `the first line of the file is the password`(contents: String) throws {
    #expect(try read(contents).get() == "open sesame")
  }

  @Test func `spaces belong to the password`() throws {
    #expect(try read("  a b c d  \n").get() == "  a b c d  ")
  }

  @Test func `without the variable there is no password`() throws {
    #expect(try PasswordFile.read(in: [:]) == nil)
    #expect(try PasswordFile.read(in: [PasswordFile.variable: ""]) == nil)
  }

  @Test(arguments: ["", "short\n", "\nopen sesame\n", "open\tsesame\n"])
  func `a first line that cannot be a password is refused, and not quoted`(
    contents: String
  ) throws {
    guard case .failure(let error) = try read(contents) else {
      Issue.record("It was accepted.")
      return
    }
    #expect(error.message.hasSuffix(PasswordFile.rule))
    #expect(error.message.contains("has no password in its first line."))
  }

  @Test(arguments: [
    (0o600, false), (0o400, false), (0o644, true), (0o640, true), (0o604, true), (0o622, false),
  ])
  func `a file that other users can read gets a warning`(mode: Int, warns: Bool) throws {
    let path = NSTemporaryDirectory() + "password-\(UUID().uuidString)"
    try #require(
      FileManager.default.createFile(
        atPath: path, contents: Data("open sesame".utf8), attributes: [.posixPermissions: mode]))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let warning = PasswordFile.warning(in: [PasswordFile.variable: path])
    #expect((warning != nil) == warns)
    #expect(warning?.hasSuffix("chmod 600 \(path)") != false)
  }

  @Test func `what is no file gets no warning`() {
    for environment in [[:], [PasswordFile.variable: ""], [PasswordFile.variable: "/nowhere"]] {
      #expect(PasswordFile.warning(in: environment) == nil)
    }
    #expect(PasswordFile.warning(in: [PasswordFile.variable: "/dev/null"]) == nil)
  }

  @Test(arguments: ["/nowhere/password", "/"])
  func `a file that cannot be read is an error`(path: String) {
    #expect(throws: ConfigurationError.self) {
      try PasswordFile.read(in: [PasswordFile.variable: path])
    }
  }
}
