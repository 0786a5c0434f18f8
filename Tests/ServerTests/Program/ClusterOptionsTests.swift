import Foundation
import Shared
import Testing

@testable import Server

@Suite struct ClusterOptionsTests {
  private let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"

  private func options(_ arguments: String..., file: [ServerSetting] = []) throws -> ServerOptions {
    guard case .serve(let options) = try ServerOptions.parse(arguments, file: file) else {
      throw UsageError("no server")
    }
    return options
  }

  private func setting(_ option: ServerOption, _ value: String) -> ServerSetting {
    ServerSetting(option: option, value: value, name: option.rawValue)
  }

  /// Options of a host with a name.
  private func options(onHost name: String) throws -> ClusterOptions? {
    var settings = ClusterSettings()
    try settings.setRedis(to: "redis://db", by: "--cluster")
    return try settings.options(onHost: name)
  }

  @Test func `a server by itself has none`() throws {
    #expect(try options().cluster == nil)
    #expect(try options().data == .standard)
  }

  @Test func `all can be set`() throws {
    let options = try options(
      "--cluster=redis+sentinel://:secret@a,b/main", "--cluster-replicas=2", "--node", "n-1",
      "--advertise", "play.example.org:7000", "--data=none")
    #expect(
      options.cluster
        == ClusterOptions(
          engine: try RedisAddress("redis+sentinel://:secret@a,b/main"), replicas: 2, node: "n-1",
          advertise: "play.example.org:7000"))
    #expect(options.data == .nowhere)
  }

  @Test func `node and address come from the name of the host`() throws {
    #expect(
      try options(onHost: "b7.example.org")
        == ClusterOptions(
          engine: try RedisAddress("redis://db"), replicas: 1, node: "b7",
          advertise: "b7.example.org"))
    let label = String(repeating: "a", count: 33)
    for (name, option) in [(label, "--node"), ("", "--node"), ("a.b c", "--advertise")] {
      let error = #expect(throws: UsageError.self) { try options(onHost: name) }
      #expect(error?.message.contains(option) == true)
    }
    #expect(!ClusterSettings.hostName.isEmpty)
  }

  @Test func `a node whose port the system chooses has to say where it is`() throws {
    let words = ["--cluster=redis://db", "--node=a", "--port=0", "--advertise=play.example.org"]
    let error = #expect(throws: UsageError.self) { try ServerOptions.parse(words, file: []) }
    #expect(error?.message.contains("--advertise HOST:PORT") == true)
    #expect(
      try options(words[0], words[1], words[2], words[3] + ":7").cluster?.advertise
        == "play.example.org:7")
  }

  @Test(arguments: [
    ("play.example.org", "play.example.org:9"), ("play.example.org:7", "play.example.org:7"),
    ("10.0.0.1", "10.0.0.1:9"), ("[::1]", "[::1]:9"), ("[::1]:7", "[::1]:7"),
  ])
  func `the advertised port is by default the one that the node listens on`(
    value: String, address: String
  ) throws {
    let options = try options("--cluster=redis://db", "--node=a", "--advertise=\(value)")
    #expect(options.cluster?.address(listeningOn: 9) == address)
  }

  @Test(arguments: [
    "", ":7", "a:", "a:0", "a:65536", "a:x", "::1", "[::1", "[a]:7", "a b", "a/b", "ä:7", "a\n",
  ])
  func `another address is a usage error`(value: String) {
    let error = #expect(throws: UsageError.self) {
      try options("--cluster=redis://db", "--advertise=\(value)")
    }
    #expect(error?.message.hasPrefix("--advertise takes HOST, HOST:PORT or [IPV6]:PORT") == true)
  }

  @Test(arguments: [
    ("--node=", "--node takes 1 to 32 letters"), ("--node=a b", "--node takes 1 to 32 letters"),
    ("--cluster-replicas=6", "--cluster-replicas takes a number from 0 to 5, not “6”."),
    ("--cluster-replicas=-1", "--cluster-replicas takes a number from 0 to 5, not “-1”."),
    ("--cluster-file=", "--cluster-file takes a file."),
    ("--cluster-file=/nonexistent/f", "--cluster-file: There is no file /nonexistent/f."),
    ("--cluster-file=/", "--cluster-file: / cannot be read: it is not a regular file."),
    ("--cluster=", "--cluster takes redis://"),
    ("--cluster=http://ann:secret@db", "--cluster takes redis://"),
    ("--data=/d", "In a cluster the engine keeps the matches."),
  ])
  func `a value that is not allowed is a usage error`(argument: String, sentence: String) {
    let error = #expect(throws: UsageError.self) { try options("--cluster=redis://db", argument) }
    #expect(error?.message.hasPrefix(sentence) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
  }

  @Test(arguments: ["--node=a", "--advertise=a", "--cluster-replicas=2"])
  func `the options of a node need an engine, which the file may name`(argument: String) throws {
    let name = argument.prefix { $0 != "=" }
    #expect(
      throws: UsageError(
        "\(name) works only in a cluster. Set --cluster or --cluster-file too.")
    ) { try options(argument) }
    #expect(try ServerOptions.parse([argument]) == .serve(ServerOptions()))
    let file = [setting(.cluster, "redis://db"), setting(.node, "b")]
    #expect(try options(argument, file: file).cluster != nil)
  }

  @Test func `the engine's URL may stand in a file`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    func write(_ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    try write("redis://ann:secret@db:7\n")
    let cluster = try options("--cluster-file", path, "--node=a").cluster
    #expect(cluster?.engine == (try RedisAddress("redis://ann:secret@db:7")))
    for text in ["", "\n", "secret", "redis://:secret@a\nredis://:secret@b\n"] {
      try write(text)
      let error = #expect(throws: UsageError.self) { try options("--cluster-file", path) }
      #expect(error?.message.hasPrefix("--cluster-file: \(path) has to contain one line") == true)
      #expect(error?.message.contains("secret") == false)
    }
  }

  @Test func `the engine is named once, and the command line wins over the file`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("redis://a".utf8).write(to: URL(fileURLWithPath: path))
    #expect(
      throws: UsageError(
        "--cluster and --cluster-file both name the engine. Leave one of them out.")
    ) { try options("--cluster-file", path, "--cluster", "redis://b") }
    #expect(throws: UsageError.self) {
      try ServerOptions.parse(["--cluster=redis://b", "--cluster-file=\(path)"])
    }
    let file = [setting(.cluster, "redis://b")]
    #expect(
      try options("--cluster-file", path, "--node=a", file: file).cluster?.engine
        == RedisAddress("redis://a"))
    #expect(
      try options("--cluster=redis://c", "--node=a", file: file).cluster?.engine
        == RedisAddress("redis://c"))
  }

  @Test func `a second engine is refused, instead of replacing the first one`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("redis://a".utf8).write(to: URL(fileURLWithPath: path))
    let file = "--cluster-file=\(path)"
    for (name, all) in [
      ("--cluster", ["--cluster=redis://a", "--cluster=redis://b"]),
      ("--cluster-file", [file, file]),
    ] {
      #expect(
        throws: UsageError(
          "\(name) is there twice, and a cluster has one engine. Leave one of them out.")
      ) { try ServerOptions.parse(all) }
    }
  }
}
