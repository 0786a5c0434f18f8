import RIBs

/// The view of a game whose person is at the other end of a wire: each call becomes a line.
final class WireNimView: NimViewControllable {
  weak var listener: (any NimPresentableListener)?
  private let wire: any Wire

  init(wire: any Wire) {
    self.wire = wire
  }

  func show(_ heap: Heap) {
    send(.heap(heap))
  }

  func refuse(_ refusal: HeapError) {
    send(.refused(refusal))
  }

  func announce(_ outcome: Outcome) {
    if case .won(let winner) = outcome { send(.over(winner)) }
  }

  private func send(_ event: NimEvent) {
    wire.send(event.line)
  }
}
