import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// Streams of finished matches, as nodes leave them.
enum FinishedStream {
  /// The lines of a match of two games, played on a server of its own.
  static func playedLines() throws -> (id: String, bytes: [UInt8]) {
    let fixture = try StoreFixture()
    let server = fixture.server
    let (ann, bob) = server.match()
    let id = server.onlyMatch
    server.playFirstRow(ann, bob)
    for client in [ann, bob] { client.sendOnly("start") }
    server.network.run()
    bob.sendOnly("resign")
    ann.sendOnly("say \"well played\"")
    ann.sendOnly("leave")
    server.network.run()
    fixture.settle()
    return (id, try #require(try StoredData(fixture.folder.path).lines(of: id)).bytes)
  }

  /// Writes the stream of a match as a node does, each record in an entry of its own but for one
  /// that is missing. `ended` is when the match ended; `nil` if its results are not written yet.
  static func append(
    to writer: RedisReader, _ id: String, _ lines: [UInt8], accounts: PerMark<Int>? = nil,
    ended: Date?,
    isFinished: Bool = true, missing: Int? = nil
  ) throws {
    let player = { StoredPlayer(name: $0, token: "") }
    let beginning = BeginningRecord(
      match: id, game: "tictactoe", X: player("ann"), O: player("bob"))
    var records: [[UInt8]] = [
      Array("b ".utf8) + RecordEncoder().payload(beginning) + Array("\n".utf8)
    ]
    if let accounts {
      let record = AccountsRecord(match: id, accounts)
      records.append(Array("a ".utf8) + RecordEncoder().payload(record) + Array("\n".utf8))
    }
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      records.append(Array("e ".utf8) + line + Array("\n".utf8))
    }
    var commands = RedisCommands()
    var last: EntryID?
    for (index, bytes) in records.enumerated() {
      var entry = StreamEntry(EntryID(term: 1, number: index + 1), after: last)
      last = entry.id
      entry.records = bytes
      entry.isFinished = isFinished && index == records.count - 1
      if index != missing { entry.append(to: id, in: &commands) }
    }
    if let ended {
      let time = ended.milliseconds + RedisScript.finishedStreamTime.milliseconds
      commands.add("PEXPIREAT", RedisKey.stream(id), String(time))
    }
    _ = try writer.replies(to: commands)
  }
}
