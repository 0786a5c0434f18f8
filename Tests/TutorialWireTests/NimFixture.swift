import RIBs

@testable import Tutorial4

/// A game of Nim between doubles of its view and its parent. Each method returns when its effects
/// have arrived.
final class NimFixture {
  enum Kind: CaseIterable {
    case local, proxy
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
  private let wire = MemoryWire()
  private let host: any HostRouting
  private let parent = Router(interactor: Interactor())

  init(_ kind: Kind) {
    host = HostBuilder(dependency: HostAppComponent(wire: wire.far)).build()
    host.launch()
    parent.interactable.activate()
    let builder: any GameBuildable =
      switch kind {
      case .local: NimBuilder(dependency: self)
      case .proxy: RemoteNimBuilder(dependency: self, wire: wire.near)
      }
    parent.attachChild(builder.build(withListener: self))
    wire.deliver()
  }

  var isDetached: Bool { parent.children.isEmpty && host.children.isEmpty }

  func take(_ count: Int) {
    listener?.take(count)
    wire.deliver()
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
