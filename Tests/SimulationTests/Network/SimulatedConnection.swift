import Shared

/// One end of a link.
final class SimulatedConnection: Connection {
  enum Side: Int {
    case client, server

    var other: Side { self == .client ? .server : .client }
  }

  weak var delegate: (any ConnectionDelegate)?
  var peerAddress = SocketAddress(.loopback, port: 1)
  let link: SimulatedLink
  private let side: Side
  private(set) var isClosed = false
  /// Called with the bytes that this end sends.
  var onSend: (Span<UInt8>) -> Void = { _ in }

  init(_ link: SimulatedLink, _ side: Side) {
    self.link = link
    self.side = side
  }

  var isReading = true {
    didSet { if isReading { link.schedule(from: side.other) } }
  }

  var onClose: (() -> Void)? {
    get { link.onClose[side.rawValue] }
    set { link.onClose[side.rawValue] = newValue }
  }

  var unsent: Int { link.unsent(from: side) }

  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int {
    guard !isClosed else { return unsent }
    onSend(bytes)
    bytes.withUnsafeBufferPointer { link.send(Array($0), from: side) }
    return unsent
  }

  func flush() {
    link.flush(from: side)
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    delegate = nil
    link.end(from: side, isClosing: true)
  }

  func reset() {
    isClosed = true
    delegate = nil
    link.reset(from: side)
  }

  /// Ends the output but keeps reading, as netcat does at the end of its input.
  func endInput() {
    link.end(from: side, isClosing: false)
  }

  /// Passes bytes to the delegate. A closed connection has none, and drops them.
  func receive(_ bytes: [UInt8]) {
    delegate?.connection(self, didReceive: bytes.span)
  }

  func didDrain() {
    delegate?.connectionDidDrain(self)
  }

  func inputDidEnd() {
    delegate?.connectionDidEnd(self, with: .inputEnded)
  }

  func fail() {
    guard !isClosed else { return }
    isClosed = true
    let told = delegate
    delegate = nil
    told?.connectionDidEnd(self, with: .failed(SystemError(call: "recv", code: 104)))
    link.didClose(side)
  }
}
