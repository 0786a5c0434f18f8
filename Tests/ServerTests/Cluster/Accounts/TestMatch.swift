import Foundation
import RIBs
import Shared

@testable import Server

/// The records of a match that was never played. Its events have only what results need.
struct TestMatch {
  private enum Step {
    case accounts(PerMark<Int>?)
    case event(String)
  }

  let id: String
  private let game: String
  private let players: PerMark<StoredPlayer?>
  private var steps: [Step] = []
  private(set) var lines: [String] = []

  /// `nil` is the bot.
  init(_ id: String, game: String = "tictactoe", _ x: String, _ o: String?) {
    self.id = id
    self.game = game
    players = PerMark(x: x, o: o).map { $0.map { StoredPlayer(name: $0, token: "") } }
  }

  mutating func add(_ type: String, _ rest: String = "") {
    let line = #"{"type":"\#(type)","match":"\#(id)","seq":\#(lines.count + 1)\#(rest)}"#
    lines.append(line)
    steps.append(.event(line))
  }

  mutating func setAccounts(_ accounts: PerMark<Int>?) { steps.append(.accounts(accounts)) }

  /// Plays a game. Marks and accounts are those of this game.
  mutating func play(moves: Int = 1, winner: Mark?, accounts: PerMark<Int>? = nil) {
    if let accounts { setAccounts(accounts) }
    add("gameDidStart")
    for _ in 0..<moves { add("boardDidChange") }
    let result = winner.map { #""win","winner":"\#($0.letter)","reason":"resigned""# }
    add("gameDidEnd", #","result":\#(result ?? #""draw","reason":"full""#)"#)
  }

  mutating func end() { add("matchDidEnd", #","reason":"left""#) }

  /// As in the stream of the match.
  var records: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ kind: RecordKind, _ payload: some Sequence<UInt8>) {
      bytes += [kind.rawValue, UInt8(ascii: " ")] + payload + [UInt8(ascii: "\n")]
    }
    func encoded(_ record: some Encodable) -> Data {
      (try? JSONEncoder().encode(record)) ?? Data()
    }
    append(
      .beginning,
      encoded(BeginningRecord(match: id, game: game, X: players.x, O: players.o)))
    for step in steps {
      switch step {
      case .accounts(let accounts):
        append(.accounts, encoded(AccountsRecord(match: id, accounts)))
      case .event(let line): append(.event, line.utf8)
      }
    }
    return bytes
  }

  func store(in store: any MatchStore) {
    store.begin(id, game: game, players: players)
    for step in steps {
      switch step {
      case .accounts(let accounts): store.setAccounts(accounts, in: id)
      case .event(let line): store.append(Array("\(line)\n".utf8).span, to: id, seq: 0)
      }
    }
  }
}
