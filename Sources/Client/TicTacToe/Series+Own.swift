import Shared

extension Series {
  /// The mark of the one person at a seat; against the bot there is one, too.
  func ownMark(at seat: Seat) -> Mark? {
    switch seat {
    case .one(let mark): mark
    case .both: Mark.allCases.first { players[$0.other] == .bot }
    case .none: nil
    }
  }
}
