import RIBs
import Testing

@testable import Tutorial3

/// The exercise of chapter 2.
@Suite struct NimSolutionTests {
  private let view = NimPresentableMock()
  private let listener = GameListenerMock()
  private let interactor: NimInteractor

  init() {
    interactor = NimInteractor(presenter: view)
    interactor.listener = listener
    interactor.activate()
  }

  @Test func `the player who takes the last match wins`() {
    for _ in 1...4 { view.listener?.take(3) }
    #expect(view.heaps.map(\.matches) == [12, 9, 6, 3, 0])
    #expect(view.outcomes == [.won(.o)])
    #expect(listener.outcomes == [.won(.o)])
  }

  @Test(arguments: [-1, 0, 4])
  func `a player takes one, two or three matches`(count: Int) {
    view.listener?.take(count)
    #expect(view.refusals == [.wrongCount])
    #expect(view.heaps.count == 1)
  }

  @Test func `a player takes no more than are there`() {
    for count in [3, 3, 3, 2] { view.listener?.take(count) }
    view.listener?.take(2)
    #expect(view.refusals == [.wrongCount])
    #expect(listener.outcomes == [])
  }
}

private final class NimPresentableMock: NimPresentable {
  weak var listener: (any NimPresentableListener)?
  private(set) var heaps: [Heap] = []
  private(set) var refusals: [HeapError] = []
  private(set) var outcomes: [Outcome] = []

  func show(_ heap: Heap) { heaps.append(heap) }
  func refuse(_ refusal: HeapError) { refusals.append(refusal) }
  func announce(_ outcome: Outcome) { outcomes.append(outcome) }
}

private final class GameListenerMock: GameListener {
  private(set) var outcomes: [Outcome] = []

  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}
