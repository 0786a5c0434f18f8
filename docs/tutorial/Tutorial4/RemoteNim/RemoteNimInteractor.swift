import RIBs

/// The proxy of a game of Nim at the other end of a wire.
final class RemoteNimInteractor: PresentableInteractor<any NimPresentable>, NimInteractable {
  weak var listener: (any GameListener)?
  private let wire: any Wire
  private var isOver = false

  init(presenter: any NimPresentable, wire: any Wire) {
    self.wire = wire
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    wire.receiver = self
    send(.begin)
  }

  override func willResignActive() {
    wire.receiver = nil
    if !isOver { send(.leave) }
  }

  private func send(_ command: NimCommand) {
    wire.send(command.line)
  }
}

extension RemoteNimInteractor: NimPresentableListener {
  func take(_ count: Int) {
    send(.take(count))
  }
}

extension RemoteNimInteractor: WireReceiver {
  func didReceive(_ line: String) {
    guard let event = NimEvent(line: line) else { return }
    switch event {
    case .heap(let heap):
      presenter.show(heap)
    case .refused(let refusal):
      presenter.refuse(refusal)
    case .over(let winner):
      isOver = true
      presenter.announce(.won(winner))
      listener?.gameDidEnd(with: .won(winner))
    }
  }
}
