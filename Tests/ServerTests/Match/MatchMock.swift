import Shared

@testable import Server

final class MatchMock: Match {
  let id: String
  let game = "mock"
  var position = 0
  let hasRoom = true
  let board: Board? = nil
  let seq = 1
  let sessions: [Session] = []
  let spectatorCount = 0
  let begin: Duration = .zero
  private(set) var leaveCallCount = 0
  private(set) var lostCallCount = 0
  private(set) var shutDownCallCount = 0
  var onLeave: () -> Void = {}

  init(_ id: String = "m") { self.id = id }

  var summary: MatchSummary {
    MatchSummary(
      match: id, game: "tictactoe", players: PerMark(x: "ann", o: "bob"), isRunning: true)
  }

  func start(by session: Session, opponent: String?, game: String?, level: BotLevel?) {}
  func cancel(by session: Session) {}
  func decline(_ opponent: String?, by session: Session) -> Bool { false }
  func place(at cell: Cell, seq: Int?, by session: Session) {}
  func resign(by session: Session) {}
  func leave(by session: Session) {
    leaveCallCount += 1
    onLeave()
  }

  func shutDown() { shutDownCallCount += 1 }

  func watch(by session: Session) {}
  func stopWatching(by session: Session) {}
  func say(_ text: String, by session: Session) {}
  func sync(after seq: Int?, to session: Session) {}
  func connectionsDidEnd() {}
  func accountWillEnd() {}

  func tokensDidChange(of session: Session) {}
  func connectionDidEnd(of session: Session) { lostCallCount += 1 }
  func checkResume(of session: Session) {}
  func connectionDidResume(of session: Session) {}
  func repeatRequests(to session: Session) {}
}
