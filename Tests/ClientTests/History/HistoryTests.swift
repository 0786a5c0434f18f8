import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The list of finished games, on the full screen.
@Suite struct HistoryTests {
  private let finishedGames = FinishedGamesMock()
  private let kept = Kept()
  private let listener = HistoryListenerMock()
  private let timers = ManualTimers()
  private let screen: Screen

  init() {
    screen = Screen(timers: timers)
  }

  private func open(
    _ owner: HistoryOwner = .mine, size: Size = .usual
  ) -> HistoryView {
    let view = HistoryView(screen: screen)
    let interactor = HistoryInteractor(
      presenter: view, finishedGames: finishedGames, offers: [GameLobbyMock.ticTacToe], name: "ann",
      owner: owner)
    interactor.listener = listener
    interactor.activate()
    kept.interactors.append(interactor)
    return view
  }

  private func frame(_ view: HistoryView, _ size: Size = .usual) -> Frame {
    var frame = Frame(size: size)
    view.draw(into: &frame)
    return frame
  }

  private func page(_ ids: ClosedRange<Int>, next: Int? = nil) -> HistoryPage {
    HistoryPage(ids.reversed().map { HistoryItem.example($0) }, next: next)
  }

  @Test func `the person's own games come first, with the results as that person sees them`()
    throws
  {
    let view = open()
    #expect(finishedGames.calls == ["history of ann before -"])
    #expect(frame(view).lines[22].contains("Asking the server …"))
    finishedGames.answer(
      HistoryPage([
        .example(9, ago: .seconds(20)),
        .example(8, Outcome(winner: .o, reason: .resigned), moves: 1, ago: .seconds(120)),
        .example(7, Outcome(winner: nil, reason: .full), moves: 9, ago: .seconds(7_200)),
        .example(6, x: "bob", o: "ann", game: "chess", ago: .seconds(86_400 * 3)),
      ]))
    let shown = frame(view)
    for text in ["won against bob", "lost against bob", "drew against bob", "just now", "2 h ago"] {
      #expect(shown.position(of: text) != nil, "\(text)")
    }
    try expectGolden(shown, "history")
    try expectGolden(frame(view, GameLayout.minimumSize), "history-small")
  }

  @Test func `Enter tells which game of its match is selected`() {
    let view = open()
    finishedGames.answer(
      HistoryPage([.example(9, match: "m"), .example(8, match: "other"), .example(7, match: "m")]))
    _ = view.press(.enter)
    _ = view.press(.end)
    _ = view.press(.enter)
    #expect(listener.calls == ["replay m", "replay m but 1"])
  }

  @Test func `a notice leaves after ten seconds, or with the next key`() {
    let view = open()
    finishedGames.answer(page(1...3))
    view.say("The server says: hello")
    #expect(frame(view).hasClock)
    #expect(frame(view).position(of: "hello") != nil)
    timers.advance(by: Notices.showTime)
    #expect(frame(view).position(of: "hello") == nil)
    view.say("The server says: hello")
    timers.advance(by: Notices.minTime)
    _ = view.press(.down)
    #expect(frame(view).position(of: "hello") == nil)
  }

  @Test func `older games follow when the selection comes to the end`() {
    let view = open()
    finishedGames.answer(page(51...100, next: 51))
    _ = view.press(.pageDown)
    #expect(finishedGames.calls.count == 1)
    _ = view.press(.end)
    #expect(finishedGames.calls.last == "history of ann before 51")
    _ = view.press(.down)
    #expect(finishedGames.calls.count == 2)
    finishedGames.answer(page(1...50))
    _ = view.press(.end)
    #expect(finishedGames.calls.count == 2)
    #expect(frame(view).position(of: "Match m1,") != nil)
  }

  @Test func `Enter shows the match of the selected game again`() {
    let view = open()
    _ = view.press(.enter)
    finishedGames.answer(page(1...3))
    _ = view.press(.down)
    _ = view.press(.enter)
    _ = view.press(.press(Position(row: 4, column: 10)))
    #expect(listener.calls == ["replay m2", "replay m1"])
  }

  @Test func `Tab shows the games of everyone, and a name those of a player`() throws {
    let view = open()
    finishedGames.answer(page(1...3))
    _ = view.press(.tab)
    #expect(finishedGames.calls.last == "history of - before -")
    finishedGames.answer(page(1...3))
    #expect(frame(view).position(of: "ann won against bob") != nil)
    view.type("/bob?")
    #expect(view.isTyping)
    #expect(frame(view).position(of: "Whose games: bob?") != nil)
    _ = view.press(.backspace)
    _ = view.press(.enter)
    #expect(finishedGames.calls.last == "history of bob before -")
    finishedGames.answer(HistoryPage([]))
    #expect(frame(view).position(of: "There are no finished games.") != nil)
    _ = view.press(.escape)
    #expect(listener.calls == ["finish"])
  }

