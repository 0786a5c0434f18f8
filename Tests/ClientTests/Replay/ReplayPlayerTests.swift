import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The player of a stored match, with the match that it feeds.
@Suite struct ReplayPlayerTests {
  private let clock = ManualTimers()

  private func player(_ match: StoredMatch) -> (ReplayPlayer, ReplayViewer) {
    let player = ReplayPlayer(match.replay, timers: clock)
    let viewer = ReplayViewer()
    player.delegate = viewer
    player.begin()
    return (player, viewer)
  }

  @Test func `a replay begins with an empty board and makes one move a second`() {
    let (player, viewer) = player(.example)
    #expect(viewer.games == ["ann–bob"])
    #expect(viewer.board?.freeCells.count == 9)
    #expect(player.state == ReplayState(match: "zrg3", moveCount: 6, gameCount: 2))
    clock.advance(by: .milliseconds(999))
    #expect(player.state.move == 0)
    clock.advance(by: .milliseconds(1))
    #expect(player.state.move == 1)
    #expect(viewer.board?.freeCells.count == 8)
  }

  @Test func `the replay crosses the games of the match and stays at the end`() {
    let (player, viewer) = player(.example)
    clock.advance(by: .seconds(5))
    #expect(viewer.ends == [.line])
    #expect(player.state.move == 5)
    clock.advance(by: .seconds(1))
    #expect(viewer.games == ["ann–bob", "bob–ann"])
    #expect(player.state.move == 5)
    clock.advance(by: .seconds(2))
    #expect(viewer.ends == [.line, .resigned])
    #expect(player.state.move == 6)
    #expect(player.state.isAtEnd)
    #expect(clock.next == nil)
    #expect(viewer.matchEnd == .left)
  }

  @Test func `Space pauses and goes on, and begins again at the end`() {
    let (player, viewer) = player(.example)
    player.togglePause()
    clock.advance(by: .seconds(60))
    #expect(player.state.move == 0)
    player.togglePause()
    clock.advance(by: .seconds(60))
    #expect(player.state.isAtEnd)
    player.togglePause()
    #expect(player.state.move == 0)
    #expect(viewer.board?.freeCells.count == 9)
    clock.advance(by: .seconds(1))
    #expect(player.state.move == 1)
  }

  @Test func `steps go forward and back, also across games, and pause`() {
    let (player, viewer) = player(.example)
    player.go(by: 7)
    #expect(player.state.move == 6)
    #expect(player.state.isPaused)
    #expect(viewer.board?.freeCells.count == 8)
    player.go(by: -1)
    #expect(player.state.move == 5)
    #expect(viewer.board?.freeCells.count == 9)
    player.go(by: -1)
    #expect(viewer.games.last == "ann–bob")
    #expect(viewer.board?.freeCells.count == 4)
    player.go(by: -100)
    #expect(player.state.move == 0)
    player.go(by: 100)
    #expect(player.state.isAtEnd)
    #expect(clock.next == nil)
  }

  @Test(arguments: [(0, 9), (3, 6), (5, 4), (6, 8), (99, 8)])
  func `a replay goes to a move by its number`(move: Int, freeCells: Int) {
    let (player, viewer) = player(.example)
    player.goToEnd()
    player.go(toMove: move)
    #expect(player.state.move == min(move, 6))
    #expect(viewer.board?.freeCells.count == freeCells)
  }

  @Test func `every board that is reached in any way is the same`() {
    let forward = player(.example)
    var boards: [Board?] = [forward.1.board]
    for _ in 0..<8 {
      forward.0.go(by: 1)
      boards.append(forward.1.board)
    }
    let back = player(.example)
    back.0.goToEnd()
    for board in boards.reversed() {
      #expect(back.1.board == board)
      back.0.go(by: -1)
    }
  }

  @Test func `the speed changes in steps, down to 0.1 s and up to 5 s`() {
    let (player, _) = player(.example)
    player.changeSpeed(isFaster: true)
    #expect(player.state.interval == .milliseconds(500))
    clock.advance(by: .milliseconds(500))
    #expect(player.state.move == 1)
    for _ in 0..<9 { player.changeSpeed(isFaster: true) }
    #expect(player.state.interval == .milliseconds(100))
    for _ in 0..<9 { player.changeSpeed(isFaster: false) }
    #expect(player.state.interval == .seconds(5))
  }

  @Test(arguments: 1...12)
  func `a replay stops before an event that is missing, and says so`(index: Int) {
    var match = StoredMatch.example
    match.lose(index - 1)
    let (player, viewer) = player(match)
    player.goToEnd()
    // Without the last event, nothing contradicts the others.
    guard index < 12 else { return #expect(player.state.damage == nil) }
    #expect(player.state.damage == "The stored match is damaged: event \(index) does not fit.")
    #expect(player.state.isAtEnd)
    #expect(viewer.matchEnd == nil)
    player.go(by: -1)
    player.goToEnd()
    #expect(player.state.damage != nil)
  }

  @Test func `a hash that does not fit is damage`() throws {
    var match = StoredMatch()
    match.begin()
    let change = Change(
      Placement(cell: Cell(row: 0, column: 0), mark: .x), turn: .o, hash: 1)
    match.add(.boardDidChange(change))
    let (player, viewer) = player(match)
    clock.advance(by: .seconds(1))
    #expect(player.state.damage == "The stored match is damaged: event 2 does not fit.")
    #expect(player.state.move == 0)
    #expect(viewer.board?.freeCells.count == 9)
  }

  @Test func `nobody can move in a replay`() {
    let (_, viewer) = player(.example)
    viewer.match?.place(at: Cell(row: 0, column: 0))
    #expect(viewer.refusals == 1)
    #expect(viewer.board?.freeCells.count == 9)
  }

  @Test func `the times of the players are left out, and the chat is kept`() {
    let (player, viewer) = player(.example)
    player.go(by: 5)
    #expect(viewer.match?.news.isTimed == false)
    var remarks: [String] = []
    viewer.match?.news.stream.subscribe { remarks = $0.remarks.map(\.text) }.cancel()
    #expect(remarks == ["Well played."])
  }

  @Test func `a replay that is left needs no timer`() {
    let (player, _) = player(.example)
    player.stop()
    #expect(clock.next == nil)
  }
}

/// Attaches each game of a replay, as its RIB does.
private final class ReplayViewer: ReplayPlayerDelegate, RemoteMatchDelegate, RemoteGame {
  private(set) var match: RemoteMatch?
  private(set) var board: Board?
  private(set) var games: [String] = []
  private(set) var ends: [Outcome.Reason] = []
  private(set) var matchEnd: MatchEndReason?
  private(set) var refusals = 0

  func player(didRewindTo match: RemoteMatch) {
    self.match = match
    match.delegate = self
    (games, ends, matchEnd) = ([], [], nil)
  }

  func playerDidChange(to state: ReplayState) {}

  func match(didStart state: GameState) {
    games.append("\(state.players.x)–\(state.players.o)")
    board = state.board
    match?.game = self
  }

  func match(didEndGame outcome: Outcome, score: Score) {}
  func match(didEnd reason: MatchEndReason, by mark: Mark?) { matchEnd = reason }
  func matchDidNotReply() {}
  func matchDidVanish() {}
  func show(_ board: Board) { self.board = board }
  func boardDidChange(_ change: Change) { _ = board?.apply(change) }
  func wasRefused(_ error: MoveError) { refusals += 1 }
  func gameDidEnd(with outcome: Outcome) { ends.append(outcome.reason) }
}
