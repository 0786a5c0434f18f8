import Foundation
import Shared

/// A match whose stored lines follow the rules.
struct VerifiedMatch {
  let id: String
  let game: String
  /// By the marks of the first game.
  let players: PerMark<String>
  private(set) var events = 0
  private(set) var results: [GameResult] = []
  private(set) var hasEnded = false

  /// Replays the lines of a match, each with its LF.
  ///
  /// - Throws: what is wrong with the first line that is wrong.
  init(_ lines: [UInt8], games: GameRegistry) throws(ReplayError) {
    var decoder = EventDecoder()
    var (match, moves): (StoredMatch?, Int) = (nil, 0)
    var current: GameState?
    var rest = lines[...]
    while !rest.isEmpty {
      let number = (match?.history.seq ?? 0) + 1
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
        throw ReplayError("line \(number) has no end")
      }
      let line = Array(rest[...end])
      rest = rest[(end + 1)...]
      guard
        case .match(let event)? =
          (try? decoder.decode(line.span.extracting(droppingLast: 1)))?.event
      else { throw ReplayError("line \(number) is no event of a match") }
      if match == nil { match = try Self.begin(event, games) }
      guard event.match == match?.id else {
        throw ReplayError("line \(number) is of match \(event.match)")
      }
      do throws(ReplayError) {
        try match?.apply(event, line.span)
      } catch {
        throw ReplayError("in line \(number), \(error.reason)")
      }
      switch event.body {
      case .gameDidStart(let state): (current, moves) = (state, 0)
      case .boardDidChange: moves += 1
      case .gameDidEnd(let outcome, _):
        guard let current else { break }
        results.append(
          GameResult(
            match: event.match, game: current.game, players: current.players, accounts: nil,
            outcome: outcome, moves: moves, ended: 0))
      case .presenceDidChange, .didSay, .matchDidEnd: break
      }
    }
    guard let match else { throw ReplayError("there is no event") }
    id = match.id
    game = match.game.info.id
    players = match.players.map { $0?.name ?? Player.botName }
    events = match.history.seq
    hasEnded = match.hasEnded
  }

  private static func begin(
    _ event: MatchEvent, _ games: GameRegistry
  ) throws(ReplayError) -> StoredMatch {
    guard case .gameDidStart(let state) = event.body else {
      throw ReplayError("match \(event.match) does not begin with the beginning of a game")
    }
    guard let game = games[state.game] else {
      throw ReplayError("this server does not have the game \(state.game)")
    }
    return StoredMatch(
      event.match, game: game,
      players: state.players.map { name in
        name == Player.botName ? nil : StoredPlayer(name: name, token: "")
      })
  }
}
