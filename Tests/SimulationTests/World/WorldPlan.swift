import Shared

@testable import Server

/// What a world is like, before anything happens in it.
struct WorldPlan {
  let settings: ServerSettings
  let people: Int
  let proxies: Int
  /// How long people do as they like; then they finish their games and go.
  let length: Duration
  /// Whether the server goes down at that time instead.
  let endsWithShutdown: Bool
  /// How many of a thousand doings of a person are mishaps of its connection.
  let mishaps: Int

  /// How long the place of somebody who is lost is kept; `nil`: not at all.
  var grace: Duration? { settings.resumeWithin }

  init(_ chance: Chance) {
    var limits = ConnectionLimits(loginWithin: .seconds(30))
    if chance.happens(30) { (limits.perSecond, limits.burst) = (20, 40) }
    people = chance.int(2...6)
    proxies = chance.happens(40) ? 2 : 0
    // The real client has nothing to say while it waits.
    if proxies == 0, chance.happens(20) { limits.idle = .seconds(8) }
    settings = ServerSettings(
      limits: limits,
      resumeWithin: chance.pick([.seconds(10), .seconds(60), .seconds(60), nil]) ?? nil,
      turn: chance.happens(30) ? chance.duration(.seconds(3)...Duration.seconds(20)) : nil,
      maxMatches: chance.happens(10) ? 2 : nil, maxSpectators: chance.happens(20) ? 1 : nil)
    let isLong = chance.happens(15)
    length = .seconds(chance.int(isLong ? 60...240 : 10...45))
    endsWithShutdown = chance.happens(20)
    mishaps = chance.pick([0, 10, 30, 60]) ?? 0
  }
}
