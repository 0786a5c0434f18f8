import Shared

/// A game's proxy as the match feeds it.
protocol RemoteGame: AnyObject {
  func boardDidChange(_ change: Change)
  func wasRefused(_ refusal: Refusal)
  func gameDidEnd(with outcome: Outcome)
}

/// What a match at the server comes to, for remote play.
protocol RemoteMatchListener: AnyObject {
  func match(didStart picture: GamePicture)
  /// Told before the game's proxy is.
  func match(didEndGame outcome: Outcome, score: Score)
  func match(didEnd reason: MatchEndReason, by mark: Mark?)
}

/// A match at the server, across its games: checks that no event is missing and that each change
/// gives the server's board, and feeds the game's proxy.
final class RemoteMatch {
  weak var listener: (any RemoteMatchListener)?
  /// The attached proxy.
  weak var game: (any RemoteGame)?
  private let link: ServerLink
  /// The id of the match and the number of its last event; `nil` when there is no match.
  private var last: (match: String, seq: Int)?
  private var board: Board?

  init(link: ServerLink) {
    self.link = link
  }

  func receive(_ event: MatchEvent) {
    guard count(event.match, event.seq) else { return link.close(.outOfStep) }
    switch event.body {
    case .gameDidStart(let picture):
      board = picture.board
      listener?.match(didStart: picture)
    case .boardDidChange(let change, _):
      guard board?.apply(change) == true, board?.hash == change.hash else {
        return link.close(.outOfStep)
      }
      game?.boardDidChange(change)
    case .gameDidEnd(let outcome, let score):
      listener?.match(didEndGame: outcome, score: score)
      game?.gameDidEnd(with: outcome)
    case .presenceDidChange, .didSay:
      // Counted, but not shown yet.
      break
    case .matchDidEnd(let reason, let mark, _):
      last = nil
      board = nil
      listener?.match(didEnd: reason, by: mark)
    }
  }

  /// Counts an event of a kind that this client does not know.
  func receiveUnknown(match: String, seq: Int) {
    guard match == last?.match else { return }
    if !count(match, seq) { link.close(.outOfStep) }
  }

  func place(at cell: Cell) {
    send(.place(cell, seq: nil))
  }

  func resign() {
    send(.resign)
  }

  func leave() {
    send(.leave)
  }

  private func send(_ command: Command) {
    link.send(command) { [weak self] answer in
      guard case .error(let code, _, _, _) = answer else { return }
      self?.game?.wasRefused(Refusal(code))
    }
  }

  /// Answers `false` where events are missing, or are not of the match that goes on. A match is
  /// counted from its first event that this client knows.
  private func count(_ match: String, _ seq: Int) -> Bool {
    if let last, last.match != match || seq != last.seq + 1 { return false }
    last = (match, seq)
    return true
  }
}

extension Refusal {
  /// What a server's refusal of a move means to the game; whatever is no refusal of the rules says
  /// that the server has no such game any more.
  init(_ code: ErrorCode) {
    self = Refusal.allCases.first { ErrorCode($0) == code } ?? .noGame
  }
}
