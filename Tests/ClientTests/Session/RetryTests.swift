import Shared
import Testing

@testable import Client

/// The time after which a refused command may be sent again.
@Suite struct RetryTests {
  @Test(arguments: [
    ("Too many. Try again later.", 58_000, "Too many. Try again in 58 s."),
    ("Too many. Try again in a moment.", 1_001, "Too many. Try again in 2 s."),
    (
      "Too fast. Wait a moment and try again.", 3_000,
      "Too fast. Wait a moment and try again in 3 s."
    ),
    ("There is no room.", 5_000, "There is no room. Try again in 5 s."),
    ("Try again later.", 121_000, "Try again in 3 min."),
    ("Wait 58 s.", 58_000, "Wait 58 s."),
    ("Try again in a minute.", 60_000, "Try again in a minute."),
    ("Try again later.", 999, "Try again later."),
  ])
  func `a refusal names the time`(message: String, milliseconds: Int, sentence: String) {
    #expect(message.naming(.milliseconds(milliseconds)) == sentence)
    #expect(message.naming(nil) == message)
  }

  @Test func `a login and a change of the password name the time of the server`() {
    let refusal = Event.error(
      .tooFast, message: "Too many wrong passwords. Try again later.", retry: .seconds(58))
    let login = RemoteApp(name: "ann")
    login.server.greet()
    login.server.answer(refusal)
    #expect(login.app.type().contains("Too many wrong passwords. Try again in 58 s."))
    let lobby = RemoteApp.inLobby()
    lobby.app.type("register", "open sesame", "open sesame")
    lobby.server.answer(refusal)
    #expect(lobby.app.type().contains("Too many wrong passwords. Try again in 58 s."))
  }
}
