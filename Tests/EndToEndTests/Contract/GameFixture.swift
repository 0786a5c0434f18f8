import Shared
import TestSupport

/// Two players at a game in some deployment. Each call returns when all its effects have arrived.
protocol GameFixture: AnyObject {
  /// The parent of the game at the player who has this mark now.
  func parent(of mark: Mark) -> GameParent
  /// Waits until the effects of all calls have reached both players.
  func settle() throws
  /// Both players ask for a rematch.
  func playNext() throws
  func place(_ mark: Mark, at cell: Cell) throws
  func resign(_ mark: Mark) throws
  /// Ends the game as a parent does when a player leaves.
  func end(_ reason: Outcome.Reason, by mark: Mark) throws
}

extension GameFixture {
  func view(of mark: Mark) -> RecordingGameView? { parent(of: mark).viewFactory.last }

  func place(_ mark: Mark, at cell: Cell) throws {
    view(of: mark)?.listener?.place(at: cell, by: mark)
    try settle()
  }

  /// Places marks on the cells in turn. X begins.
  func play(_ cells: [(Int, Int)]) throws {
    var mark = Mark.x
    for (row, column) in cells {
      try place(mark, at: Cell(row: row, column: column))
      mark = mark.other
    }
  }

  func resign(_ mark: Mark) throws {
    view(of: mark)?.listener?.resign(by: mark)
    try settle()
  }

  func end(_ reason: Outcome.Reason, by mark: Mark) throws {
    parent(of: mark).game?.end(reason, by: mark)
    try settle()
  }
}

/// Where the rules of a game run.
enum Deployment: CaseIterable {
  /// In the RIB itself.
  case local
  /// In the server's match, behind a transport in memory that splits its bytes at random.
  case memory
  /// In the server's match, behind TCP.
  case tcpWithEpoll, tcpWithPoll
  /// In a server's match that is over for the viewer: its events come from a store.
  case replay

  /// Those in which a person can play.
  static let played: [Deployment] = allCases.filter { $0 != .replay }

  func makeFixture(for game: GameInfo, seed: UInt64 = 1) throws -> any GameFixture {
    switch self {
    case .local: LocalGameFixture(game)
    case .memory: try RemoteGameFixture(MemoryTransport(seed: seed), game)
    case .tcpWithEpoll: try RemoteGameFixture(TCPTransport(EventLoop()), game)
    case .replay: try ReplayGameFixture(game, seed: seed)
    case .tcpWithPoll: try RemoteGameFixture(TCPTransport(EventLoop(poller: PollPoller())), game)
    }
  }
}

/// Two players at one keyboard.
final class LocalGameFixture: GameFixture {
  private let parent = GameParent()
  private let game: Game
  private var series = Series(PerMark(x: .person("ann"), o: .person("bob")))

  init(_ info: GameInfo) {
    game = Game(info, makeBuilder: TicTacToeBuilder.init)
    begin()
  }

  func parent(of mark: Mark) -> GameParent { parent }

  func settle() {}

  func playNext() {
    if let outcome = parent.outcomes.last { series.gameDidEnd(with: outcome) }
    series.swapMarks()
    begin()
  }

  private func begin() {
    parent.attach(
      game, setup: GameSetup(series: series, seat: .both, board: game.info.board))
  }
}
