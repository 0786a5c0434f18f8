import Shared

/// How often the players of a match may come back. Each time the other is told two events: without a
/// limit one who comes and goes without end would drown another who reads slowly.
final class ReturnRates {
  // More than any connection on a bad day.
  private static let usual = LineRate(perSecond: 5, burst: 100)

  private var rates = PerMark(x: usual, o: usual)

  func check(_ mark: Mark, at now: Duration) throws(CommandError) {
    try rates[mark].take(
      at: now, orSay: "The connection has come and gone too often; come back in a moment.")
  }
}
