import Shared
import TestSupport

@testable import Client

/// A session that moves to another server. The scripted server plays both.
extension RemoteApp {
  /// Tells the client to go on at another server, and greets it there. With `answering`, that is the
  /// reply to the client's last command.
  func move(to address: String = "node2:7001", answering: Bool = false) {
    if answering { server.answer(.moved(to: address)) } else { server.send(.moved(to: address)) }
    follow()
  }

  /// Lets the client connect, and greets it.
  func follow() {
    app.clock.advance(by: .zero)
    server.greet()
  }

  /// Lets the session continue in a place, with what the server repeats there. Returns the client's
  /// lines, of which `ping` is the last.
  @discardableResult
  func arrive(at place: SessionPlace?, repeating: () -> Void = {}) -> [String] {
    server.answer(.didLogin(name: "ann", token: "new", place: place))
    let lines = server.takeLines()
    repeating()
    server.answerLast(.pong)
    return lines
  }
}
