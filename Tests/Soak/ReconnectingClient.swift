import Shared
import TestSupport

/// A client that opens the next connection whenever one has ended.
final class ReconnectingClient {
  /// Called with the event of each line; `nil` is a line that cannot be decoded.
  var onEvent: (Event?) -> Void = { _ in }
  /// The latest connection.
  private(set) var client: WireClient?
  private let loop: EventLoop
  private let port: UInt16
  private let pause: Duration
  private var isOver = false

  /// `pause` is the time between two connections.
  init(loop: EventLoop, port: UInt16, pause: Duration) {
    self.loop = loop
    self.port = port
    self.pause = pause
  }

  /// Opens a connection, which replaces any other.
  func begin() {
    guard !isOver else { return }
    let client = WireClient(loop: loop, port: port)
    self.client = client
    client.onEvent = { [weak self] event in self?.onEvent(event) }
    client.onEnd = { [weak self] in
      guard let self else { return }
      after(pause) { [weak self] in self?.begin() }
    }
  }

  /// Acts after a time, unless the client has ended by then.
  func after(_ time: Duration, _ action: @escaping () -> Void) {
    loop.schedule(after: time) { [weak self] in
      if let self, !isOver { action() }
    }
  }

  /// Stops reconnecting. An open connection stays open.
  func end() {
    isOver = true
  }
}
