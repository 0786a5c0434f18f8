import Shared

/// A connection that records its output. Its unsent bytes are what the test sets.
final class ConnectionMock: Connection {
  weak var delegate: (any ConnectionDelegate)?
  var unsent = 0
  var isReading = true
  var peerAddress = SocketAddress(.loopback, port: 1)
  private(set) var flushCallCount = 0
  private(set) var closeCallCount = 0
  private(set) var resetCallCount = 0
  var onClose: (() -> Void)?
  private(set) var sent: [UInt8] = []
  /// The number of bytes that `flush` sends.
  var takenByFlush = 0

  /// Returns the lines sent since the last call.
  func takeLines() -> [String] {
    defer { sent = [] }
    return String(decoding: sent, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func receive(_ text: String) {
    delegate?.connection(self, didReceive: Array(text.utf8).span)
  }

  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int {
    guard closeCallCount + resetCallCount == 0 else { return unsent }
    bytes.withUnsafeBufferPointer { sent.append(contentsOf: $0) }
    return unsent
  }

  func flush() {
    flushCallCount += 1
    unsent -= min(takenByFlush, unsent)
  }

  func close() { closeCallCount += 1 }

  func reset() { resetCallCount += 1 }
}
