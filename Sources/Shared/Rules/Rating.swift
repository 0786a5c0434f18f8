import Foundation

/// How well a player plays a kind of game, by Glicko-2. Each game is a rating period of its own.
///
/// Source: Mark E. Glickman, “Example of the Glicko-2 system”, 2013. The names of its steps stand
/// beside the code.
package struct Rating: Equatable, Sendable {
  /// How much the volatility may change; the paper's τ.
  private static let tau = 0.5
  /// The factor between the scales of Glicko and Glicko-2.
  private static let scale = 173.7178
  private static let center = 1_500.0
  /// The bounds of a deviation after a game.
  private static let deviations = 45.0...500.0
  /// Above this deviation a rating is provisional.
  private static let maxSettledDeviation = 110.0

  package let value: Double
  package let deviation: Double
  package let volatility: Double

  /// Without values it is the rating of a player who has not played yet.
  package init(value: Double = 1_500, deviation: Double = 500, volatility: Double = 0.09) {
    self.value = value
    self.deviation = deviation
    self.volatility = volatility
  }

  /// The value for people.
  package var rounded: Int { Int(value.rounded()) }

  /// Whether the rating rests on few games.
  package var isProvisional: Bool { deviation > Self.maxSettledDeviation }

  /// The result of a game for one of its players.
  package enum Result: Double, Sendable {
    case lost = 0
    case drawn = 0.5
    case won = 1

    /// `winner` is `nil` for a draw.
    package init(of mark: Mark, winner: Mark?) {
      self = winner.map { $0 == mark ? .won : .lost } ?? .drawn
    }
  }

  /// Returns the rating after the games of one rating period.
  package func updated(after games: [(opponent: Rating, result: Result)]) -> Rating {
    // Step 2: the scale of Glicko-2.
    let mu = (value - Self.center) / Self.scale
    let phi = deviation / Self.scale
    // Steps 3 and 4: the estimated variance and improvement.
    var precision = 0.0
    var sum = 0.0
    for (opponent, result) in games {
      let other = opponent.deviation / Self.scale
      let g = 1 / (1 + 3 * other * other / (Double.pi * Double.pi)).squareRoot()
      let expected = 1 / (1 + exp(-g * (mu - (opponent.value - Self.center) / Self.scale)))
      precision += g * g * expected * (1 - expected)
      sum += g * (result.rawValue - expected)
    }
    let variance = 1 / precision
    let newVolatility = volatility(phi: phi, variance: variance, delta: variance * sum)
    // Steps 6 to 8.
    let phiStar = (phi * phi + newVolatility * newVolatility).squareRoot()
    let newPhi = 1 / (1 / (phiStar * phiStar) + 1 / variance).squareRoot()
    let newMu = mu + newPhi * newPhi * sum
    let newDeviation = newPhi * Self.scale
    return Rating(
      value: newMu * Self.scale + Self.center,
      deviation: min(max(newDeviation, Self.deviations.lowerBound), Self.deviations.upperBound),
      volatility: newVolatility)
  }

  /// Step 5: the new volatility, by the Illinois algorithm.
  private func volatility(phi: Double, variance: Double, delta: Double) -> Double {
    let a = log(volatility * volatility)
    func f(_ x: Double) -> Double {
      let power = exp(x)
      let sum = phi * phi + variance + power
      return power * (delta * delta - sum) / (2 * sum * sum) - (x - a) / (Self.tau * Self.tau)
    }
    var low = a
    var high: Double
    if delta * delta > phi * phi + variance {
      high = log(delta * delta - phi * phi - variance)
    } else {
      high = a - Self.tau
      while f(high) < 0 { high -= Self.tau }
    }
    var (fLow, fHigh) = (f(low), f(high))
    while abs(high - low) > 0.000001 {
      let middle = low + (low - high) * fLow / (fHigh - fLow)
      let fMiddle = f(middle)
      if fMiddle * fHigh <= 0 { (low, fLow) = (high, fHigh) } else { fLow /= 2 }
      (high, fHigh) = (middle, fMiddle)
    }
    return exp(low / 2)
  }

  /// Returns both new ratings after a game, computed from both old ones.
  package static func updated(
    _ players: PerMark<Rating>, winner: Mark?
  ) -> PerMark<Rating> {
    PerMark(
      x: players.x.updated(after: [(players.o, Result(of: .x, winner: winner))]),
      o: players.o.updated(after: [(players.x, Result(of: .o, winner: winner))]))
  }
}
