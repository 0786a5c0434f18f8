import Foundation
import Shared
import Testing

@testable import Client

/// The file that keeps a session's token beyond the end of the program.
@Suite struct TokenFileTests {
  private let folder: String
  private let ann = TokenOwner(address: .example, name: "Ann")

  init() throws {
    folder = NSTemporaryDirectory() + "tictactoe-tokens-\(UUID().uuidString)/state/tictactoe"
  }

  private func withFolder(_ body: () throws -> Void) throws {
    defer { removeAll() }
    try body()
  }

  private func removeAll() {
    let root = URL(fileURLWithPath: folder).deletingLastPathComponent().deletingLastPathComponent()
    do { try FileManager.default.removeItem(at: root) } catch { /* It was never made. */  }
  }

  private func files() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Stores a token as a program that then ends.
  private func storeInEndedProgram(_ token: String, for owner: TokenOwner) {
    TokenFile(folder: folder).keep(token, for: owner)
  }

  @Test func `a copy of the descriptor in a starting process does not keep the lock`() throws {
    try withFolder {
      var copies: [Int32] = []
      defer { for copy in copies { close(copy) } }
      do {
        let tokens = TokenFile(folder: folder)
        tokens.keep("t1", for: ann)
        var (file, other) = (stat(), stat())
        let name = try #require(try files().first)
        #expect(stat("\(folder)/\(name)", &file) == 0)
        // The descriptors that a forked child holds before it runs its program.
        copies = (0..<16_384).filter { descriptor in
          fstat(descriptor, &other) == 0 && other.st_ino == file.st_ino
            && other.st_dev == file.st_dev
        }.map(dup)
        #expect(copies.count == 1)
        withExtendedLifetime(tokens) {}
      }
      #expect(TokenFile(folder: folder).take(for: ann) == "t1")
    }
  }

  @Test func `a dead program's token is taken only for the same server and name`() throws {
    try withFolder {
      storeInEndedProgram("secret", for: ann)
      let file = TokenFile(folder: folder)
      let other = ServerAddress(host: "example.org", port: 1)
      #expect(file.take(for: TokenOwner(address: .example, name: "bob")) == nil)
      #expect(file.take(for: TokenOwner(address: other, name: "ann")) == nil)
      #expect(file.take(for: TokenOwner(address: .example, name: "ann")) == "secret")
    }
  }

  @Test(arguments: [
    String(repeating: "🐙", count: 24), String(repeating: "👨‍👩‍👧‍👦", count: 3),
    String(repeating: "棋", count: 24), String(repeating: "🧑🏽", count: 12),
    String(repeating: "ﷺ", count: 24),
  ])
  func `every name has a file, at every host`(name: String) throws {
    for host in ["localhost", String(repeating: "a", count: 253)] {
      try withFolder {
        let owner = TokenOwner(address: ServerAddress(host: host, port: 7777), name: name)
        let other = TokenOwner(address: ServerAddress(host: host, port: 7778), name: name)
        storeInEndedProgram("secret", for: owner)
        #expect(TokenFile(folder: folder).take(for: other) == nil)
        #expect(TokenFile(folder: folder).take(for: owner) == "secret")
        storeInEndedProgram("next", for: owner)
        #expect(TokenFile(folder: folder).take(for: owner) == "next")
      }
    }
  }

