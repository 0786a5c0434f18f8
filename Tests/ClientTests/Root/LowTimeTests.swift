import Shared
import TestSupport
import Testing

@testable import Client

/// The warning when little time is left for a move, in plain lines and in every match.
@Suite struct LowTimeTests {
  private let warning = "Your time for this move is nearly over.\n"

  @Test func `the alarm sounds once, ten seconds before the end`() {
    let timers = ManualTimers()
    var calls = 0
    let alarm = LowTimeAlarm(timers: timers) { calls += 1 }
    alarm.set(.seconds(30))
    timers.advance(by: .milliseconds(19_999))
    #expect(calls == 0)
    timers.advance(by: .milliseconds(1))
    #expect(calls == 1)
    alarm.set(.seconds(30))
    alarm.set(.seconds(25))
    timers.advance(by: .seconds(60))
    #expect(calls == 1)
    alarm.set(.seconds(200))
    alarm.set(nil)
    #expect(timers.next == nil)
  }

  @Test func `a player is warned on the own turn only`() {
    let client = RemoteApp.inLobby()
    client.server.beginGame(match: "m", timeLeft: .seconds(12))
    client.discardOutput()
    client.app.clock.advance(by: .seconds(2))
    #expect(client.app.terminal.takeOutput().contains(warning))
    client.server.move(1, timeLeft: .seconds(12))
    client.app.clock.advance(by: .seconds(3))
    #expect(!client.app.terminal.takeOutput().contains(warning))
  }

  @Test func `times above a minute are not shown`() {
    let client = RemoteApp.inLobby()
    client.server.beginGame(match: "m", timeLeft: .seconds(300))
    #expect(!client.app.terminal.takeOutput().contains("Time for this move"))
    client.server.move(1, timeLeft: .seconds(60))
    #expect(client.app.terminal.takeOutput().contains("Time for this move: 1:00"))
  }
}
