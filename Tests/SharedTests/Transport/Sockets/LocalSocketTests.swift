import Foundation
import Testing

@testable import Shared

@Suite struct LocalSocketTests {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "ttt-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func address(_ name: String = "s") throws -> LocalAddress {
    try #require(LocalAddress("\(folder)/\(name)"))
  }

  @Test(arguments: PollerKind.allCases)
  func `lines go both ways on a path, which is for its owner only`(kind: PollerKind) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let loop = try kind.makeLoop()
    var accepted: [TCPConnection] = []
    let listener = try TCPListener(loop: loop, path: try address()) { accepted.append($0) }
    #expect(listener.isLocal)
    let attributes = try FileManager.default.attributesOfItem(atPath: try address().path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let near = try loop.connect(to: try address())
    let (mine, theirs) = (ConnectionRecorder(), ConnectionRecorder())
    near.delegate = mine
    near.send(Array("hello\n".utf8).span)
    try loop.turn { accepted.count == 1 }
    #expect(accepted[0].peerAddress == .local)
    accepted[0].delegate = theirs
    try loop.turn { theirs.text == "hello\n" }
    accepted[0].send(Array("bye\n".utf8).span)
    accepted[0].close()
    try loop.turn { mine.text == "bye\n" && !mine.ends.isEmpty }
    near.close()
    listener.close()
    #expect(!FileManager.default.fileExists(atPath: try address().path))
  }

  @Test func `the socket of a process that has died is replaced, a live one is not`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let loop = try EventLoop()
    // A bound socket that is closed leaves its file behind, like a process that is killed.
    try Socket.bound(to: try address()).close()
    #expect(throws: SystemError(call: "connect", code: ECONNREFUSED)) {
      try loop.connect(to: try address())
    }
    let listener = try TCPListener(loop: loop, path: try address()) { _ in }
    #expect(throws: SystemError(call: "bind", code: EADDRINUSE)) {
      try TCPListener(loop: loop, path: try address()) { _ in }
    }
    try loop.connect(to: try address()).close()
    listener.close()
    #expect(throws: SystemError(call: "connect", code: ENOENT)) {
      try loop.connect(to: try address())
    }
  }

  @Test func `another kind of file stays`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let loop = try EventLoop()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: try address().path))
    #expect(throws: SystemError(call: "bind", code: EEXIST)) {
      try TCPListener(loop: loop, path: try address()) { _ in }
    }
    #expect(FileManager.default.contents(atPath: try address().path) == Data("mine".utf8))
  }

  @Test(arguments: [0, 100, 250])
  func `the folder of a path may be as long as the system allows`(length: Int) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let deep = folder + String(repeating: "/" + String(repeating: "f", count: length), count: 3)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    let room = LocalAddress.maxNameLength
    let name = String(repeating: "x", count: length == 0 ? 107 - deep.utf8.count - 1 : room)
    let path = "\(deep)/\(name)"
    let loop = try EventLoop()
    var accepted = 0
    // A second one replaces what a process that died has left.
    for _ in 0..<2 {
      let address = try #require(LocalAddress(path))
      let listener = try TCPListener(loop: loop, path: address) { _ in accepted += 1 }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(throws: SystemError(call: "bind", code: EADDRINUSE)) {
        try TCPListener(loop: loop, path: address) { _ in }
      }
      try loop.connect(to: address).close()
      while accepted == 0 { try loop.turn(wait: .seconds(1)) }
      accepted = 0
      listener.close()
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `a path that no system call takes is none`() throws {
    #expect(LocalAddress("") == nil)
    #expect(LocalAddress("a\0b") == nil)
    #expect(LocalAddress("/" + String(repeating: "x/", count: LocalAddress.maxLength)) == nil)
    let name = String(repeating: "x", count: LocalAddress.maxNameLength + 1)
    #expect(LocalAddress("/" + String(repeating: "y/", count: 100) + name) == nil)
  }
}
