/// A wire whose ends are in one process. Lines wait on it until `deliver` is called.
final class MemoryWire {
  enum Side {
    case near, far
  }

  let near: End
  let far: End
  private let transit = Transit()
  private let didDeliver: (Side, String) -> Void

  /// `didDeliver` is called with the side that has sent a line, before the line arrives.
  init(didDeliver: @escaping (Side, String) -> Void = { _, _ in }) {
    near = End(.near, transit)
    far = End(.far, transit)
    self.didDeliver = didDeliver
  }

  /// Delivers lines, and those that are sent in reply to them, until none is left or `limit` have
  /// arrived.
  func deliver(limit: Int = .max) {
    var count = 0
    while count < limit, let (sender, line) = transit.next() {
      count += 1
      didDeliver(sender, line)
      let end = sender == .near ? far : near
      end.receiver?.didReceive(line)
    }
  }

  final class End: Wire {
    weak var receiver: (any WireReceiver)?
    private let side: Side
    private let transit: Transit

    fileprivate init(_ side: Side, _ transit: Transit) {
      self.side = side
      self.transit = transit
    }

    func send(_ line: String) {
      transit.lines.append((side, line))
    }
  }

  /// The lines that are on their way.
  fileprivate final class Transit {
    var lines: [(sender: Side, line: String)] = []

    func next() -> (Side, String)? { lines.isEmpty ? nil : lines.removeFirst() }
  }
}
