import RIBs
import Shared
import Testing

@testable import Client

/// Keys in the form on the full screen, with its interactor.
@Suite struct LoggedOutKeysTests {
  private let service = LoginServiceMock(
    LoginField(.name, label: "Name"), LoginField(.host, label: "Server", value: "localhost"),
    LoginField(.port, label: "Port", value: "7777"))
  private let listener = LoggedOutListenerMock()
  private let view = FormView(screen: Screen())
  private let interactor: LoggedOutInteractor

  init() {
    interactor = LoggedOutInteractor(presenter: view, service: service, presetNames: [])
    interactor.listener = listener
    interactor.activate()
  }

  @Test func `characters are inserted at the cursor`() throws {
    view.type("anna")
    press(.left, .left, .left, .character("x"), .delete, .end, .backspace, .character("e"))
    #expect(try values()[0] == "axne")
    press(.home, .backspace, .character("J"), .control("e"), .delete, .character("!"))
    #expect(try values()[0] == "Jaxne!")
    press(.left, .control("u"))
    #expect(try values()[0] == "!")
    press(.control("a"), .delete)
    #expect(try values()[0] == "")
  }

  @Test func `a combining character joins the previous one and is deleted with it`() throws {
    press(.character("e"), .character("\u{301}"), .character("x"), .left, .left)
    view.type("z")
    #expect(try values()[0] == "ze\u{301}x")
    press(.home, .right, .delete)
    #expect(try values()[0] == "zx")
    press(.end)
    for scalar in "\u{1112}\u{1161}\u{11AB}".unicodeScalars {
      press(.character(Character(scalar)))
    }
    press(.character("y"), .left, .backspace)
    #expect(try values()[0] == "zxy")
  }

  @Test func `Tab, the arrow keys and the mouse move between fields`() throws {
    press(.tab, .control("u"), .character("a"))
    press(.down, .control("u"), .character("1"))
    press(.tab, .character("n"), .backTab, .character("2"), .up, .character("b"))
    #expect(try values() == ["n", "ab", "12"])
    press(.press(try #require(frame.position(of: "Name"))), .character("m"))
    press(.press(try #require(frame.position(of: "Port"))), .backspace)
    press(.press(Position(row: 0, column: 0)), .character("3"))
    #expect(try values() == ["nm", "ab", "13"])
  }

  @Test func `a question mark is typed into a name and not used in other fields`() throws {
    #expect(view.press(.character("?")) == .used)
    _ = view.press(.tab)
    #expect(view.press(.character("?")) == .unused)
    #expect(try values() == ["?", "localhost", "7777"])
    #expect(view.press(.escape) == .unused)
    #expect(view.press(.control("k")) == .unused)
  }

  @Test func `Enter moves to an invalid field, or logs in`() throws {
    view.type("bot")
    press(.tab, .enter)
    #expect(service.logins.isEmpty)
    #expect(frame.position(of: "Correct the fields") != nil)
    #expect(frame.cursor?.row == frame.position(of: "Name")?.row)
    press(.backspace, .enter)
    #expect(service.logins.map(\.values) == [["bo", "localhost", "7777"]])
  }

  @Test func `pressing Enter twice logs in once, and other keys are ignored meanwhile`() throws {
    view.type("ann")
    press(.enter, .enter, .character("x"), .backspace, .tab)
    #expect(service.logins.map(\.values) == [["ann", "localhost", "7777"]])
    #expect(view.press(.character("?")) == .unused)
    service.logins[0].answer(.success(["ann"]))
    #expect(listener.logins == [["ann"]])
  }

  @Test func `Esc cancels a login and restores the form`() throws {
    view.type("ann")
    press(.left, .enter)
    #expect(frame.isAnimated)
    press(.escape)
    #expect(service.logins[0].isCancelled)
    #expect(!frame.isAnimated)
    press(.character("x"))
    #expect(try values()[0] == "anxn")
  }

  @Test func `a refusal is shown until the form changes, and the values are kept`() throws {
    view.type("ann")
    press(.enter)
    service.logins[0].answer(.failure(LoginFormError(sentence: "Somebody has that name.")))
    #expect(frame.position(of: "Somebody has that name.") != nil)
    #expect(try values() == ["ann", "localhost", "7777"])
    view.type("a")
    #expect(frame.position(of: "Somebody") == nil)
  }

  private var frame: Frame {
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    return frame
  }

  private func press(_ keys: Key...) {
    for key in keys { _ = view.press(key) }
  }

  /// The values that the interactor has, read by submitting and cancelling a login.
  private func values() throws -> [String] {
    let before = service.logins.count
    _ = view.press(.enter)
    _ = view.press(.escape)
    return try #require(service.logins.dropFirst(before).first).values
  }
}
