import Shared

/// The time between two games of a match: the board of the last one, and who has asked for the next.
final class Rematch {
  let last: Board
  private let game: GameInfo
  private let players: PerMark<Player>
  private let channel: MatchChannel
  private var asked = PerMark(x: false, o: false)

  /// `players` by the marks of the last game.
  init(after last: Board, of game: GameInfo, players: PerMark<Player>, channel: MatchChannel) {
    self.last = last
    self.game = game
    self.players = players
    self.channel = channel
  }

  /// Answers whether it begins, for both have asked now; the bot always has. Otherwise the other is
  /// told. `opponent` and `game`, where they are given, have to be the match's.
  func ask(
    by session: Session, opponent: String?, game: String?
  ) throws(CommandError) -> Bool {
    let mark = channel.mark(of: session)
    guard !asked[mark] else { throw CommandError(.alreadyWaiting) }
    if let opponent, !isNamed(opponent, mark.other) {
      let name = players[mark.other].name
      throw CommandError(
        .inMatch, field: "opponent",
        "This match is against \(name). To play the next game, type: start. To leave, type: leave")
    }
    if let game, ExactText(game) != ExactText(self.game.id) {
      throw CommandError(
        .inMatch, field: "game",
        "This match is of \(self.game.name). To play the next game, type: start. To leave, type: leave"
      )
    }
    guard let other = channel.seats[mark.other], !asked[mark.other] else { return true }
    try other.checkThatItReads(field: "opponent")
    asked[mark] = true
    session.write(didQueue)
    other.write(invited(from: session))
    return false
  }

  func takeBack(by session: Session) throws(CommandError) {
    let mark = channel.mark(of: session)
    guard asked[mark] else { throw CommandError(.notWaiting) }
    asked[mark] = false
    session.write(.didCancel)
    channel.seats[mark.other]?.write(.invitationDidEnd(from: session.name.text, game: game.id))
  }

  /// Tells a player who is back who has asked.
  func repeatRequests(to session: Session) {
    let mark = channel.mark(of: session)
    if asked[mark] { session.write(didQueue) }
    if asked[mark.other], let other = channel.seats[mark.other] {
      session.write(invited(from: other))
    }
  }

  /// Whether a text names the player who has a mark.
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
