import Shared

/// Connections that send the same bytes over and over. A connection that the server closes is
/// opened again.
final class Flood: Attacker {
  struct Plan: Sendable {
    var connections = 20
    /// What each connection, given its number, sends first.
    var greeting: @Sendable (Int) -> [UInt8] = { _ in [] }
    /// What it sends over and over.
    var piece: @Sendable (Int) -> [UInt8] = { _ in [] }
    /// The time between two pieces; `nil` is as fast as the server takes them.
    var interval: Duration?
    var reads = true
    var receiveBuffer: Int32?
  }

  /// The time before a connection is opened again.
  private static let reconnectDelay = Duration.milliseconds(20)
  /// The time between two connections at the start: the system's backlog must not overflow.
  private static let spacing = Duration.microseconds(100)

  private let plan: Plan
  private let context: AttackerContext
  private var connections: [Int: AttackerConnection] = [:]
  private var isOver = false

  init(_ plan: Plan, context: AttackerContext) {
    self.plan = plan
    self.context = context
  }

  func begin() {
    for number in 0..<plan.connections { open(number, after: Self.spacing * number) }
  }

  func stop() { isOver = true }

  private func open(_ number: Int, after time: Duration) {
    context.loop.schedule(after: time) { [weak self] in self?.open(number) }
  }

  private func open(_ number: Int) {
    guard !isOver, let connection = context.connect(receiveBuffer: plan.receiveBuffer) else {
      return
    }
    connections[number] = connection
    connection.connection.isReading = plan.reads
    connection.onOpen = { [weak self] in self?.greet(number) }
    connection.onDrain = { [weak self] in self?.send(number) }
    connection.onEnd = { [weak self] in
      self?.connections[number] = nil
      self?.open(number, after: Self.reconnectDelay)
    }
  }

  private func greet(_ number: Int) {
    connections[number]?.send(plan.greeting(number))
    send(number)
  }

  private func send(_ number: Int) {
    guard !isOver, let connection = connections[number] else { return }
    let piece = plan.piece(number)
    guard !piece.isEmpty else { return }
    if plan.interval == nil || connection.connection.unsent == 0 { connection.send(piece) }
    // Otherwise the drain continues.
    guard plan.interval != nil || connection.connection.unsent == 0 else { return }
    context.loop.schedule(after: plan.interval ?? .zero) { [weak self, weak connection] in
      guard let self, let connection, connections[number] === connection else { return }
      send(number)
    }
  }
}
