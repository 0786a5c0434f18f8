import RIBs

@testable import Tutorial4

/// A game of Nim between doubles of its view and its parent. Each method returns when its effects
/// have arrived.
final class NimFixture {
  enum Kind: CaseIterable {
    case local, proxy
    /// The RIB is a proxy, and the wire breaks after each move: before the move has arrived, or
    /// with the reply still on its way.
    case brokenWire
  }

  /// A call of the view or of the parent.
  enum Call: Equatable {
    case show(Heap)
    case refuse(HeapError)
    case announce(Outcome)
    case gameDidEnd(Outcome)
  }

  private(set) var calls: [Call] = []
  private weak var listener: (any NimPresentableListener)?
  private let kind: Kind
  private var carrier = MemoryWire()
  private let near: any Wire
  private let far: any Wire
  private let host: any HostRouting
  private var moves = 0
  private let parent = Router(interactor: Interactor())

  init(_ kind: Kind) {
    self.kind = kind
    let isNumbered = kind == .brokenWire
    near = isNumbered ? NumberedWire(over: carrier.near) : carrier.near
    far = isNumbered ? NumberedWire(over: carrier.far) : carrier.far
    host = HostBuilder(dependency: HostAppComponent(wire: far)).build()
    host.launch()
    parent.interactable.activate()
    let builder: any GameBuildable =
      switch kind {
      case .local: NimBuilder(dependency: self)
      case .proxy, .brokenWire: RemoteNimBuilder(dependency: self, wire: near)
      }
    parent.attachChild(builder.build(withListener: self))
    carrier.deliver()
  }

  var isDetached: Bool { parent.children.isEmpty && host.children.isEmpty }

  func take(_ count: Int) {
    listener?.take(count)
    if kind == .brokenWire { breakWire() }
    carrier.deliver()
  }

  private func breakWire() {
    carrier.deliver(limit: moves % 3)
    moves += 1
    carrier = MemoryWire()
    for (wire, end) in [(near, carrier.near), (far, carrier.far)] {
      (wire as? NumberedWire)?.goOn(over: end)
    }
  }

  fileprivate func record(_ call: Call) { calls.append(call) }
}

extension NimFixture: NimDependency {
  func makeNimView() -> any NimViewControllable { RecordingView(self) }

  private final class RecordingView: NimViewControllable {
    weak var listener: (any NimPresentableListener)? {
      didSet { fixture.listener = listener }
    }
    private unowned let fixture: NimFixture

    init(_ fixture: NimFixture) { self.fixture = fixture }

    func show(_ heap: Heap) { fixture.record(.show(heap)) }
    func refuse(_ refusal: HeapError) { fixture.record(.refuse(refusal)) }
    func announce(_ outcome: Outcome) { fixture.record(.announce(outcome)) }
  }
}

extension NimFixture: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    record(.gameDidEnd(outcome))
    for child in parent.children { parent.detachChild(child) }
  }
}
