import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// A node asks a follower, over TCP, for a match that a real engine has no more.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ArchiveInquiryTests {
  private let redis: RedisServer
  private let reader: RedisReader
  private let writer: RedisReader
  private let link: RedisLink
  private let directory: ClusterDirectory
  private let place: RedisAddress.Place
  private let folder = TemporaryFolder()
  private let match: String
  private let lines: [UInt8]

  init() throws {
    redis = try RedisServer.withUsers()
    let address = try RedisAddress(redis.nodeURL)
    reader = try RedisReader(address, within: .seconds(60))
    writer = try RedisReader(try RedisAddress(redis.adminURL), within: .seconds(60))
    let loop = reader.loop
    link = RedisLink(address, replicas: 0, loop: loop, random: RandomSource())
    link.start()
    directory = ClusterDirectory(
      engine: link,
      passwords: PasswordQueue(
        QuickPasswords(), worker: ManualWorker(), timers: loop),
      timers: loop, games: .server, now: Date.init)
    directory.archives.connect = { [unowned loop] place, completion in
      Connector(loop: loop, host: place.host, port: place.port, completion: completion).cancel
    }
    place = try #require(
      RedisAddress.Place("127.0.0.1:\(try RedisServer.freePort())"[...], defaultPort: 0))
    (match, lines) = try FinishedStream.playedLines()
    try turn { link.isConnected }
  }

  private func turn(until isDone: () -> Bool) throws {
    let end = reader.loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(reader.loop.preciseNow < end)
      try reader.loop.turn(wait: .milliseconds(5))
    }
  }

  private func replay(
    of match: String, after seq: Int = 0
  ) throws -> Result<StoredReplay, CommandError> {
    var result: Result<StoredReplay, CommandError>?
    directory.replay(of: match, after: seq, for: .ofNobody) { result = $0 }
    try turn { result != nil }
    return try #require(result)
  }

  private func follower() throws -> ArchiveFollower {
    try ArchiveFollower(reader, data: folder.path, listeningOn: place, log: .silent)
  }

  @Test func `a match is replayed before and after the follower has taken it`() throws {
    try FinishedStream.append(to: writer, match, lines, ended: Date())
    let before = try replay(of: match).get()
    #expect(before.lines == lines)
    let follower = try follower()
    try follower.turn()
    #expect(follower.matchCount == 1)
    #expect(try replay(of: match).get() == before)
    // What is left for a while goes too.
    _ = try writer.reply(to: "DEL", RedisKey.stream(match))
    #expect(try replay(of: match).get() == before)
    let later = try replay(of: match, after: 3).get()
    let rest = lines.split(separator: UInt8(ascii: "\n")).dropFirst(3)
    #expect(later.lines == rest.flatMap { Array($0) + Array("\n".utf8) })
    #expect(later.header == before.header && later.next == nil)
    #expect(try replay(of: "z-9") == .failure(.notFinished))
  }

  @Test func `without a follower there is no such match, and one that is gone costs a retry`()
    throws
  {
    #expect(try replay(of: match) == .failure(.notFinished))
    do {
      let follower = try follower()
      try follower.turn()
      try FinishedStream.append(to: writer, match, lines, ended: Date())
    }
    // It has said that it is there a moment ago, and nothing listens.
    _ = try writer.reply(to: "DEL", RedisKey.stream(match))
    #expect(try replay(of: match) == .failure(.engineIsAway))
    // Nobody asks one that has been silent for long.
    _ = try writer.reply(to: "HSET", RedisKey.archives, "\(place)", "1000")
    directory.archives.connect = { _, _ in
      Issue.record("a silent follower is asked")
      return {}
    }
    #expect(try replay(of: match) == .failure(.engineIsAway))
  }

  @Test func `a follower that accepts and does not answer costs its time-out`() throws {
    let loop = reader.loop
    var silent: [TCPConnection] = []
    let address = try #require(
      try SocketAddress.resolve(host: place.host, port: place.port, passive: true).first)
    let listener = try TCPListener(loop: loop, address: address, accept: { silent.append($0) })
    let now = Int(Date().timeIntervalSince1970 * 1_000)
    _ = try writer.reply(to: "HSET", RedisKey.archives, "\(place)", "\(now)")
    let begin = loop.preciseNow
    #expect(try replay(of: match) == .failure(.engineIsAway))
    #expect(loop.preciseNow - begin >= ArchiveInquiry.timeout)
    #expect(silent.count == 1)
    listener.close()
  }

  @Test func `what is no replay gets an error`() throws {
    let follower = try follower()
    try follower.turn()
    var received: [UInt8] = []
    var connection: (any Connection)?
    let client = Receiver { received += $0 }
    let connector = Connector(loop: reader.loop, host: place.host, port: place.port) {
      connection = try? $0.get()
      connection?.delegate = client
      connection?.send(Array("login ann\n".utf8).span)
    }
    try turn { received.contains(UInt8(ascii: "\n")) }
    #expect(String(decoding: received, as: UTF8.self).contains(#""code":"unknownType""#))
    connection?.reset()
    withExtendedLifetime((connector, follower)) {}
  }
}

private final class Receiver: ConnectionDelegate {
  private let take: ([UInt8]) -> Void

  init(_ take: @escaping ([UInt8]) -> Void) { self.take = take }

  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    take(bytes.withUnsafeBufferPointer { Array($0) })
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {}
}
