import Shared
import TestSupport

/// Two players at a game, whose rules are somewhere. All calls return when everything that they
/// set off has happened.
protocol Table: AnyObject {
  /// The RIB above the game of whoever plays a mark now.
  func parent(of mark: Mark) -> GameParent
  /// Waits until all that was done has come to both players.
  func settle() throws
  /// Both want the next game.
  func playNext() throws
}

extension Table {
  func view(of mark: Mark) -> RecordingGameView? { parent(of: mark).viewFactory.last }

  func place(_ mark: Mark, at cell: Cell) throws {
    view(of: mark)?.listener?.place(at: cell, by: mark)
    try settle()
  }

  /// X first, then by turns.
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

  /// What the parent does when a player leaves.
  func end(_ reason: Outcome.Reason, by mark: Mark) throws {
    parent(of: mark).game?.end(reason, by: mark)
    try settle()
  }
}

/// Where the rules of a game may be.
enum Home: CaseIterable {
  /// In the RIB itself.
  case local
  /// In the server's match, behind a wire in memory that splits its bytes at random.
  case memory
  /// In the server's match, behind TCP.
  case tcpWithEpoll, tcpWithPoll

  func table(for game: GameInfo, seed: UInt64 = 1) throws -> any Table {
    switch self {
    case .local: LocalTable(game)
    case .memory: try RemoteTable(MemoryWire(seed: seed), game)
    case .tcpWithEpoll: try RemoteTable(TCPWire(EventLoop()), game)
    case .tcpWithPoll: try RemoteTable(TCPWire(EventLoop(poller: PollPoller())), game)
    }
  }
}
