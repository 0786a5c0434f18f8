@testable import Server
@testable import Shared

/// The events of a match, as they are stored.
struct StoredLines {
  /// By their numbers.
  private(set) var lines: [Int: String] = [:]
  private(set) var gameEnds = 0
  private var match: StoredMatch?
  private var decoder = EventDecoder()

  init() {}

  init(_ bytes: [UInt8]) throws {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      try append(String(decoding: line, as: UTF8.self))
    }
  }

  var count: Int { lines.count }

  /// Appends the next event, which the rules must allow.
  mutating func append(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    guard
      case .match(let event) = try decoder.decode(bytes.span.extracting(droppingLast: 1)).event
    else { throw ViolationError("no event: \(line)") }
    try require(event.seq == count + 1, "event \(event.seq) follows event \(count): \(line)")
    if case .gameDidStart(let state) = event.body, match == nil {
      let info = GameInfo.all.first { $0.id == state.game } ?? .ticTacToe
      match = StoredMatch(
        event.match, game: Game(info, makeBuilder: TicTacToeBuilder.init),
        players: state.players.map {
          $0 == Player.botName ? nil : StoredPlayer(name: $0, token: "")
        })
    }
    do throws(ReplayError) {
      try match?.apply(event, bytes.span)
    } catch {
      throw ViolationError("\(error.reason): \(line)")
    }
    if case .gameDidEnd = event.body { gameEnds += 1 }
    lines[event.seq] = line
  }

  /// Checks that the match has ended.
  func check() throws(ViolationError) {
    try require(match?.hasEnded == true, "a match that goes on is in the archive")
  }
}