  @Test func `a token of a connection over TLS is never sent without it`() throws {
    try withFolder {
      let secure = ServerAddress(
        host: ServerAddress.example.host, port: ServerAddress.example.port, usesTLS: true)
      storeInEndedProgram("secret", for: TokenOwner(address: secure, name: "ann"))
      #expect(TokenFile(folder: folder).take(for: ann) == nil)
      #expect(
        TokenFile(folder: folder).take(for: TokenOwner(address: secure, name: "ann"))
          == "secret")
    }
  }

  @Test func `a running program's token cannot be taken, and it can replace the token`() throws {
    try withFolder {
      let living = TokenFile(folder: folder)
      living.keep("first", for: ann)
      #expect(TokenFile(folder: folder).take(for: ann) == nil)
      living.keep("second", for: ann)
      #expect(TokenFile(folder: folder).take(for: ann) == nil)
      // Another program does not overwrite it either.
      TokenFile(folder: folder).keep("third", for: ann)
      living.discard()
      let left = try files()
      #expect(left.isEmpty)
      living.keep("fourth", for: ann)
      withExtendedLifetime(living) {}
    }
  }

  @Test func `where people share an account, the one who comes back takes the token over`() throws {
    try withFolder {
      let old = TokenFile(folder: folder, takesOver: true)
      old.keep("first", for: ann)
      let new = TokenFile(folder: folder, takesOver: true)
      #expect(new.take(for: ann) == "first")
      #expect(!new.isHeldElsewhere)
      new.keep("second", for: ann)
      // The program that has lost the session removes nothing.
      old.discard()
      #expect(TokenFile(folder: folder, takesOver: true).take(for: ann) == "second")
      withExtendedLifetime(new) {}
    }
  }

  @Test func `a former token is kept below the token`() throws {
    try withFolder {
      TokenFile(folder: folder).keep("now", former: "then", for: ann)
      let file = TokenFile(folder: folder)
      #expect(file.take(for: ann) == "now")
      #expect(file.former == "then")
      file.keep("later", for: ann)
      let next = TokenFile(folder: folder)
      file.discard()
      #expect(next.take(for: ann) == nil)
      #expect(next.former == nil)
    }
  }

  @Test func `a taken token stays locked, and the next one replaces it`() throws {
    try withFolder {
      storeInEndedProgram("first", for: ann)
      do {
        let file = TokenFile(folder: folder)
        #expect(file.take(for: ann) == "first")
        #expect(TokenFile(folder: folder).take(for: ann) == nil)
        file.keep("second", for: ann)
      }
      #expect(TokenFile(folder: folder).take(for: ann) == "second")
      let left = try files()
      #expect(left.count == 1)
    }
  }

  @Test func `only the owner can read the file`() throws {
    try withFolder {
      storeInEndedProgram("secret", for: ann)
      let file = try #require(try files().first)
      #expect(try mode("\(folder)/\(file)") == 0o600)
      #expect(try mode(folder) == 0o700)
    }
  }

  @Test(arguments: ["a/b", "../../x", "日本 \u{1B}[2J", "."])
  func `no player name leads out of the folder`(_ name: String) throws {
    try withFolder {
      storeInEndedProgram("secret", for: TokenOwner(address: .example, name: name))
      let file = try #require(try files().first)
      #expect(file.allSatisfy { $0.isASCII && $0 != "/" })
      #expect(
        TokenFile(folder: folder).take(for: TokenOwner(address: .example, name: name))
          == "secret")
    }
  }

  @Test func `without a usable folder nothing is stored and nothing fails`() {
    for folder in [nil, "/dev/null/x", "/proc/nowhere"] {
      let file = TokenFile(folder: folder)
      file.keep("secret", for: ann)
      #expect(file.take(for: ann) == nil)
      file.discard()
    }
  }

  /// A file of another kind at the path of the token file.
  enum Obstacle: CaseIterable {
    case fifo, folder, link, danglingLink

    func make(at path: String) throws {
      let manager = FileManager.default
      switch self {
      case .fifo: #expect(mkfifo(path, 0o600) == 0)
      case .folder: try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
      case .link: try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
      case .danglingLink:
        try manager.createSymbolicLink(atPath: path, withDestinationPath: path + ".nowhere")
      }
    }
  }

  @Test(arguments: Obstacle.allCases)
  func `an obstacle in place of the file is neither read nor replaced, but reported`(
    _ obstacle: Obstacle
  ) throws {
    try withFolder {
      storeInEndedProgram("secret", for: ann)
      let path = "\(folder)/\(try #require(try files().first))"
      try FileManager.default.removeItem(atPath: path)
      try obstacle.make(at: path)
      let tokens = TokenFile(folder: folder)
      #expect(tokens.take(for: ann) == nil)
      let sentence = "\(path) is not a regular file, so your session cannot be kept there."
      #expect(tokens.problem == sentence)
      tokens.keep("other", for: ann)
      #expect(tokens.problem == sentence)
      tokens.discard()
      #expect(try files().count == 1)
      try FileManager.default.removeItem(atPath: path)
      tokens.keep("last", for: ann)
      #expect(tokens.problem == nil)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `a folder that cannot be written is reported, until it can be`() throws {
    try withFolder {
      let parent = URL(fileURLWithPath: folder).deletingLastPathComponent()
      let manager = FileManager.default
      try manager.createDirectory(
        at: parent.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Not even the superuser makes a folder below a file.
      try Data().write(to: parent)
      let tokens = TokenFile(folder: folder)
      #expect(tokens.take(for: ann) == nil)
      #expect(tokens.problem == nil)
      tokens.keep("secret", for: ann)
      #expect(tokens.problem?.contains("\(folder): Not a directory.") == true)
      try manager.removeItem(at: parent)
      tokens.keep("secret", for: ann)
      #expect(tokens.problem == nil)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `a session that another running program has is said to be there`() throws {
    try withFolder {
      let (first, second) = (TokenFile(folder: folder), TokenFile(folder: folder))
      first.keep("secret", for: ann)
      #expect(second.take(for: ann) == nil)
      #expect(second.isHeldElsewhere)
      #expect(second.take(for: TokenOwner(address: .example, name: "bob")) == nil)
      #expect(!second.isHeldElsewhere)
      first.discard()
      #expect(second.take(for: ann) == nil)
      #expect(!second.isHeldElsewhere)
    }
  }

  @Test func `a FIFO in place of the temporary file does not block`() throws {
    try withFolder {
      storeInEndedProgram("secret", for: ann)
      let path = "\(folder)/\(try #require(try files().first))"
      #expect(mkfifo("\(path).\(getpid())", 0o600) == 0)
      storeInEndedProgram("next", for: ann)
      #expect(TokenFile(folder: folder).take(for: ann) == "next")
    }
  }

  @Test(arguments: ["", " ", "\u{0}\u{0}\u{0}", "a b", "\u{1B}[2J", "tøken", "a\nb\nc", "a\nb c"])
  func `a file with other content has no token`(_ text: String) throws {
    try withFolder {
      storeInEndedProgram("secret", for: ann)
      let path = "\(folder)/\(try #require(try files().first))"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(TokenFile(folder: folder).take(for: ann) == nil)
    }
  }
}
