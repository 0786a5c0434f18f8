import Shared

/// Hears from the Sentinels when one of them begins to replace the primary.
final class FailoverWatch {
  /// How long the old primary takes no writes. The Sentinels need a second and a half to promote a
  /// replica, and to tell the other one.
  static let pauseTime: Duration = .seconds(3)
  /// The delay before a connection to a Sentinel is made again.
  static let retryDelay: Duration = .seconds(1)
  private static let channel = "+try-failover"

  /// One connection to a Sentinel, made again whenever it ends.
  private final class Subscription: ConnectionDelegate {
    private let place: RedisAddress.Place
    private let login: RedisAddress.Login?
    private let timers: any Timers
    private let connector: RedisConnector
    private let onMessage: (String) -> Void
    private var parser = RedisReplyParser()
    private var cancel: () -> Void = {}
    private var connection: (any Connection)?
    private var timer: LoopTimer?

    init(
      _ place: RedisAddress.Place, _ login: RedisAddress.Login?, timers: any Timers,
      connector: RedisConnector, onMessage: @escaping (String) -> Void
    ) {
      self.place = place
      self.login = login
      self.timers = timers
      self.connector = connector
      self.onMessage = onMessage
      begin()
    }

    deinit {
      cancel()
      timer?.cancel()
      connection?.delegate = nil
      connection?.reset()
    }

    private func begin() {
      cancel = connector.connect(to: place) { [weak self] result in
        guard let self else { return }
        cancel = {}
        guard case .success(let connection) = result else { return beginAgain() }
        connection.delegate = self
        self.connection = connection
        parser = RedisReplyParser()
        var commands = RedisCommands()
        if let login { commands.add(login.command) }
        commands.add("SUBSCRIBE", FailoverWatch.channel)
        connection.send(commands.bytes.span)
      }
    }

    private func beginAgain() {
      connection?.delegate = nil
      connection?.reset()
      connection = nil
      timer = timers.schedule(after: FailoverWatch.retryDelay) { [weak self] in self?.begin() }
    }

    func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
      parser.append(bytes)
      do throws(RedisProtocolError) {
        while let reply = try parser.next() {
          if case .error = reply { return beginAgain() }
          guard let words = reply.elements?.map(\.text), words.count == 3, words[0] == "message",
            let text = words[2]
          else { continue }
          onMessage(text)
        }
      } catch {
        beginAgain()
      }
    }

    func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { beginAgain() }
  }

  /// Stops all writes to the primary that is being replaced, and looks for the next one. What would
  /// be written before the other replica is told, and be it only the greetings of the Sentinels,
  /// the next primary would not have. Then that replica would have to copy all of its data before
  /// it confirms anything. A user who may not pause the engine does without.
  static func stopWriting(to engine: any Redis) {
    engine.ask("CLIENT", "PAUSE", String(pauseTime.milliseconds), "WRITE") { [weak engine] _ in
      engine?.reconnect()
    }
  }

  private var subscriptions: [Subscription] = []

  /// Begins to listen; `nil` for an engine without Sentinels. `onFailover` is called when one of
  /// them begins to replace the primary.
  init?(
    of address: RedisAddress, timers: any Timers, connect: @escaping RedisLink.Connect,
    onFailover: @escaping () -> Void
  ) {
    guard case .sentinels(let places, let name) = address.kind else { return nil }
    let connector = RedisConnector(address, timers: timers, connect: connect)
    subscriptions = places.map { place in
      Subscription(place, address.sentinelLogin, timers: timers, connector: connector) { text in
        // `master NAME IP PORT`
        let words = text.split(separator: " ")
        if words.count >= 2, words[0] == "master", words[1] == name { onFailover() }
      }
    }
  }
}
