import Shared

/// Opens connection after connection, brings each into a certain state, and leaves it there.
final class ConnectionChurn: Attacker {
  /// When a connection is in the wanted state.
  enum Condition {
    /// It is connected, and its bytes are sent.
    case sent
    /// It has received a line of one of these types.
    case received(Set<String>)
  }

  enum Ending {
    case reset
    /// Keep it for a time, without reading.
    case keep(Duration)
    /// End the output, and keep it for a time, without reading.
    case halfClose(Duration)
    /// Read until the server ends it, and keep it for a time after that.
    case linger(Duration)
  }

  struct Plan: Sendable {
    /// How many connections are being opened at a time.
    var atOnce = 20
    var bytes: @Sendable (Int) -> [UInt8] = { _ in [] }
    var until = Condition.sent
    var ending = Ending.reset
    var receiveBuffer: Int32?
    /// The time between a connection and the next.
    var pause = Duration.zero
    var maxConnections = AttackerContext.maxConnections
  }

  /// The least pause after a connection that failed.
  private static let minPause = Duration.milliseconds(20)

  private let plan: Plan
  private let context: AttackerContext
  private var connections: [ObjectIdentifier: AttackerConnection] = [:]
  private var count = 0
  private var isOver = false

  init(_ plan: Plan, context: AttackerContext) {
    self.plan = plan
    self.context = context
  }

  func begin() {
    for _ in 0..<plan.atOnce { openNext() }
  }

  func stop() { isOver = true }

  private func openNext() {
    guard !isOver, count < plan.maxConnections,
      let connection = context.connect(receiveBuffer: plan.receiveBuffer)
    else { return }
    count += 1
    let bytes = plan.bytes(count)
    connections[ObjectIdentifier(connection)] = connection
    connection.onOpen = { [weak self, unowned connection] in
      connection.send(bytes)
      if let self, case .sent = plan.until { leave(connection) }
    }
    connection.onLine = { [weak self, unowned connection] type in
      guard let self, case .received(let types) = plan.until, types.contains(type) else { return }
      leave(connection)
    }
    connection.onEnd = { [weak self, unowned connection] in self?.didFail(connection) }
  }

  /// The connection is in the wanted state.
  private func leave(_ connection: AttackerConnection) {
    connection.onLine = { _ in }
    switch plan.ending {
    case .reset: drop(connection)
    case .keep(let time):
      connection.connection.isReading = false
      connection.onEnd = { [weak self, unowned connection] in self?.drop(connection) }
      drop(connection, after: time)
    case .halfClose(let time):
      connection.connection.isReading = false
      connection.connection.endOutput()
      connection.onEnd = { [weak self, unowned connection] in self?.drop(connection) }
      drop(connection, after: time)
    case .linger(let time):
      connection.onEnd = { [weak self, unowned connection] in self?.drop(connection, after: time) }
    }
    if plan.pause == .zero { openNext() } else { openNext(after: plan.pause) }
  }

  /// The server has ended the connection before that.
  private func didFail(_ connection: AttackerConnection) {
    drop(connection)
    openNext(after: max(Self.minPause, plan.pause))
  }

  private func openNext(after time: Duration) {
    context.loop.schedule(after: time) { [weak self] in self?.openNext() }
  }

  private func drop(_ connection: AttackerConnection) {
    connection.connection.reset()
    connections[ObjectIdentifier(connection)] = nil
  }

  private func drop(_ connection: AttackerConnection, after time: Duration) {
    context.loop.schedule(after: time) { [weak self] in self?.drop(connection) }
  }
}
