import Foundation
import Shared
import TestSupport

/// A connection to the server from a chosen source address. It sends at once, and can end its
/// output or reset. The loop owns it until it is closed.
final class BoundConnection {
  private enum State {
    case connecting, open, closed
  }

  weak var delegate: (any ConnectionDelegate)?
  /// Called once, when the system has connected it, which may be before the server accepts it.
  var onOpen: () -> Void = {}
  var onClose: (() -> Void)?
  var peerAddress: SocketAddress
  var isReading = true { didSet { watchForNeeds() } }
  private let loop: EventLoop
  private var descriptor: Int32 = -1
  private var state = State.connecting
  private var watch: Watch?
  private var interest: Interest = .writable
  private var queue: [UInt8] = []

  /// If the system refuses to connect, the delegate learns of it in a later turn.
  init(
    loop: EventLoop, from source: LoopbackAddress, port: UInt16, receiveBuffer: Int32? = nil
  ) {
    self.loop = loop
    peerAddress = SocketAddress(.loopback, port: port)
    do throws(SystemError) {
      descriptor = try LoopbackSocket.connect(
        from: source, port: port, receiveBuffer: receiveBuffer)
      watch = try loop.watch(descriptor, for: interest, handler: self)
    } catch {
      loop.schedule(after: .zero) { [weak self] in self?.fail(error) }
    }
  }

  /// Ends the output, and continues to read.
  func endOutput() {
    if state == .open { shutdown(descriptor, Int32(SHUT_WR)) }
  }

  func reset() { finish(LoopbackSocket.reset) }

  private func finish(_ close: (Int32) -> Void) {
    guard state != .closed else { return }
    state = .closed
    queue = []
    if let watch { loop.cancel(watch) }
    watch = nil
    if descriptor >= 0 { close(descriptor) }
    let onClose = onClose
    self.onClose = nil
    onClose?()
  }

  private func fail(_ error: SystemError) {
    guard state != .closed else { return }
    finish { Glibc.close($0) }
    delegate?.connectionDidEnd(self, with: .failed(error))
  }

  private func watchForNeeds() {
    guard state == .open, let watch else { return }
    var needs: Interest = isReading ? .readable : []
    if !queue.isEmpty { needs.insert(.writable) }
    guard needs != interest else { return }
    interest = needs
    try? loop.modify(watch, to: needs)
  }
}

extension BoundConnection: Connection {
  var unsent: Int { queue.count }

  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int {
    guard state != .closed else { return 0 }
    bytes.withUnsafeBufferPointer { queue.append(contentsOf: $0) }
    flush()
    return queue.count
  }

  func flush() {
    guard state == .open, !queue.isEmpty else { return }
    do throws(SystemError) {
      let count = try systemCall("send") {
        queue.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
      queue.removeFirst(count)
    } catch {
      // The next read fails as well, and tells the delegate.
      if !error.isWouldBlock { queue = [] }
    }
    watchForNeeds()
  }

  /// Closes at once; unsent bytes are lost.
  func close() { finish { Glibc.close($0) } }
}

extension BoundConnection: ReadinessHandler {
  func descriptorIsReady(_ readiness: Readiness) {
    if state == .connecting {
      if let error = LoopbackSocket.takeError(descriptor) { return fail(error) }
      state = .open
      onOpen()
      flush()
      return watchForNeeds()
    }
    if readiness.contains(.writable) {
      flush()
      if queue.isEmpty { delegate?.connectionDidDrain(self) }
    }
    if state == .open, isReading, !readiness.isDisjoint(with: [.readable, .hangUp]) {
      receive()
    } else if state == .open, readiness.contains(.hangUp) {
      fail(LoopbackSocket.takeError(descriptor) ?? SystemError(call: "recv", code: ECONNRESET))
    }
  }

  func loopDidEnd() { if descriptor >= 0 { Glibc.close(descriptor) } }

  private func receive() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      do throws(SystemError) {
        let count = try systemCall("recv") {
          recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        guard count > 0 else {
          isReading = false
          delegate?.connectionDidEnd(self, with: .inputEnded)
          return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        bytes.withMemoryRebound(to: UInt8.self) { delegate?.connection(self, didReceive: $0.span) }
      } catch {
        if !error.isWouldBlock { fail(error) }
      }
    }
  }
}