  @Test func `a reply for an earlier list is ignored`() {
    let view = open()
    _ = view.press(.tab)
    finishedGames.answer(HistoryPage([.example(1, x: "zoe")]))
    #expect(frame(view).position(of: "zoe") == nil)
    finishedGames.answer(HistoryPage([.example(1, x: "joe")]))
    #expect(frame(view).position(of: "joe won against bob") != nil)
  }

  @Test func `a refusal and a notice are shown at the bottom`() {
    let view = open()
    finishedGames.fail("No history here.")
    #expect(frame(view).lines[22].contains("No history here."))
    view.say("Tea is ready. To drink, type: tea")
    #expect(frame(view).lines[22].contains("Tea is ready."))
  }

  @Test func `games that were asked for without a connection come when it is back`() {
    let view = open()
    finishedGames.fail("No connection.", isTemporary: true)
    #expect(frame(view).lines[22].contains("No connection."))
    finishedGames.returnSource.send(())
    #expect(frame(view).position(of: "No connection.") == nil)
    finishedGames.answer(page(51...100, next: 51))
    _ = view.press(.end)
    finishedGames.fail("No connection.", isTemporary: true)
    finishedGames.returnSource.send(())
    #expect(finishedGames.calls.last == "history of ann before 51")
    finishedGames.fail("No history here.")
    finishedGames.returnSource.send(())
    #expect(finishedGames.calls.count == 4)
    #expect(frame(view).lines[22].contains("No history here."))
  }

  @Test func `a server that repeats games is not asked without end`() {
    let view = open()
    finishedGames.answer(page(3...5, next: 3))
    _ = view.press(.end)
    finishedGames.answer(page(3...5, next: 3))
    _ = view.press(.end)
    _ = view.press(.down)
    #expect(finishedGames.calls.count == 2)
  }

  @Test(arguments: [
    (0, "just now"), (59, "just now"), (60, "1 min ago"), (3_599, "59 min ago"),
    (3_600, "1 h ago"), (86_399, "23 h ago"), (86_400, "1 day ago"), (86_400 * 59, "59 days ago"),
    (86_400 * 60, "2 months ago"), (86_400 * 730, "2 years ago"), (-5, "just now"),
  ])
  func `times are in words`(seconds: Int, text: String) {
    #expect(Duration.seconds(seconds).inThePast == text)
  }

  @Test func `the names of the players are compared as the server does`() {
    let item = HistoryItem.example(1, x: "Ann")
    #expect(item.result(for: "ann") == "won against bob")
    #expect(item.result(for: "BOB") == "lost against Ann")
    #expect(item.result(for: "eve") == "Ann won against bob")
  }
}

extension HistoryItem {
  static func example(
    _ id: Int, _ outcome: Outcome = Outcome(winner: .x, reason: .line), x: String = "ann",
    o: String = "bob", game: String = "tictactoe", moves: Int = 5, ago: Duration = .zero,
    match: String? = nil
  ) -> HistoryItem {
    HistoryItem(
      id: id, match: match ?? "m\(id)", game: game, players: PerMark(x: x, o: o), outcome: outcome,
      moves: moves, ago: ago)
  }
}

private final class HistoryListenerMock: HistoryListener {
  private(set) var calls: [String] = []

  func historyDidFinish() { calls.append("finish") }
  func replay(_ item: HistoryItem, later: Int) {
    calls.append("replay \(item.match)" + (later > 0 ? " but \(later)" : ""))
  }
}

/// Keeps what only the routers own in the program.
final class Kept {
  var interactors: [Interactor] = []
}

/// Finished games whose replies the test gives, in the order of the requests.
final class FinishedGamesMock: FinishedGames {
  let returnSource = EventSource<Void>()
  var returns: Stream<Void> { returnSource.stream }
  private(set) var calls: [String] = []
  private var histories: [(Result<HistoryPage, RequestError>) -> Void] = []
  private var leaderboards: [(Result<Leaderboard, RequestError>) -> Void] = []

  func history(
    of player: String?, before: Int?,
    answer: @escaping (Result<HistoryPage, RequestError>) -> Void
  ) {
    calls.append("history of \(player ?? "-") before \(before.map(String.init) ?? "-")")
    histories.append(answer)
  }

  func leaderboard(
    of game: String, answer: @escaping (Result<Leaderboard, RequestError>) -> Void
  ) {
    calls.append("leaderboard of \(game)")
    leaderboards.append(answer)
  }

  func answer(_ page: HistoryPage) { histories.removeFirst()(.success(page)) }
  func answer(_ list: Leaderboard) { leaderboards.removeFirst()(.success(list)) }

  func fail(_ sentence: String, isTemporary: Bool = false) {
    let error = RequestError(sentence: sentence, isTemporary: isTemporary)
    if histories.isEmpty {
      leaderboards.removeFirst()(.failure(error))
    } else {
      histories.removeFirst()(.failure(error))
    }
  }
}
