import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// Matches go from a real engine into an archive.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ArchiveToolTests {
  private let redis: RedisServer
  private let reader: RedisReader
  /// Does what the tool has no right to.
  private let writer: RedisReader
  private let folder = TemporaryFolder()
  private let archive: Archive

  init() throws {
    redis = try RedisServer.withUsers()
    reader = try RedisReader(try RedisAddress(redis.nodeURL), within: .seconds(60))
    writer = try RedisReader(try RedisAddress(redis.adminURL), within: .seconds(60))
    archive = try Archive(in: folder.path, with: try SQLite())
  }

  private func copy() throws -> ArchiveTool.Report {
    try ArchiveTool.copy(from: reader, to: archive)
  }

  @Test func `a finished match is copied once, with its games and the time of its end`() throws {
    let (id, lines) = try FinishedStream.playedLines()
    // In whole milliseconds, and long enough before the stream expires.
    let ended = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded() - 3_600)
    try FinishedStream.append(to: writer, id, lines, accounts: PerMark(x: 41, o: 7), ended: ended)
    #expect(try copy() == ArchiveTool.Report(matches: 1, games: 2))
    #expect(try archive.match(id)?.lines == lines)
    #expect(try StoredData(folder.path).lines(of: id)?.bytes == lines)
    let results = try ResultsByMatch(archive, isForAll: true).results(of: id)
    #expect(results.map(\.ended) == [ended.milliseconds, ended.milliseconds])
    #expect(results.map(\.players.x) == ["ann", "bob"])
    // Only the first one was rated.
    #expect(results.map { $0.accounts?.x } == [41, nil])
    #expect(
      try archive.number("SELECT seq FROM sqlite_sequence WHERE name = 'accounts'") == 41)
    #expect(try copy() == ArchiveTool.Report())
    #expect(try archive.number("SELECT count(*) FROM games") == 2)
  }

  @Test func `many matches are copied in the order in which they ended`() throws {
    let (id, lines) = try FinishedStream.playedLines()
    let text = String(decoding: lines, as: UTF8.self)
    let count = ArchiveTool.batch + 5
    let ids = (0..<count).map { "a-\($0)" }
    let now = Date()
    for (index, other) in ids.enumerated() {
      let lines = Array(text.replacing("\"\(id)\"", with: "\"\(other)\"").utf8)
      try FinishedStream.append(
        to: writer, other, lines, ended: now.addingTimeInterval(Double(-60 - index)))
    }
    #expect(try copy() == ArchiveTool.Report(matches: count, games: 2 * count))
    #expect(try archive.matchIDs() == ids.reversed())
    let options = try #require(try ToolOptions(.verify, ["--data", folder.path]))
    #expect(try VerifyTool.run(options) == .ok)
  }

  @Test func `a match is not copied while it goes on, or while its results are being written`()
    throws
  {
    let (id, lines) = try FinishedStream.playedLines()
    try FinishedStream.append(to: writer, id, lines, ended: nil)
    #expect(try copy() == ArchiveTool.Report())
    _ = try reader.reply(to: "PEXPIRE", RedisKey.stream(id), "86400000")
    #expect(try copy().matches == 1)
    // Of another kind: its last entry says that more will come.
    try FinishedStream.append(to: writer, "b-1", lines, ended: Date(), isFinished: false)
    #expect(try copy() == ArchiveTool.Report())
  }

  @Test(arguments: [
    (2, "\"hash\"", "an entry of its stream is missing"),
    (nil, "\"mush\"", "an event cannot be read"),
  ])
  func `a damaged match is named, and the others are copied`(
    missing: Int?, hash: String, reason: String
  ) throws {
    let (id, lines) = try FinishedStream.playedLines()
    let text = String(decoding: lines, as: UTF8.self)
    let other = text.replacing("\"\(id)\"", with: "\"c-1\"")
      .replacing("\"hash\"", with: hash)
    try FinishedStream.append(to: writer, "c-1", Array(other.utf8), ended: Date(), missing: missing)
    try FinishedStream.append(to: writer, id, lines, ended: Date())
    let report = try copy()
    #expect(report.matches == 1 && report.damaged.count == 1)
    #expect(report.damaged.first?.contains("Match c-1 was not copied, because \(reason)") == true)
    #expect(report.damaged.first?.hasSuffix("redis-cli PERSIST j:c-1") == true)
  }

  @Test func `a folder of a server, and an engine that is away, are refused`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/journal", withIntermediateDirectories: true)
    func run(_ url: String) throws -> StartError? {
      let options = try ToolOptions(.archive, ["--cluster", url, "--data", folder.path])
      return #expect(throws: StartError.self) { try ArchiveTool.run(try #require(options)) }
    }
    let refused = try run("redis://127.0.0.1:\(redis.port)")
    #expect(
      refused?.code == .usage && refused?.sentence.contains("data folder of a server") == true)
    redis.kill()
    let away = #expect(throws: StartError.self) {
      try RedisReader(
        try RedisAddress("redis://127.0.0.1:\(redis.port)"), within: .milliseconds(200))
    }
    #expect(away?.code == .unavailable)
    let lost = #expect(throws: StartError.self) { try copy() }
    #expect(lost?.code == .unavailable)
  }

  @Test func `the folder has to be named, and the engine on the command line or in the file`()
    throws
  {
    func error(_ words: String...) -> String? {
      #expect(throws: UsageError.self) {
        try ToolOptions(.archive, words + ["--config", "none"])
      }?.message
    }
    #expect(error("--cluster", "redis://a")?.hasPrefix("--data is missing.") == true)
    #expect(error("--data", "x")?.hasPrefix("The configured server is no node") == true)
    #expect(error("--data", "x", "--cluster", "http://a")?.hasPrefix("--cluster takes") == true)
    let engine = ["--data", "x", "--cluster", "redis://a"]
    func error(_ words: [String]) -> String? {
      #expect(throws: UsageError.self) { try ToolOptions(.archive, engine + words) }?.message
    }
    #expect(error(["--listen", "a:1"]) == "--listen works only with --follow.")
    #expect(error(["--follow", "--listen", "a"])?.hasPrefix("--listen takes HOST:PORT") == true)
    let follower = try ToolOptions(.archive, engine + ["--follow", "--listen", "10.0.0.3:7790"])
    #expect(follower?.follows == true && follower?.place?.description == "10.0.0.3:7790")
    let file = "\(folder.path)/server.conf"
    try Data("cluster = redis://10.0.0.1\nnode = north\n".utf8)
      .write(to: URL(fileURLWithPath: file))
    let options = try ToolOptions(.archive, ["--data", "x", "--config", file])
    #expect(options?.engine?.description == "redis://10.0.0.1:6379")
  }
}
