import Shared

@testable import Server

/// The random settings of a world: the server's options, the players and how the world ends.
struct WorldPlan {
  let settings: ServerSettings
  let players: Int
  let clients: Int
  /// How long players act freely.
  let length: Duration
  /// What follows then.
  let ending: Ending
  /// How many of a player's 1,000 actions are faults of its connection.
  let faultsPerThousand: Int
  /// The games for which players ask, besides the default one.
  let games: [String]
  /// Whether players mostly invite each other and decline, rather than play with anyone.
  let isSociable: Bool
  /// How likely a player is to leave a match right after its start.
  let earlyLeavePercent: Int

  enum Ending {
    /// Players finish their games and leave.
    case calm
    /// The server shuts down at once.
    case shutdown
    /// The server shuts down once running games are over or its deadline has passed.
    case drain
  }

  /// How long the server keeps the session of a disconnected player; `nil` means not at all.
  var grace: Duration? { settings.resumeWithin }

  init(_ random: SeededRandom) {
    var limits = ConnectionLimits(loginWithin: .seconds(30))
    if random.happens(percent: 30) { (limits.perSecond, limits.burst) = (20, 40) }
    // All players come from one address.
    if random.happens(percent: 30) {
      limits.address = .standard
      limits.address.matches = random.int(3...6)
      limits.address.linesPerSecond = random.pick([20, 100, 10_000])
      limits.address.loginsPerSecond = random.pick([1, 100])
    }
    players = random.int(2...6)
    clients = random.happens(percent: 40) ? 2 : 0
    // The real client sends nothing while it waits, so the server would close it as idle.
    if clients == 0, random.happens(percent: 20) { limits.idle = .seconds(8) }
    settings = ServerSettings(
      limits: limits,
      resumeWithin: random.pick([.seconds(10), .seconds(60), .seconds(60), nil]) ?? nil,
      drain: random.pick([.seconds(5), .seconds(30), nil]) ?? nil,
      turn: random.happens(percent: 30) ? random.duration(.seconds(3)...Duration.seconds(20)) : nil,
      inviteWithin: random.pick([.seconds(1), .seconds(5), .seconds(20), .seconds(20), nil]) ?? nil,
      motd: random.happens(percent: 25) ? "Be kind." : nil,
      maxMatches: random.happens(percent: 10) ? 2 : nil,
      maxSpectators: random.happens(percent: 20) ? 1 : nil)
    let isLong = random.happens(percent: 15)
    length = .seconds(random.int(isLong ? 60...240 : 10...45))
    ending =
      switch random.int(1...100) {
      case ...20: .shutdown
      case ...45: .drain
      default: .calm
      }
    faultsPerThousand = random.pick([0, 10, 30, 60]) ?? 0
    let most = random.pick([1, 1, 2, 6]) ?? 1
    games = (0..<most).compactMap { _ in random.pick(GameInfo.all)?.id }
    isSociable = random.happens(percent: 25)
    earlyLeavePercent = random.pick([0, 0, 0, 60]) ?? 0
  }
}
