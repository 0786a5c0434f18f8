import Shared

@testable import Client

/// Makes the connections of a `SimulatedClient`, and cuts many of them at a random byte or time.
/// Each end learns of the cut at once, late or never. The first connection is not cut before the
/// login, nor is one that follows two that were cut before it.
final class UnreliableConnector {
  /// How many connections in a row may be cut before the login.
  private static let maxEarlyCuts = 2

  private let name: String
  private unowned let world: World
  private weak var link: SimulatedLink?
  private var willBeCut = false
  /// How many connections in a row have had no login.
  private var withoutLogin = maxEarlyCuts
  /// The number of the latest link.
  private(set) var number = 0

  init(of name: String, in world: World) {
    self.name = name
    self.world = world
  }

  func connect() -> Result<any Connection, LinkError> {
    guard !world.isDown else { return .failure(.cannotConnect("Connection refused")) }
    let connection = world.connect(name)
    (link, number, willBeCut) = (connection.link, connection.link.number, false)
    if withoutLogin < Self.maxEarlyCuts { planCut(of: connection.link) }
    withoutLogin += 1
    return .success(connection)
  }

  /// The client has logged in on the latest link.
  func didLogin(at place: SessionPlace?) {
    withoutLogin = 0
    world.history[name, default: PlayerHistory()].onlinePeriods.append(
      PlayerHistory.OnlinePeriod(link: number, since: world.now))
    if place == .playing { world.coverage.noteReturn() }
    if let link, !willBeCut { planCut(of: link) }
  }

  private func planCut(of link: SimulatedLink) {
    let random = world.random
    guard world.plan.faultsPerThousand > 0, !world.isFinishing, random.happens(percent: 75) else {
      return
    }
    willBeCut = true
    // The client notices a silent link after some seconds; the server, when it accepts a new one.
    let client = random.happens(percent: 50) ? .zero : random.duration(.zero...Duration.seconds(30))
    let server = random.happens(percent: 50) ? .zero : random.duration(.zero...Duration.seconds(30))
    if random.happens(percent: 70) {
      let most = random.pick([400, 1_500, 5_000]) ?? 1
      return link.cut(afterBytes: random.int(1...most), client: client, server: server)
    }
    world.network.after(random.duration(.zero...Duration.seconds(15))) { [weak link] in
      link?.cut(client: client, server: server)
    }
  }
}
