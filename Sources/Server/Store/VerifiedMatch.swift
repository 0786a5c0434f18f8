import Foundation
import Shared

/// A match whose stored lines follow the rules.
struct VerifiedMatch {
  let record: MatchRecord
  let results: [GameResult]

  /// Replays the lines of a match, each with its LF.
  ///
  /// - Throws: what is wrong with the first line that is wrong.
  init(_ lines: [UInt8], games: GameRegistry) throws(ReplayError) {
    var decoder = EventDecoder()
    var match: StoredMatch?
    var results: [GameResult] = []
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
        if let result = try match?.apply(event, line.span, at: 0) { results.append(result) }
      } catch {
        throw ReplayError("in line \(number), \(error.reason)")
      }
    }
    guard let match else { throw ReplayError("there is no event") }
    record = match.record
    self.results = results
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
