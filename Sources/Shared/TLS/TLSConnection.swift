import Foundation

/// A connection that encrypts what passes through another one. That one owns it until it is closed.
///
/// A peer that ends the connection without saying so in TLS counts as one that says so: a line that
/// is cut off is no line, nor is a reply that is cut off a reply.
package final class TLSConnection {
  /// The longest content of a TLS record.
  private static let maxRecord = 16_384

  private enum State {
    case open, inputEnded, closed
  }

  package weak var delegate: (any ConnectionDelegate)?
  private let connection: any Connection
  private let session: TLSSession
  private let timers: any Timers
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: maxRecord, alignment: 1)
  private var state = State.open
  /// Why the session has failed; `nil` as long as it has not.
  package private(set) var error: TLSError?
  package var isReading = true {
    didSet {
      guard isReading != oldValue else { return }
      connection.isReading = isReading
      // What was decrypted before the pause comes in a turn of its own.
      if isReading { timers.schedule(after: .zero) { [weak self] in self?.deliver() } }
    }
  }

  /// Takes over a connection and the session on it, after the handshake.
  init(over connection: any Connection, session: TLSSession, timers: any Timers) {
    self.connection = connection
    self.session = session
    self.timers = timers
    connection.retainDelegate(self)
  }

  deinit { buffer.deallocate() }

  /// Gives the delegate everything that can be decrypted.
  func deliver() {
    do throws(TLSError) {
      while isReading, state == .open {
        switch try session.read(into: buffer) {
        case .bytes(let count):
          UnsafeRawBufferPointer(rebasing: buffer[..<count]).withMemoryRebound(to: UInt8.self) {
            delegate?.connection(self, didReceive: $0.span)
          }
        case .needsMore: return sendOutput()
        case .ended: inputDidEnd()
        }
      }
    } catch {
      fail(error)
    }
  }

  /// A read may have to reply, for example to new keys.
  private func sendOutput() {
    session.takeOutput { connection.send($0) }
  }

  private func inputDidEnd() {
    guard state == .open else { return }
    state = .inputEnded
    delegate?.connectionDidEnd(self, with: .inputEnded)
  }

  private func fail(_ error: TLSError) {
    self.error = error
    fail(SystemError(call: "SSL_read", code: EPROTO))
  }

  private func fail(_ error: SystemError) {
    guard state != .closed else { return }
    state = .closed
    sendOutput()
    connection.close()
    let delegate = delegate
    self.delegate = nil
    delegate?.connectionDidEnd(self, with: .failed(error))
  }
}

extension TLSConnection: Connection {
  /// Counts encrypted bytes.
  package var unsent: Int { connection.unsent }

  package var peerAddress: SocketAddress {
    get { connection.peerAddress }
    set { connection.peerAddress = newValue }
  }

  package var onClose: (() -> Void)? {
    get { connection.onClose }
    set { connection.onClose = newValue }
  }

  package var passesGate: Bool {
    get { connection.passesGate }
    set { connection.passesGate = newValue }
  }

  package func dropHeldOutput() { connection.dropHeldOutput() }

  @discardableResult
  package func send(_ bytes: Span<UInt8>) -> Int {
    guard state != .closed else { return unsent }
    session.write(bytes)
    sendOutput()
    return unsent
  }

  package func flush() { connection.flush() }

  package func close() {
    guard state != .closed else { return }
    state = .closed
    delegate = nil
    session.end()
    sendOutput()
    connection.close()
  }

  package func reset() {
    state = .closed
    delegate = nil
    connection.reset()
  }
}

extension TLSConnection: ConnectionDelegate {
  package func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    do throws(TLSError) {
      try session.receive(bytes)
    } catch {
      return fail(error)
    }
    deliver()
  }

  package func connectionDidBlock(_ connection: any Connection) {
    delegate?.connectionDidBlock(self)
  }

  package func connectionDidDrain(_ connection: any Connection) {
    delegate?.connectionDidDrain(self)
  }

  package func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    deliver()
    switch end {
    case .inputEnded: inputDidEnd()
    case .failed(let error): fail(error)
    }
  }
}
