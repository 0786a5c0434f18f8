import Shared
import TestSupport
import Testing

@testable import Client

/// Registering a name from plain lines, with the server's replies.
@Suite struct RegisteringTests {
  @Test func `a guest registers, without showing the password`() {
    let client = RemoteApp.inLobby()
    let shown = client.app.type("register")
    #expect(shown.contains("Register “ann”."))
    #expect(shown.hasSuffix("New password (blank: go back): "))
    #expect(!client.app.terminal.isEchoing)
    #expect(!client.app.type("open sesame", "open sesame").contains("sesame"))
    #expect(client.app.terminal.isEchoing)
    #expect(
      client.server.takeLines() == [#"{"type":"register","id":2,"password":"open sesame"}"#])
    client.server.answer(.didRegister(name: "ann"))
    #expect(client.app.type().hasSuffix("takes its password now.\n> "))
  }

  @Test func `a registered player changes the password, and gives the name up`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "t", registered: true))
    client.app.type("register", "old sesame", "new sesame", "new sesame")
    #expect(
      client.server.takeLines().last
        == #"{"type":"register","id":2,"password":"new sesame","old":"old sesame"}"#)
    client.server.answer(.didRegister(name: "ann"))
    #expect(client.app.type().hasSuffix("The password of “ann” is changed.\n> "))
    client.app.type("unregister", "new sesame")
    client.server.answer(.didUnregister(name: "ann"))
    #expect(client.app.type().contains("“ann” is no longer registered."))
    #expect(client.app.type("unregister").contains("“ann” is not registered."))
  }

  @Test func `the new password logs in after a lost session`() {
    let client = RemoteApp.inLobby()
    client.app.type("register", "open sesame", "open sesame")
    client.server.answer(.didRegister(name: "ann"))
    client.server.cut()
    client.fixture.clock.advance(by: .seconds(1))
    client.server.greet()
    client.server.answer(.error(.unknownToken))
    #expect(client.server.takeLines().last?.contains(#""password":"open sesame""#) == true)
  }

  @Test(arguments: [
    (Event.error(.unavailable), ErrorCode.unavailable.message),
    (.error(.unknownType), SessionCommands.isOlder),
    (.error(.badName), ErrorCode.badName.message),
  ])
  func `a server that does not register says so, and the lobby goes on`(
    answer: Event, sentence: String
  ) {
    let client = RemoteApp.inLobby()
    client.app.type("register", "open sesame", "open sesame")
    client.server.answer(answer)
    #expect(client.app.type().hasSuffix("\(sentence)\nNew password (blank: go back): "))
    #expect(client.app.type("").hasSuffix("> "))
    #expect(client.app.type("help").contains("play against anyone"))
  }

  @Test func `a password that cannot be used is asked for again at once, without an echo`() {
    let client = RemoteApp.inLobby()
    let shown = client.app.type("register", "short")
    #expect(shown.hasSuffix(PasswordFile.rule + "\nNew password (blank: go back): "))
    #expect(!client.app.terminal.isEchoing)
    client.app.type("open sesame")
    #expect(client.app.type("short").hasSuffix("Once more (blank: start again): "))
    #expect(!client.app.terminal.isEchoing)
    #expect(client.app.type("").hasSuffix("New password (blank: go back): "))
    #expect(!client.app.terminal.isEchoing)
    client.app.type("open sesame", "open sesame")
    #expect(client.server.takeLines().last?.contains("open sesame") == true)
  }

  @Test func `after passwords that differ the next line is not shown`() {
    let client = RemoteApp.inLobby()
    let shown = client.app.type("register", "open sesame", "open sesamy")
    #expect(shown.contains("The new passwords differ."))
    #expect(shown.hasSuffix("New password (blank: go back): "))
    #expect(!client.app.terminal.isEchoing)
    #expect(client.server.takeLines().isEmpty)
    #expect(!client.app.type("open sesame").contains("differ"))
  }

  @Test func `after a wrong present password the next line is not shown`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "t", registered: true))
    client.app.type("register", "bad sesame", "new sesame", "new sesame")
    client.server.answer(.error(.wrongPassword))
    #expect(
      client.app.type()
        == "\(ErrorCode.wrongPassword.message)\nPresent password (blank: go back): ")
    #expect(!client.app.terminal.isEchoing)
    client.app.type("old sesame", "new sesame", "new sesame")
    #expect(client.server.takeLines().last?.contains(#""old":"old sesame""#) == true)
  }

  @Test func `a blank password goes back, and a notice keeps the question open`() {
    let client = RemoteApp.inLobby()
    client.app.type("register")
    client.server.send(.announcement(text: "Tea is ready."))
    let shown = client.app.type()
    #expect(shown.contains("Tea is ready."))
    #expect(shown.hasSuffix("New password (blank: go back): "))
    #expect(!client.app.terminal.isEchoing)
    #expect(client.app.type("").hasSuffix("> "))
    #expect(client.app.terminal.isEchoing)
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `a game that begins closes the form and switches the echo on`() {
    let client = RemoteApp.inLobby()
    client.app.type("register")
    client.server.beginGame(match: "m")
    #expect(client.app.type().hasSuffix("ann, put X on (1 to 9): "))
    #expect(client.app.terminal.isEchoing)
  }

  @Test func `a password is never typed with the command`() {
    let client = RemoteApp.inLobby()
    let shown = client.app.type("register open sesame")
    #expect(shown.contains("A password is never typed with the command."))
    #expect(client.server.takeLines().isEmpty)
  }
}
