/// Decides when the terminal's bell rings. Everything that could ring it asks here.
struct Bell: Equatable {
  /// A reason to ring.
  enum Occasion: Equatable {
    case invitation
    /// A game has begun that the person was waiting for.
    case gameBegan
    /// It is the person's turn, after the opponent has thought for that long.
    case ownTurn(after: Duration)
    /// Little time is left for the person's move.
    case lowTime
  }

  /// How long an opponent must think before the person may be looking elsewhere.
  static let longThought = Duration.seconds(10)

  /// Whether the person wants to hear the bell at all.
  var isOn = true

  func rings(for occasion: Occasion) -> Bool {
    guard isOn else { return false }
    return switch occasion {
    case .invitation, .gameBegan, .lowTime: true
    case .ownTurn(let thought): thought > Self.longThought
    }
  }
}
