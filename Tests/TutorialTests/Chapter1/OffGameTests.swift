import RIBs
import Testing

@testable import Tutorial1

@Suite struct OffGameInteractorTests {
  private let view = OffGamePresentableMock()
  private let scoreStream = MutableScoreStream()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(presenter: view, scoreStream: scoreStream)
  }

  @Test func `the score is shown at once and at each change`() {
    interactor.activate()
    scoreStream.gameDidEnd(with: .won(.x))
    #expect(view.scores.map(\.x) == [0, 1])
  }

  @Test func `an inactive OffGame shows nothing`() {
    interactor.activate()
    interactor.deactivate()
    scoreStream.gameDidEnd(with: .won(.x))
    #expect(view.scores.map(\.x) == [0])
  }
}

private final class OffGamePresentableMock: OffGamePresentable {
  weak var listener: (any OffGamePresentableListener)?
  private(set) var scores: [Score] = []

  func show(_ score: Score) { scores.append(score) }
}
