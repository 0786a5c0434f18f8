import RIBs
import Shared

/// The open invitations of other players. Owned by `RemoteSession`.
final class InvitationList {
  /// The maximum number of invitations; further ones are ignored. The protocol allows 20 at a time.
  static let maxInvitations = 100

  /// How long an invitation stands on this server; set at each connection. `nil` means no limit.
  var standsWithin: Duration?
  private let open = CurrentValue<[Invitation]>([])
  /// Those that the server of a session that has moved has repeated so far; `nil` unless it repeats
  /// them.
  private var repeated: [(from: String, game: String)]?
  private let now: () -> Duration

  init(now: @escaping () -> Duration) {
    self.now = now
  }

  var stream: Stream<[Invitation]> { open.stream }

  /// Adds an invitation. Returns false if it stands already, or there are too many. A server that
  /// repeats an invitation, after a new connection, tells how long it still stands.
  func add(from: String, game: String, timeLeft: Duration?) -> Bool {
    repeated?.append((from, game))
    guard !open.value.contains(where: { $0.from == from && $0.game == game }),
      open.value.count < Self.maxInvitations
    else { return false }
    let age = timeLeft.flatMap { left in standsWithin.map { max(.zero, $0 - left) } } ?? .zero
    let end = timeLeft.map { now() + $0 }
    open.send(open.value + [Invitation(from: from, game: game, since: now() - age, end: end)])
    return true
  }

  /// Removes an invitation. Returns whether its time is over.
  func remove(from: String, game: String) -> Bool {
    let ended = open.value.first { $0.from == from && $0.game == game }
    open.send(open.value.filter { $0.from != from || $0.game != game })
    return ended?.end.map { $0 - now() < .seconds(1) } ?? false
  }

  /// Invitations between two players end when their game begins, and when their match ends.
  func removeAll(among players: PerMark<String>) {
    open.send(open.value.filter { ![players.x, players.o].contains($0.from) })
  }

  func removeAll() {
    repeated = nil
    if !open.value.isEmpty { open.send([]) }
  }

  /// The session has moved: the server repeats what stands.
  func willRepeat() { repeated = [] }

  /// What the server has not repeated has ended meanwhile.
  func didRepeatAll() {
    guard let repeated else { return }
    self.repeated = nil
    let standing = open.value.filter { invitation in
      repeated.contains { $0 == (invitation.from, invitation.game) }
    }
    if standing != open.value { open.send(standing) }
  }

  /// The connection is lost before the server has repeated all.
  func connectionDidEnd() { repeated = nil }
}
