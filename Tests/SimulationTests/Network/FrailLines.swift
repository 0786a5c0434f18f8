import Shared

@testable import Client

/// The connections of somebody at the real client, one after another, of which many are cut, at any
/// byte or time. Each end is told at once, late, or never. The first holds until the login has come
/// about, and so does one that follows two in a row that did not.
final class FrailLines {
  /// So many in a row may be cut before the login.
  private static let mostInARow = 2

  private let name: String
  private unowned let world: World
  private weak var link: SimulatedLink?
  private var isFrail = false
  /// How many in a row have not come to a login.
  private var inARow = mostInARow
  /// Of the latest link.
  private(set) var number = 0

  init(of name: String, in world: World) {
    self.name = name
    self.world = world
  }

  func connect() -> Result<any Connection, LinkError> {
    guard !world.isDown else { return .failure(.cannotConnect("Connection refused")) }
    let connection = world.connect(name)
    (link, number, isFrail) = (connection.link, connection.link.number, false)
    if inARow < Self.mostInARow { weaken(connection.link) }
    inARow += 1
    return .success(connection)
  }

  /// On the latest.
  func didLogin(at place: SessionPlace?) {
    inARow = 0
    world.conduct[name, default: Conduct()].spells.append(
      Conduct.Spell(link: number, since: world.now))
    if place == .playing { world.sightings.noteComeback() }
    if let link, !isFrail { weaken(link) }
  }

  private func weaken(_ link: SimulatedLink) {
    let chance = world.chance
    guard world.plan.mishaps > 0, !world.isFinishing, chance.happens(75) else { return }
    isFrail = true
    // The client finds out by itself after some seconds; the server, that takes a new connection.
    let client = chance.happens(50) ? .zero : chance.duration(.zero...Duration.seconds(30))
    let server = chance.happens(50) ? .zero : chance.duration(.zero...Duration.seconds(30))
    if chance.happens(70) {
      let most = chance.pick([400, 1_500, 5_000]) ?? 1
      return link.cut(afterBytes: chance.int(1...most), client: client, server: server)
    }
    world.network.after(chance.duration(.zero...Duration.seconds(15))) { [weak link] in
      link?.cut(client: client, server: server)
    }
  }
}
