import Shared
import TestSupport

/// One connection to the server after another, by somebody who comes back whenever one has ended.
final class Visits {
  /// Called with each line that could be read; `nil` is one that could not.
  var onEvent: (Event?) -> Void = { _ in }
  /// The latest.
  private(set) var client: WireClient?
  private let loop: EventLoop
  private let port: UInt16
  private let pause: Duration
  private var isOver = false

  /// `pause` is how long it stays away.
  init(loop: EventLoop, port: UInt16, pause: Duration) {
    self.loop = loop
    self.port = port
    self.pause = pause
  }

  /// Comes, on a connection in the place of any other.
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

  /// Does something after a time, unless it is over by then.
  func after(_ time: Duration, _ action: @escaping () -> Void) {
    loop.schedule(after: time) { [weak self] in
      if let self, !isOver { action() }
    }
  }

  /// Nothing more happens of its own accord; the connection that is there stays.
  func end() {
    isOver = true
  }
}
