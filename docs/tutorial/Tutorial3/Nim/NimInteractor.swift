import RIBs

/// The game's calls to its view.
protocol NimPresentable: Presentable {
  var listener: (any NimPresentableListener)? { get set }
  func show(_ heap: Heap)
  /// A move was refused, and nothing has changed.
  func refuse(_ refusal: HeapError)
  /// The game is over. Called after the last heap.
  func announce(_ outcome: Outcome)
}

/// Applies the rules.
final class NimInteractor: PresentableInteractor<any NimPresentable>, NimInteractable {
  weak var listener: (any GameListener)?
  private var heap = Heap()

  override init(presenter: any NimPresentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.show(heap)
  }
}

extension NimInteractor: NimPresentableListener {
  func take(_ count: Int) {
    do throws(HeapError) {
      try heap.take(count)
    } catch {
      return presenter.refuse(error)
    }
    presenter.show(heap)
    guard let outcome = heap.outcome else { return }
    presenter.announce(outcome)
    listener?.gameDidEnd(with: outcome)
  }
}

/// The actions of the person at the view.
protocol NimPresentableListener: AnyObject {
  /// Takes matches for the player whose turn it is. The result arrives as a call of
  /// `NimPresentable`.
  func take(_ count: Int)
}
