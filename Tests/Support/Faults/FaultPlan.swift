/// What a `FaultProxy` does to one connection.
package struct FaultPlan: Sendable {
  package enum Direction: CaseIterable, Sendable {
    /// From the server to the client.
    case down
    case up
  }

  package struct Cut: Sendable {
    package enum Way: CaseIterable, Sendable {
      case reset, end
      /// Nothing passes any more, in either direction, and neither end is told.
      case silence
    }

    package let direction: Direction
    /// How many bytes pass before.
    package let after: Int
    package let way: Way

    package init(_ direction: Direction, after: Int, _ way: Way) {
      self.direction = direction
      self.after = after
      self.way = way
    }
  }

  package var cut: Cut?
  /// Bytes pass in pieces of 1 to so many.
  package var largestPiece = 65_536
  /// What comes waits at most so long, while more may come and join it.
  package var longestDelay: Duration = .zero
  /// One piece in so many waits ten times as long; 0: none.
  package var stallsOneIn = 0

  package init() {}
}
