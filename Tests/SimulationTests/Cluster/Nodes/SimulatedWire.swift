import TestSupport

@testable import Shared

/// A connection between a node and somebody else. The node's end is a real socket, so that the loop
/// of the node, its connections and its gate are the real ones. The other end is simulated: its
/// bytes take some time, and none pass while the wire is cut.
final class SimulatedWire {
  private enum Packet {
    case bytes([UInt8])
    case end
  }

  /// Called with what the node has sent, when it arrives.
  var onReceive: ([UInt8]) -> Void = { _ in }
  /// Called when the node has ended the connection, or has died.
  var onEnd: () -> Void = {}
  /// Called when something has been written for the node.
  var onInput: () -> Void = {}
  /// While it is cut, nothing passes in either direction.
  var isCut: () -> Bool = { false }
  private var near: Socket?
  private var far: Socket?
  private let time: SimulatedTime
  private let latency: ClosedRange<Duration>
  private var arrivals = (near: Duration.zero, far: Duration.zero)
  /// What is on its way, in order.
  private var toNear: [Packet] = []
  private var toFar: [Packet] = []
  private var isEnding = false
  private var hasEnded = false

  init(_ time: SimulatedTime, latency: ClosedRange<Duration>) throws(SystemError) {
    self.time = time
    self.latency = latency
    let (near, far) = try Socket.pair()
    (self.near, self.far) = (near, far)
  }

  deinit {
    near?.close()
    far?.close()
  }

  /// Whether nothing passes any more.
  var isClosed: Bool { far == nil }

  /// Returns the node's end as a connection of its loop, from a client with a number.
  func connection(on loop: EventLoop, number: Int = 1) throws(SystemError) -> TCPConnection? {
    guard let socket = near, let ip = IPAddress("10.0.\(number >> 8).\(number & 255)") else {
      return nil
    }
    near = nil
    return try TCPConnection(
      loop: loop, socket: socket, peer: SocketAddress(ip, port: 50_000), isTCP: false)
  }

  // MARK: To the node

  /// Sends bytes to the node. They arrive in order.
  func send(_ bytes: [UInt8], after delay: Duration = .zero) {
    guard !isEnding else { return }
    toNear.append(.bytes(bytes))
    schedule(&arrivals.near, after: delay) { $0.arriveNear() }
  }

  /// Ends the connection after what was sent.
  func close() {
    guard !isEnding else { return }
    isEnding = true
    toNear.append(.end)
    schedule(&arrivals.near) { $0.arriveNear() }
  }

  private func schedule(
    _ arrival: inout Duration, after delay: Duration = .zero,
    _ action: @escaping (SimulatedWire) -> Void
  ) {
    arrival = max(arrival, time.now + delay + time.random.duration(latency))
    time.after(arrival - time.now) { [self] in action(self) }
  }

  private func arriveNear() {
    guard let far, let packet = toNear.first else { return }
    guard !isCut() else { return time.after(.milliseconds(50)) { [self] in arriveNear() } }
    toNear.removeFirst()
    switch packet {
    case .bytes(let bytes):
      let sent = bytes.withUnsafeBytes { try? far.send($0) } ?? 0
      if sent < bytes.count {
        // The node has ended, or the system takes the rest later.
        toNear.insert(.bytes(Array(bytes[sent...])), at: 0)
        time.after(.milliseconds(5)) { [weak self] in self?.arriveNear() }
      }
    case .end:
      collect()
      closeFar()
    }
    onInput()
  }

  private func closeFar() {
    far?.close()
    far = nil
  }

  // MARK: From the node

  /// Takes what the node has sent by now. It arrives after a while.
  func collect() {
    guard let far, !hasEnded else { return }
    let bytes = far.receiveAll()
    if let bytes, bytes.isEmpty { return }
    if bytes == nil { hasEnded = true }
    toFar.append(bytes.map(Packet.bytes) ?? .end)
    schedule(&arrivals.far) { $0.arriveFar() }
    if !hasEnded { collect() }
  }

  private func arriveFar() {
    guard let packet = toFar.first else { return }
    guard !isCut() else { return time.after(.milliseconds(50)) { [self] in arriveFar() } }
    toFar.removeFirst()
    switch packet {
    case .bytes(let bytes): onReceive(bytes)
    case .end:
      closeFar()
      onEnd()
    }
  }
}
