import Shared

@testable import Server

/// What a world is like, before anything happens in it.
struct WorldPlan {
  let settings: ServerSettings
  let people: Int
  let proxies: Int
  /// How long people do as they like.
  let length: Duration
  /// What happens then.
  let ending: Ending
  /// How many of a thousand doings of a person are mishaps of its connection.
  let mishaps: Int
  /// How many of a hundred people leave each match at once.
  let fickleness: Int

  enum Ending {
    /// People finish their games and go.
    case calm
    /// The server goes down.
    case shutdown
    /// It goes down once the games that run are over, or its time for that.
    case drain
  }

  /// How long the place of somebody who is lost is kept; `nil`: not at all.
  var grace: Duration? { settings.resumeWithin }

  init(_ chance: Chance) {
    var limits = ConnectionLimits(loginWithin: .seconds(30))
    if chance.happens(30) { (limits.perSecond, limits.burst) = (20, 40) }
    // All people come from one address.
    if chance.happens(30) {
      limits.address = .standard
      limits.address.matches = chance.int(3...6)
      limits.address.linesPerSecond = chance.pick([20, 100, 10_000])
      limits.address.loginsPerSecond = chance.pick([1, 100])
    }
    people = chance.int(2...6)
    proxies = chance.happens(40) ? 2 : 0
    // The real client has nothing to say while it waits.
    if proxies == 0, chance.happens(20) { limits.idle = .seconds(8) }
    settings = ServerSettings(
      limits: limits,
      resumeWithin: chance.pick([.seconds(10), .seconds(60), .seconds(60), nil]) ?? nil,
      drain: chance.pick([.seconds(5), .seconds(30), nil]) ?? nil,
      turn: chance.happens(30) ? chance.duration(.seconds(3)...Duration.seconds(20)) : nil,
      maxMatches: chance.happens(10) ? 2 : nil, maxSpectators: chance.happens(20) ? 1 : nil)
    let isLong = chance.happens(15)
    length = .seconds(chance.int(isLong ? 60...240 : 10...45))
    ending =
      switch chance.int(1...100) {
      case ...20: .shutdown
      case ...45: .drain
      default: .calm
      }
    mishaps = chance.pick([0, 10, 30, 60]) ?? 0
    fickleness = chance.pick([0, 0, 0, 60]) ?? 0
  }
}
