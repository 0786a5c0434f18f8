import Shared
import Testing

@testable import Client

/// Golden images of the form on the full screen.
@Suite struct LoggedOutSceneTests {
  @Test func `an empty form`() throws {
    try expectGolden(FormScene(form: Self.remote).frame(), "form-fresh")
  }

  @Test func `each field shows its problem`() throws {
    var form = Self.remote
    form.fields[0].value = "a name that is too long, 김철수 \"too\""
    form.fields[0].problem = "A name may not contain double quotes."
    form.fields[2].value = "70000"
    form.fields[2].problem = "A port is a number from 1 to 65535."
    let scene = FormScene(form: form)
    try expectGolden(scene.frame(), "form-invalid")
    try expectGolden(scene.frame(GameLayout.minimumSize), "form-invalid-small")
  }

  @Test func `a form during a login`() throws {
    var form = Self.remote
    form.fields[0].value = "ann"
    form.state = .loggingIn("Connecting to 127.0.0.1:7777 …")
    let frame = FormScene(form: form).frame()
    try expectGolden(frame, "form-connecting")
    #expect(frame.isAnimated)
    #expect(frame.cursor == nil)
  }

  @Test func `a form after a failed login`() throws {
    var form = Self.remote
    form.fields[0].value = "ann"
    form.alert =
      "Nobody answers at 127.0.0.1:7777. Is the server running there? "
      + "Mend the address, or press Enter to try again."
    let frame = FormScene(form: form).frame()
    try expectGolden(frame, "form-alert")
    #expect(!frame.isAnimated)
  }

  @Test func `a long alert has all rows above the last one`() {
    var form = Self.remote
    form.alert = (1...57).map { "word-\($0)" }.joined(separator: " ")
    for size in [Size.usual, GameLayout.minimumSize] {
      let lines = FormScene(form: form).frame(size).lines
      #expect(lines[size.rows - 2].contains("word-"))
      #expect(!lines[size.rows - 1].contains("word-"))
    }
    #expect(FormScene(form: form).frame().lines.joined().contains("word-57 "))
  }

  @Test func `a form with a password shows a dot for each character, and its field has the keys`()
    throws
  {
    var form = Self.remote
    form.fields[0].value = "ann"
    var scene = FormScene(form: form)
    form.alert = "“ann” is registered. Type its password."
    form.askForPassword()
    scene.form = form
    #expect(scene.focus == 1)
    for character in "what? no" { _ = scene.press(.character(character), in: .usual) }
    #expect(scene.form.password == "what? no")
    let frame = scene.frame()
    #expect(!frame.lines.joined().contains("what"))
    try expectGolden(frame, "form-password")
    _ = scene.press(.tab, in: .usual)
    #expect(!scene.frame().lines.joined().contains("what"))
    form.removePassword()
    scene.form = form
    #expect(scene.focus == 2)
  }

  @Test func `a form for two players at one keyboard`() throws {
    var form = LoginForm(fields: [
      LoginField(.name, label: "First player's name", blank: "Player 1", value: "민준 😀"),
      LoginField(.name, label: "Second player's name", blank: "Player 2"),
    ])
    form.fields[1].problem = "The two players need different names."
    try expectGolden(FormScene(form: form).frame(), "form-local")
  }

  @Test func `a long value scrolls to the cursor`() throws {
    var form = Self.remote
    form.fields[1].value = "a-very-long-host-name-in-a-very-large.domain.example"
    var scene = FormScene(form: form)
    _ = scene.press(.tab, in: .usual)
    let fieldRow = try #require(scene.frame().position(of: "Server")).row
    var row = scene.frame().lines[fieldRow]
    #expect(row.contains("me-in-a-very-large.domain.example".suffix(29)))
    #expect(!row.contains("a-very-long-host"))
    _ = scene.press(.home, in: .usual)
    row = scene.frame().lines[fieldRow]
    #expect(row.contains("a-very-long-host-name-in-a-ver "))
  }

  @Test func `a wide character at the edge of a field is shown whole or not at all`() throws {
    var form = Self.remote
    form.fields[0].value = String(repeating: "한", count: 20)
    let frame = FormScene(form: form).frame()
    let start = try #require(frame.position(of: "Your name")).column + 11
    let cursor = try #require(frame.cursor)
    #expect(cursor.column == start + 28)
    #expect(frame[cursor.row, start].character == "한")
    #expect(
      frame[cursor.row, start + 28] == .init(character: " ", style: Style(isUnderlined: true)))
    #expect(frame[cursor.row, start + 30] == .blank)
  }

  static let remote = LoginForm(fields: [
    LoginField(.name, label: "Your name", blank: "the server picks one"),
    LoginField(.host, label: "Server", value: "127.0.0.1"),
    LoginField(.port, label: "Port", value: "7777"),
  ])
}
