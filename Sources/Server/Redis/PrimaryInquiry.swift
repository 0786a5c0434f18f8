import Shared

/// Asks all Sentinels whether a server is the primary. One of them alone may not know yet that
/// another server is about to take its place; and until its replicas follow that one, a primary
/// that was frozen still confirms what will be lost.
final class PrimaryInquiry {
  /// What one Sentinel says.
  struct Opinion: Equatable {
    let primary: RedisAddress.Place
    /// Goes up with each failover.
    let epoch: Int
    /// Whether this Sentinel is just replacing the primary.
    let isReplacing: Bool

    init(primary: RedisAddress.Place, epoch: Int, isReplacing: Bool) {
      self.primary = primary
      self.epoch = epoch
      self.isReplacing = isReplacing
    }

    /// Reads the replies to both questions; `nil` if the Sentinel does not know the name.
    init?(_ replies: [RedisReply]) {
      guard replies.count == 2, let words = replies[0].elements?.compactMap(\.text),
        words.count == 2, let port = UInt16(words[1]), let fields = replies[1].fields
      else { return nil }
      let flags = fields["flags"]?.split(separator: ",") ?? []
      // At the end of a failover the new primary is named, but the old one is still described, and
      // only that one is being replaced.
      let isSame = fields["ip"] == words[0] && fields["port"] == words[1]
      self.init(
        primary: RedisAddress.Place(host: words[0], port: port),
        epoch: fields["config-epoch"].flatMap { Int($0) } ?? 0,
        isReplacing: flags.contains("failover_in_progress") && isSame)
    }
  }

  /// The log-in of a Sentinel, if it has one, and the two questions about the primary with a name.
  static func commands(for name: String, _ login: RedisAddress.Login?) -> RedisCommands {
    var commands = RedisCommands()
    if let login { commands.add(login.command) }
    commands.add("SENTINEL", "get-master-addr-by-name", name)
    commands.add("SENTINEL", "MASTER", name)
    return commands
  }

  /// Returns why a server should not be used as the primary; `nil` if nobody who knows better
  /// objects. Sentinels that were away for some time may have old opinions.
  static func objection(to place: RedisAddress.Place, in opinions: [Opinion]) -> String? {
    guard let epoch = opinions.map(\.epoch).max() else { return "no Sentinel answers" }
    if opinions.contains(where: { $0.epoch == epoch && $0.primary != place }) {
      return "a Sentinel knows a later primary"
    }
    return opinions.contains(where: \.isReplacing) ? "the Sentinels are replacing it" : nil
  }

  private let place: RedisAddress.Place
  private let completion: (_ objection: String?) -> Void
  private var missing: Int
  private var opinions: [Opinion] = []
  private var cancels: [() -> Void] = []
  private var connections: [RedisConnection] = []

  /// Calls `completion` once in a later turn, with the reason why `place` should not be used, when
  /// all Sentinels have answered or had their time. Releasing the inquiry cancels it.
  init(
    about place: RedisAddress.Place, named name: String, of sentinels: [RedisAddress.Place],
    _ login: RedisAddress.Login?, timers: any Timers,
    connect: (
      RedisAddress.Place, @escaping (Result<any Connection, RedisConnector.Failure>) -> Void
    ) -> () -> Void,
    completion: @escaping (_ objection: String?) -> Void
  ) {
    self.place = place
    self.completion = completion
    missing = sentinels.count
    for sentinel in sentinels {
      let cancel = connect(sentinel) { [weak self] result in
        guard let self else { return }
        guard case .success(let connection) = result else { return take(nil) }
        let commands = Self.commands(for: name, login)
        send(commands, over: RedisConnection(connection, replicas: 0, timers: timers))
      }
      cancels.append(cancel)
    }
  }

  deinit {
    for cancel in cancels { cancel() }
    for connection in connections { connection.close() }
  }

  private func send(_ commands: RedisCommands, over connection: RedisConnection) {
    connections.append(connection)
    connection.send(commands, confirmed: .never) { [weak self, weak connection] replies in
      connection?.close()
      self?.take(replies.flatMap { Opinion(Array($0.suffix(2))) })
    }
  }

  private func take(_ opinion: Opinion?) {
    if let opinion { opinions.append(opinion) }
    missing -= 1
    if missing == 0 { completion(Self.objection(to: place, in: opinions)) }
  }
}
