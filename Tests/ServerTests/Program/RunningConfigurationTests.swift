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
    #expect(configuration.optionsForRestart == [.port, .data])
    #expect(configuration.options.data == .standard)
    #expect(configuration.options.log.level == .debug)
    #expect(configuration.options.settings.maxMatches == 50_000)
    try write("port = 1\nlog-level = debug")
    let changes = try configuration.reload()
    #expect(changes == RunningConfiguration.Changes(taken: [.turn]))
    #expect(changes.sentences == ["These options have changed: turn."])
    #expect(configuration.optionsForRestart.isEmpty)
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

  @Test func `a start with a mistake takes up the last good configuration`() throws {
    let good = LastGoodConfiguration(path: path + "-good")
    defer { for item in [path, good.path] { try? FileManager.default.removeItem(atPath: item) } }
    func start(_ text: String, _ arguments: [String] = []) throws -> RunningConfiguration {
      try write(text)
      let arguments = ["--config", path] + arguments
      guard case .serve(let options) = try ServerOptions.parse(arguments) else {
        throw UsageError("no server")
      }
      return try RunningConfiguration(arguments, options, lastGood: good)
    }
    // The first start ever has nothing to take up.
    #expect(throws: ServerConfigurationError.self) { try start("turn = x") }
    let first = try start("turn = 1m\nmotd = say \"hi\" # there\ntrust-proxy = ::1")
    try good.keep(first.file, at: Date(timeIntervalSince1970: 0))
    for mistake in ["turn = x", "max-match = 5\nturn = 3m", "node = a", "turn"] {
      let next = try start(mistake, ["--idle", "5"])
      #expect(next.options.settings.turn == .seconds(60))
      #expect(next.options.settings.motd == first.options.settings.motd)
      #expect(next.options.settings.limits.proxies == [IPNetwork("::1")])
      #expect(next.options.settings.limits.idle == .seconds(5))
      #expect(next.mistakes.count == 1)
    }
    var next = try start("turn = x")
    try write("turn = 2m")
    #expect(try next.reload().taken == [.turn, .motd, .trustProxy])
    #expect(next.mistakes.isEmpty)
    try write("turn = y")
    #expect(throws: ServerConfigurationError.self) { try next.reload() }
    #expect(next.mistakes.count == 1)
    #expect(next.options.settings.turn == .seconds(120))
    try write("turn = 2m")
    #expect(
      try next.reload().sentences
        == ["The configuration has no mistake any more.", "No option has changed."])
    #expect(try next.reload().sentences == ["Nothing in the configuration has changed."])
  }
}

@Suite struct HoldOffTests {
  @Test func `starts that fail are delayed longer and longer, until one lives for a while`() {
    var record = HoldOff.Record(starts: 0, began: .zero)
    var (now, delays) = (Duration.zero, [Int]())
    for _ in 0..<9 {
      let delay = record.delay(at: now)
      delays.append(Int(delay / .seconds(1)))
      now += delay
      record = record.next(at: now)
      now += .seconds(1)
    }
    #expect(delays == [0, 1, 2, 4, 8, 16, 32, 60, 60])
    now += HoldOff.calmTime
    #expect(record.delay(at: now) == .zero)
    #expect(record.next(at: now).starts == 1)
    // The machine was started again.
    #expect(record.delay(at: .seconds(1)) == .zero)
  }
}
