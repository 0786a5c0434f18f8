import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// Logins under a name that needs a password.
@Suite struct PasswordLoginTests {
  private let wrong = Event.error(.wrongPassword)

  @Test func `plain lines ask for the password of a registered name without showing it`() {
    let client = RemoteApp()
    client.server.greet()
    client.app.type("ann")
    client.server.answer(wrong)
    #expect(
      client.app.type().hasSuffix(
        "“ann” is registered. Type its password.\nPassword (blank: choose another name): "))
    #expect(!client.app.terminal.isEchoing)
    let shown = client.app.type(" open sesame ")
    #expect(!shown.contains("sesame"))
    #expect(client.app.terminal.isEchoing)
    #expect(
      client.server.takeLines()
        == [#"{"type":"login","id":2,"name":"ann","password":" open sesame "}"#])
    client.server.answer(.didLogin(name: "Ann", token: nil, registered: true))
    #expect(client.app.type().contains("You are Ann."))
  }

  @Test func `a wrong password is asked for again, and a blank one asks for another name`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(wrong)
    client.app.type("open sesame")
    client.server.answer(wrong)
    let shown = client.app.type()
    #expect(shown.contains(ErrorCode.wrongPassword.message))
    #expect(shown.hasSuffix("Password (blank: choose another name): "))
    #expect(client.app.type("").hasSuffix("Your name (blank: the server picks one): "))
    #expect(client.app.terminal.isEchoing)
    client.app.type("bob")
    #expect(client.server.takeLines().last == #"{"type":"login","id":3,"name":"bob"}"#)
  }

  @Test func `a text that cannot be a password is not sent`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(wrong)
    #expect(client.app.type("short").contains(PasswordFile.rule))
    #expect(!client.app.terminal.isEchoing)
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `leaving the question for a password switches the echo on`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(wrong)
    _ = client.app.type()
    #expect(!client.app.terminal.isEchoing)
    client.app.terminal.end()
    #expect(client.app.terminal.isEchoing)
  }

  @Test(arguments: [nil, "ann"])
  func `a script without a file for the password ends, and learns the variable`(name: String?) {
    let client = RemoteApp(name: name, isInteractive: false)
    client.server.greet()
    if name == nil { client.app.type("ann") }
    client.server.answer(wrong)
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
    #expect(
      client.app.exitReports.first?.sentence
        == "“ann” is registered. Write its password to a file, and set TICTACTOE_PASSWORD_FILE"
        + " to the name of that file.")
  }

  @Test func `the password in the file is sent only if the server asks for one`() {
    let client = RemoteApp(name: "ann", isInteractive: false, filePassword: "open sesame")
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
    client.server.answer(wrong)
    #expect(
      client.server.takeLines()
        == [#"{"type":"login","id":2,"name":"ann","password":"open sesame"}"#])
    client.server.answer(.didLogin(name: "ann", token: nil, registered: true))
    #expect(client.app.exitReports.isEmpty)
  }

  @Test func `a wrong password in the file ends a script`() {
    let client = RemoteApp(name: "ann", isInteractive: false, filePassword: "open sesame")
    client.server.greet()
    client.server.answer(wrong)
    client.server.answer(wrong)
    #expect(
      client.app.exitReports.first?.sentence
        == "The password in the file of TICTACTOE_PASSWORD_FILE is not that of “ann”.")
  }

  @Test func `a login after a lost session uses the password again`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(wrong)
    client.app.type("open sesame")
    client.server.answer(.didLogin(name: "ann", token: "old", registered: true))
    client.server.cut()
    client.fixture.clock.advance(by: .seconds(1))
    client.server.greet()
    client.server.answer(.error(.unknownToken))
    #expect(client.server.takeLines().last?.contains(#""password":"open sesame""#) == true)
  }

  @Test func `a match whose seat was taken back at another computer is not called over`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(wrong)
    client.app.type("open sesame")
    client.server.answer(.didLogin(name: "ann", token: "old", registered: true))
    client.server.beginGame(match: "m")
    client.server.cut()
    client.discardOutput()
    client.fixture.clock.advance(by: Backoff.max)
    client.server.greet()
    for _ in 0..<40 where !(client.app.currentRouter is LoggedOutRouter) {
      let line = client.server.takeLines().last ?? ""
      if line.contains("resume") {
        client.server.answerLast(.error(.unknownToken))
      } else if line.contains("login") {
        client.server.answerLast(.error(.nameTaken))
      } else {
        client.fixture.clock.advance(by: Backoff.max)
      }
    }
    let output = client.app.terminal.takeOutput().split(separator: "\n").joined(separator: " ")
    #expect(output.contains("Your match with bob may still go on."))
    #expect(output.contains("“ann” is in use"))
  }
}
