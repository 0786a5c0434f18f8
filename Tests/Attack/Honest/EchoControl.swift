import Foundation
import Shared

/// The control of the measurement: the round trips of a bare echo, on a thread of its own, at the
/// time of the attack. Whatever delays them is the machine's or this program's doing, not the
/// server's.
final class EchoControl {
  private static let pause = Duration.milliseconds(50)

  private(set) var latencies = Latencies()
  private let loop: EventLoop
  private let connection: BoundConnection
  private var sent: [Duration] = []
  private var isMeasuring = false

  init(loop: EventLoop) throws(SystemError) {
    self.loop = loop
    let (listener, port) = try LoopbackSocket.listen()
    Thread.detachNewThread { Self.serve(listener) }
    connection = BoundConnection(loop: loop, from: LoopbackAddress(1, 251), port: port)
    connection.delegate = self
    send()
  }

  /// Starts a new series.
  func begin() {
    latencies = Latencies()
    isMeasuring = true
  }

  /// Bytes that are still on their way count with the time until now.
  func end() {
    isMeasuring = false
    for time in sent { latencies.add(loop.now - time) }
  }

  private func send() {
    sent.append(loop.now)
    connection.send([0x0A].span)
    loop.schedule(after: Self.pause) { [weak self] in self?.send() }
  }

  /// Echoes one connection until it ends.
  private static func serve(_ listener: Int32) {
    let descriptor = accept(listener, nil, nil)
    close(listener)
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      while true {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0, Glibc.send(descriptor, buffer.baseAddress, count, Int32(MSG_NOSIGNAL)) > 0
        else { break }
      }
    }
    close(descriptor)
  }
}

extension EchoControl: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    for _ in 0..<min(bytes.count, sent.count) {
      let time = sent.removeFirst()
      if isMeasuring { latencies.add(loop.now - time) }
    }
  }

  func connectionDidDrain(_ connection: any Connection) {}
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {}
}
