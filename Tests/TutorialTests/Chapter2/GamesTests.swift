import RIBs
import Testing

@testable import Tutorial2

@Suite struct GameRegistryTests {
  @Test func `a game that no RIB knows is played like the others`() {
    let console = Console { [output] in output.write($0) }
    let games = GameRegistry([.coinOfX])
    let root = RootBuilder(dependency: AppComponent(console: console, games: games)).build()
    root.launch(from: console)
    for line in ["ann", "bob", "randomwin"] { console.didType(line) }
    #expect(RIBTree(root, maxLines: 9).lines == ["Root", "  LoggedIn", "    RandomWin"])
    _ = output.take()
    console.didType("")
    #expect(output.take().prefix(2) == ["The coin is for ann.", "ann 1 : 0 bob"])
  }

  @Test func `a name without a game is asked for again`() {
    let program = Program2()
    _ = program.start()
    for line in ["ann", "bob"] { _ = program.type(line) }
    let question = "Type logout or the name of a game: tictactoe, randomwin"
    #expect(program.type("chess") == [question])
  }

  private let output = Output()
}

@Suite struct RandomWinInteractorTests {
  @Test(arguments: [true, false])
  func `the coin decides`(isForX: Bool) {
    let view = RandomWinPresentableMock()
    let listener = GameListenerMock()
    let interactor = RandomWinInteractor(presenter: view, toss: { isForX })
    interactor.listener = listener
    interactor.activate()
    #expect(view.winners == [])
    view.listener?.tossCoin()
    #expect(view.winners == [isForX ? .x : .o])
    #expect(listener.outcomes == [.won(isForX ? .x : .o)])
  }
}

private final class RandomWinPresentableMock: RandomWinPresentable {
  weak var listener: (any RandomWinPresentableListener)?
  private(set) var winners: [Mark] = []

  func askForToss() {}
  func announce(_ winner: Mark) { winners.append(winner) }
}

private final class GameListenerMock: GameListener {
  private(set) var outcomes: [Outcome] = []

  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}
