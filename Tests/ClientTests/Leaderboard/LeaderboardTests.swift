import RIBs
import Shared
import Testing

@testable import Client

/// The best players of a game, on the full screen.
@Suite struct LeaderboardTests {
  private let finishedGames = FinishedGamesMock()
  private let kept = Kept()
  private let listener = LeaderboardListenerMock()

  private func open(_ games: [GameInfo] = GameInfo.all) -> LeaderboardView {
    let view = LeaderboardView(screen: Screen(), names: ["ann"])
    let interactor = LeaderboardInteractor(
      presenter: view, finishedGames: finishedGames, games: games, game: "tictactoe")
    interactor.listener = listener
    interactor.activate()
    kept.interactors.append(interactor)
    return view
  }

  private func frame(_ view: LeaderboardView, _ size: Size = .usual) -> Frame {
    var frame = Frame(size: size)
    view.draw(into: &frame)
    return frame
  }

  private func list(_ count: Int) -> Leaderboard {
    Leaderboard(
      game: "tictactoe",
      (1...count).map { rank in
        LeaderboardItem(
          rank: rank, name: rank == 2 ? "ann" : "a player with number \(rank)",
          rating: 2_100 - rank * 7, isProvisional: rank % 3 == 0, won: 100 - rank, lost: rank,
          drawn: rank % 5)
      })
  }

  @Test func `the list has the ratings and the results, and scrolls`() throws {
    let view = open()
    #expect(finishedGames.calls == ["leaderboard of tictactoe"])
    #expect(frame(view).lines[22].contains("Asking the server …"))
    finishedGames.answer(list(100))
    let shown = frame(view)
    #expect(shown.position(of: "2079?") != nil)
    try expectGolden(shown, "leaderboard")
    try expectGolden(frame(view, GameLayout.minimumSize), "leaderboard-small")
    _ = view.press(.end)
    #expect(frame(view).position(of: "number 100") != nil)
    _ = view.press(.home)
    #expect(frame(view) == shown)
  }

  @Test func `keys show the other games, and a late reply is ignored`() throws {
    let view = open()
    _ = view.press(.right)
    #expect(finishedGames.calls.last == "leaderboard of four")
    finishedGames.answer(list(3))
    #expect(frame(view).position(of: "2086") == nil)
    finishedGames.answer(Leaderboard(game: "four", []))
    #expect(frame(view).position(of: "Nobody has a rating here.") != nil)
    _ = view.press(.left)
    _ = view.press(.left)
    let last = try #require(GameInfo.all.last)
    #expect(finishedGames.calls.last == "leaderboard of \(last.id)")
    _ = view.press(.character("q"))
    #expect(listener.count == 1)
  }

  @Test func `a list that was asked for without a connection comes when it is back`() {
    let view = open()
    finishedGames.fail("No connection.", isTemporary: true)
    #expect(frame(view).position(of: "No connection.") != nil)
    finishedGames.returnSource.send(())
    finishedGames.answer(list(3))
    #expect(frame(view).position(of: "No connection.") == nil)
    #expect(frame(view).position(of: "2086") != nil)
    finishedGames.returnSource.send(())
    #expect(finishedGames.calls.count == 2)
  }

  @Test func `with one game there is no other`() {
    let view = open([.ticTacToe])
    _ = view.press(.right)
    #expect(finishedGames.calls.count == 1)
    finishedGames.fail("No ratings here.")
    #expect(frame(view).lines[22].contains("No ratings here."))
  }
}

private final class LeaderboardListenerMock: LeaderboardListener {
  private(set) var count = 0

  func leaderboardDidFinish() { count += 1 }
}
