import Foundation
import Shared
import Testing

@testable import Server

@Suite struct RunningConfigurationTests {
  private let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func configuration(
    _ text: String, _ arguments: [String] = []
  ) throws -> RunningConfiguration {
    try write(text)
    let arguments = ["--config", path] + arguments
    guard case .serve(let options) = try ServerOptions.parse(arguments) else {
      throw UsageError("no server")
    }
    return try RunningConfiguration(arguments, options)
  }

  @Test func `a reload takes up what it can, and names what it cannot`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = try configuration("port = 1\nturn = 1m\nmax-matches = 5")
    #expect(configuration.options.port == 1)
    // 60 is the same as 1m, and max-matches has its default again.
    try write("port = 2\nturn = 60\nlog-level = debug\ndata = /d")
    for _ in 0..<2 {
      let changes = try configuration.reload()
      #expect(changes.left == [.port, .data])
      #expect(
        changes.sentences.last
          == "These options change only with a restart of the server: port, data.")
    }
    #expect(configuration.options.port == 1)
    #expect(configuration.options.data == .standard)
    #expect(configuration.options.log.level == .debug)
    #expect(configuration.options.settings.maxMatches == 50_000)
    try write("port = 1\nlog-level = debug")
    let changes = try configuration.reload()
    #expect(changes == RunningConfiguration.Changes(taken: [.turn]))
    #expect(changes.sentences == ["These options have changed: turn."])
    #expect(try configuration.reload().sentences == ["Nothing in the configuration has changed."])
  }

  @Test func `options that fit only together change with a restart`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = try configuration("data = /d\nturn = 1m")
    try write("cluster = redis://db\nnode = a\nturn = 2m")
    #expect(try configuration.reload().left == [.data, .cluster, .node])
    #expect(configuration.options.cluster == nil)
    #expect(configuration.options.settings.turn == .seconds(120))
    try write("data = /d\nnode = a")
    #expect(throws: ServerConfigurationError.self) { try configuration.reload() }
  }

  @Test func `an option of the command line stays`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = try configuration("turn = 1m", ["--turn", "7s"])
    try write("turn = 2m")
    #expect(try configuration.reload() == RunningConfiguration.Changes())
    #expect(configuration.options.settings.turn == .seconds(7))
  }

  @Test func `with a mistake in the file nothing changes`() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = try configuration("turn = 1m")
    for text in ["turn = 2m\nlog-level = loud", "turns = 2m"] {
      try write(text)
      #expect(throws: ServerConfigurationError.self) { try configuration.reload() }
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: ServerConfigurationError.self) { try configuration.reload() }
    #expect(configuration.options.settings.turn == .seconds(60))
  }
}
