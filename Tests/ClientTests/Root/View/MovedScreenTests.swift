import Shared
import TestSupport
import Testing

@testable import Client

/// A session that moves to another server, on the full screen.
@Suite struct MovedScreenTests {
  private final class Output {
    var bytes: [UInt8] = []
  }

  private let output = Output()
  private let client: RemoteApp

  /// A client in the lobby of a full screen. What it writes to the terminal is recorded.
  init() {
    let output = output
    client = RemoteApp(name: "ann") { timers in
      let screen = Screen(size: .usual, timers: timers) { output.bytes += $0 }
      screen.redraw(size: .usual)
      return screen
    }
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret"))
    // The lists of the lobby.
    client.server.answer(.players(Page([])))
    rest()
  }

  /// Lets the screen draw, until it does not change by itself.
  private func rest() {
    client.app.clock.advance(by: .milliseconds(600))
    _ = client.server.takeLines()
    output.bytes = []
  }

  /// The screen's new text, without escape sequences.
  private var text: String {
    String(decoding: output.bytes, as: UTF8.self).replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
  }

  @Test func `the screen of a game stays as it is during a move`() {
    client.server.beginGame(match: "m", timeLeft: nil)
    rest()
    client.move()
    client.arrive(at: .playing)
    client.app.clock.advance(by: .milliseconds(100))
    #expect(output.bytes.isEmpty)
    client.server.move(5)
    client.app.clock.advance(by: .milliseconds(100))
    #expect(!output.bytes.isEmpty)
  }

  @Test func `an invitation in the lobby stays as it is during a move`() {
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    rest()
    client.move()
    client.arrive(at: .lobby) { client.server.send(.invited(from: "bob", game: "tictactoe")) }
    client.app.clock.advance(by: .milliseconds(100))
    #expect(text.isEmpty)
    #expect(!output.bytes.contains(0x07))
  }

  @Test func `a move that takes long shows that the connection is lost`() {
    client.server.beginGame(match: "m")
    rest()
    client.move()
    client.app.clock.advance(by: RemoteGameService.maxMoveTime + .milliseconds(100))
    #expect(text.contains("Connection lost"))
  }
}
