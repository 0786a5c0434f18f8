import Shared

/// The state between two games of a match: the last board, and which players have asked for a
/// rematch.
final class Rematch {
  let last: Board
  private let game: GameInfo
  private let channel: MatchChannel
  private let timers: any Timers
  private var asked: PerMark<Bool>

  /// `asked` is which players have asked already, by their marks in the last game.
  init(
    after last: Board, of game: GameInfo, channel: MatchChannel, timers: any Timers,
    asked: PerMark<Bool> = PerMark(x: false, o: false)
  ) {
    self.asked = asked
    self.last = last
    self.game = game
    self.channel = channel
    self.timers = timers
  }

  /// Asks for a rematch, and invites the other player unless both have now asked. The bot counts as
  /// always asking. If `opponent` or `game` is given, it must be that of the match.
  ///
  /// - Returns: whether the next game begins.
  /// - Throws: `alreadyWaiting` if the player has already asked, `inMatch` for another opponent or
  ///   game, `tooFast` if the other player has declined a moment ago or has not read earlier
  ///   messages.
  func ask(
    by session: Session, opponent: String?, game: String?
  ) throws(CommandError) -> Bool {
    let mark = channel.mark(of: session)
    guard !asked[mark] else { throw CommandError(.alreadyWaiting) }
    if let opponent, !isNamed(opponent, mark.other) {
      let name = channel.series.players[mark.other].name
      throw CommandError(
        .inMatch, field: "opponent",
        "This match is against \(name)."
          + " To play the next game, type: start. To leave, type: leave")
    }
    if let game, !self.game.isNamed(game) {
      throw CommandError(
        .inMatch, field: "game",
        "This match plays \(self.game.name)."
          + " To play the next game, type: start. To leave, type: leave")
    }
    guard let other = channel.seats[mark.other], !asked[mark.other] else { return true }
    try session.checkDeclines(by: other, at: timers.now)
    try other.checkUnsent(field: "opponent")
    setAsked(true, by: mark)
    session.write(didQueue)
    other.write(invited(from: session))
    return false
  }

  /// Declines the other player's request, if `opponent` is `nil` or names that player.
  ///
  /// - Returns: whether it does.
  /// - Throws: `notInvited` if the other player has not asked.
  func decline(_ opponent: String?, by session: Session) throws(CommandError) -> Bool {
    let mark = channel.mark(of: session)
    if let opponent, !isNamed(opponent, mark.other) { return false }
    guard asked[mark.other], let other = channel.seats[mark.other] else {
      throw CommandError(.notInvited)
    }
    setAsked(false, by: mark.other)
    other.declines.add(session.number, at: timers.now)
    session.write(.invitationDidEnd(from: other.name.text, game: game.id))
    other.write(.didCancel(reason: .declined))
    return true
  }

  /// Cancels a player's request.
  ///
  /// - Throws: `notWaiting` if there is none.
  func cancel(by session: Session) throws(CommandError) {
    let mark = channel.mark(of: session)
    guard asked[mark] else { throw CommandError(.notWaiting) }
    setAsked(false, by: mark)
    session.write(.didCancel())
    channel.seats[mark.other]?.write(.invitationDidEnd(from: session.name.text, game: game.id))
  }

  private func setAsked(_ isAsked: Bool, by mark: Mark) {
    asked[mark] = isAsked
    channel.storeRematch(isAsked, by: mark)
  }

  /// Repeats the open requests to a player who has resumed.
  func repeatRequests(to session: Session) {
    let mark = channel.mark(of: session)
    if asked[mark] { session.write(didQueue) }
    if asked[mark.other], let other = channel.seats[mark.other] {
      session.write(invited(from: other))
    }
  }

  private func isNamed(_ text: String, _ mark: Mark) -> Bool {
    let key = PlayerName.key(of: text)
    guard let session = channel.seats[mark] else { return key?.text == Player.botName }
    return key == session.name.key
  }

  private var didQueue: Event { .didQueue(game: game.id, opponent: nil) }

  private func invited(from session: Session) -> Event {
    .invited(from: session.name.text, game: game.id)
  }
}
