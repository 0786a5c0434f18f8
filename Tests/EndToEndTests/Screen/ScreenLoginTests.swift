import Foundation
import TestSupport
import Testing

/// The login form of the full screen, and its errors.
@Suite(.serialized) struct ScreenLoginTests {
  @Test func `a taken name can be corrected`() throws {
    let server = try RunningServer()
    let ann = try server.screen(["--name", "ann"])
    try ann.wait(for: "Whom do you want to play?")
    let other = try server.screen(["--name", "ann"])
    try other.wait(for: "That name is taken. Choose another.")
    try other.type("e\(Keys.enter)")
    try other.wait(for: "Whom do you want to play?")
    #expect(other.lines[0].hasSuffix("anne"))
  }

  @Test func `an unknown host can be corrected`() throws {
    let server = try RunningServer()
    let ann = try ScreenClient(["no-such-host.invalid", "--port", server.port])
    try ann.wait(for: "Your name")
    try ann.type("ann\(Keys.enter)")
    try ann.wait(for: "There is no host for no-such-host.invalid")
    try ann.type("\(Keys.tab)\(Keys.control("u"))127.0.0.1\(Keys.enter)")
    try ann.wait(for: "Whom do you want to play?")
  }

  @Test func `Enter tries again after a refused connection`() throws {
    let gone = try RunningServer()
    gone.program.send(SIGTERM)
    #expect(try gone.program.exitCode() == 0)
    let ann = try gone.screen(["--name", "ann"])
    try ann.wait(for: "Connection refused")
    let back = try RunningServer(port: gone.port)
    try ann.type(Keys.enter)
    try ann.wait(for: "Whom do you want to play?")
    withExtendedLifetime(back) {}
  }

  @Test func `Esc stops waiting for a server that does not reply`() throws {
    let server = try RunningServer()
    server.program.send(SIGSTOP)
    let ann = try server.screen(["--name", "ann"])
    try ann.wait(for: "Connecting to 127.0.0.1 port \(server.port) …")
    try ann.type(Keys.escape)
    try ann.wait(for: "Enter: play")
    server.program.send(SIGCONT)
    try ann.type(Keys.enter)
    try ann.wait(for: "Whom do you want to play?")
  }

  @Test func `an invalid name or port is reported while it is typed`() throws {
    let ann = try ScreenClient(["127.0.0.1", "--port", "1"])
    try ann.wait(for: "Your name")
    try ann.type("bot")
    try ann.wait(for: "Correct the fields first")
    try ann.type("h\(Keys.tab)\(Keys.tab)23")
    try ann.wait(for: "Enter: play")
    try ann.type("456")
    try ann.wait(for: "A port is a number from 1 to 65535.")
  }
}
