import Shared
import TestSupport

/// The honest clients of every attack: pairs of players, players against the bot, newcomers, and an
/// observer that counts the matches.
final class HonestPopulation {
  private static let pairs = 6
  private static let botPlayers = 4

  private var players: [HonestPlayer] = []
  private let newcomers: Newcomers
  private let observer: WireClient
  private var matches: Int?

  init(context: HonestContext) {
    newcomers = Newcomers(context: context)
    observer = context.connect(from: LoopbackAddress(1, 250))
    observer.onEvent = { [weak self] event in self?.take(event) }
    func add(_ name: String, against opponent: String) {
      let address = LoopbackAddress(1, number: players.count)
      players.append(HonestPlayer(name, against: opponent, from: address, context: context))
    }
    for number in 0..<Self.pairs {
      add("ann \(number)", against: "bob \(number)")
      add("bob \(number)", against: "ann \(number)")
    }
    for number in 0..<Self.botPlayers { add("cat \(number)", against: Player.botName) }
  }

  var isReady: Bool { players.allSatisfy(\.isPlaying) }

  /// Whether a measured ping or login has no answer yet.
  var isWaiting: Bool { newcomers.isWaiting || players.contains(where: \.isWaiting) }

  /// The number of matches beside their own; `nil` until `countMatches` is answered.
  var otherMatches: Int? { matches.map { max(0, $0 - Self.pairs - Self.botPlayers) } }

  func countMatches() {
    matches = nil
    observer.send(.list(.matches))
  }

  /// No more newcomers arrive.
  func stop() { newcomers.stop() }

  /// Pings and logins without an answer count with the time until now.
  func giveUp() {
    newcomers.giveUp()
    for player in players { player.giveUp() }
  }

  func quit() {
    for player in players { player.quit() }
    observer.send(.quit)
  }

  private func take(_ event: Event?) {
    switch event {
    case .hello: observer.send(.login(name: "observer", password: nil))
    case .matches(let list): matches = list.items.count + list.more
    default: break
    }
  }
}
