import RIBs
import Testing

@testable import Tutorial2

/// The exercise of chapter 1.
@Suite struct ChampionSolutionTests {
  @Test func `the name is shown, and the listener learns when the person leaves`() {
    let view = ChampionPresentableMock()
    let listener = ChampionListenerMock()
    let interactor = ChampionInteractor(presenter: view, name: "ann")
    interactor.listener = listener
    interactor.activate()
    #expect(view.names == ["ann"])
    #expect(listener.didLeaveCallCount == 0)
    view.listener?.leave()
    #expect(listener.didLeaveCallCount == 1)
  }

  @Test func `the third win attaches Champion, and Enter logs out`() {
    let program = Program2()
    _ = program.start()
    for line in ["ann", "bob", "randomwin", "", "randomwin", "", "randomwin"] {
      _ = program.type(line)
    }
    #expect(program.type("").last == "ann is the champion. Press Enter to log out.")
    #expect(program.tree == ["Root", "  LoggedIn", "    Champion"])
    #expect(program.type("") == ["Who plays X?"])
    #expect(program.tree == ["Root", "  LoggedOut"])
  }
}

private final class ChampionPresentableMock: ChampionPresentable {
  weak var listener: (any ChampionPresentableListener)?
  private(set) var names: [String] = []

  func show(_ name: String) { names.append(name) }
}

private final class ChampionListenerMock: ChampionListener {
  private(set) var didLeaveCallCount = 0

  func didLeaveChampion() { didLeaveCallCount += 1 }
}
