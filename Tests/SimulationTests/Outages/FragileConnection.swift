import Shared
import TestSupport

/// The client's end of a connection that can break so that the server learns of it later.
final class FragileConnection: Connection {
  weak var delegate: (any ConnectionDelegate)?
  var peerAddress = SocketAddress(.loopback, port: 1)
  var onClose: (() -> Void)?
  private let inner: MemoryConnection
  private(set) var isOver = false

  init(_ inner: MemoryConnection) {
    self.inner = inner
    inner.delegate = self
  }

  var unsent: Int { inner.unsent }
  var isReading: Bool {
    get { inner.isReading }
    set { inner.isReading = newValue }
  }

  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int { isOver ? 0 : inner.send(bytes) }

  func flush() { inner.flush() }

  func close() {
    guard !isOver else { return }
    isOver = true
    inner.close()
  }

  func reset() { close() }

  /// Breaks the connection for the client.
  func fail() {
    guard !isOver else { return }
    isOver = true
    inner.delegate = nil
    delegate?.connectionDidEnd(self, with: .failed(SystemError(call: "recv", code: 104)))
  }

  /// The server learns that the connection has broken.
  func failAtServer() { inner.cut() }
}

extension FragileConnection: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    if !isOver { delegate?.connection(self, didReceive: bytes) }
  }

  func connectionDidDrain(_ connection: any Connection) { delegate?.connectionDidDrain(self) }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    guard !isOver else { return }
    if case .failed = end { isOver = true }
    delegate?.connectionDidEnd(self, with: end)
  }
}
