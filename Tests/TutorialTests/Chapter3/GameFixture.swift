import RIBs

@testable import Tutorial3

/// A game between doubles of its view and its parent. Each method returns when its effects have
/// arrived.
final class GameFixture {
  enum Kind: CaseIterable {
    /// The rules are in the RIB itself.
    case local
    /// The RIB is a proxy, and the rules are at the other end of a wire.
    case proxy
  }

  /// A call of the view or of the parent.
  enum Call: Equatable {
    case show(Board)
    case refuse(MoveError)
    case announce(Outcome)
    case gameDidEnd(Outcome)
  }

  private(set) var calls: [Call] = []
  private weak var listener: (any TicTacToePresentableListener)?
  private let wire = MemoryWire()
  private let host: any HostRouting
  private let kind: Kind
  private let parent = Router(interactor: Interactor())

  init(_ kind: Kind) {
    self.kind = kind
    host = HostBuilder(dependency: HostAppComponent(wire: wire.far)).build()
    host.launch()
    parent.interactable.activate()
    attach()
  }

  var isDetached: Bool { parent.children.isEmpty && host.children.isEmpty }

  func attach() {
    let builder: any GameBuildable =
      switch kind {
      case .local: TicTacToeBuilder(dependency: self)
      case .proxy: RemoteTicTacToeBuilder(dependency: self, wire: wire.near)
      }
    parent.attachChild(builder.build(withListener: self))
    wire.deliver()
  }

  func detach() {
    for child in parent.children { parent.detachChild(child) }
    wire.deliver()
  }

  func place(_ row: Int, _ column: Int) {
    listener?.place(at: Cell(row: row, column: column))
    wire.deliver()
  }

  func play(_ cells: [(Int, Int)]) {
    for (row, column) in cells { place(row, column) }
  }

  fileprivate func record(_ call: Call) { calls.append(call) }
}

extension GameFixture: TicTacToeDependency {
  func makeTicTacToeView() -> any TicTacToeViewControllable {
    let view = RecordingView(self)
    return view
  }

  /// A view that tells the fixture what it is called with.
  private final class RecordingView: TicTacToeViewControllable {
    weak var listener: (any TicTacToePresentableListener)? {
      didSet { fixture.listener = listener }
    }
    private unowned let fixture: GameFixture

    init(_ fixture: GameFixture) { self.fixture = fixture }

    func show(_ board: Board) { fixture.record(.show(board)) }
    func refuse(_ refusal: MoveError) { fixture.record(.refuse(refusal)) }
    func announce(_ outcome: Outcome) { fixture.record(.announce(outcome)) }
  }
}

extension GameFixture: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    record(.gameDidEnd(outcome))
    for child in parent.children { parent.detachChild(child) }
  }
}
