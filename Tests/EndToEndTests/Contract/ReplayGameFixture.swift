import Shared
import TestSupport

@testable import Client

/// A viewer of a match that two players play on a server. After each action the whole match so far
/// is replayed from its events, to proxies that know nothing of the server.
final class ReplayGameFixture: GameFixture {
  private let match: RemoteGameFixture
  private let game: GameInfo
  private let viewer = GameParent()
  private let clock = ManualTimers()
  /// The match that the player feeds.
  private var replayed: RemoteMatch?

  init(_ game: GameInfo, seed: UInt64) throws {
    self.game = game
    match = try RemoteGameFixture(MemoryTransport(seed: seed), game)
    replay()
  }

  func parent(of mark: Mark) -> GameParent { viewer }

  func settle() throws {
    try match.settle()
    replay()
  }

  func place(_ mark: Mark, at cell: Cell) throws {
    try match.place(mark, at: cell)
    replay()
  }

  func resign(_ mark: Mark) throws {
    try match.resign(mark)
    replay()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) throws {
    try match.end(reason, by: mark)
    replay()
  }

  func playNext() throws {
    try match.playNext()
    replay()
  }

  private func replay() {
    let player = ReplayPlayer(Replay(match: "any", events: match.events), timers: clock)
    player.delegate = self
    player.begin(isPaused: true)
    player.goToEnd()
    precondition(player.state.damage == nil, "a match that a server has played is whole")
  }
}

extension ReplayGameFixture: ReplayPlayerDelegate {
  func player(didRewindTo match: RemoteMatch) {
    viewer.reset()
    replayed = match
    match.delegate = self
  }

  func playerDidChange(to state: ReplayState) {}
}

extension ReplayGameFixture: RemoteMatchDelegate {
  func match(didStart state: GameState) {
    guard let replayed else { return }
    let game = Game(game) {
      RemoteTicTacToeBuilder(dependency: $0, game: $1, match: replayed)
    }
    viewer.attach(
      game,
      setup: GameSetup(
        series: Series(state.players.map { .person($0) }, score: state.score), seat: .none,
        board: state.board))
  }

  func match(didEndGame outcome: Outcome, score: Score) {}
  func match(didEnd reason: MatchEndReason, by mark: Mark?) {}
  func matchDidNotReply() {}
  func matchDidVanish() {}
}
