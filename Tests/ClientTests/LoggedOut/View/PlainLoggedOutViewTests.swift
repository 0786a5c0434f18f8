import RIBs
import Shared
import Testing

@testable import Client

/// The form in plain lines, with its interactor.
@Suite struct PlainLoggedOutViewTests {
  private let terminal = TestTerminal()
  private let service = LoginServiceMock(
    LoginField(.name, label: "First", blank: "Player 1"),
    LoginField(.host, label: "Server", value: "here"), LoginField(.name, label: "Second"))
  private let view: PlainLoggedOutView
  private let interactor: LoggedOutInteractor

  init() {
    view = PlainLoggedOutView(console: terminal.console)
    interactor = LoggedOutInteractor(presenter: view, service: service, presetNames: [])
    interactor.activate()
  }

  @Test func `only the names are asked for, one after another`() {
    #expect(terminal.takeOutput() == "First (blank: Player 1): ")
    view.answer(" ann ")
    #expect(terminal.takeOutput() == "\nSecond: ")
    #expect(service.logins.isEmpty)
    view.answer("")
    #expect(terminal.takeOutput() == "")
    #expect(service.logins.map(\.values) == [["ann", "here", ""]])
  }

  @Test func `after each refusal all names are asked for again`() {
    for _ in 1...2 {
      view.answer("ann")
      view.answer("bob")
      _ = terminal.takeOutput()
      service.logins.last?.answer(.failure(LoginFormError(sentence: "Taken.")))
      #expect(terminal.takeOutput().hasSuffix("Taken.\nFirst (blank: Player 1): "))
    }
    #expect(service.logins.count == 2)
  }

  @Test func `an invalid name is reported after all names are given`() {
    for _ in 1...2 {
      view.answer("bot")
      #expect(terminal.takeOutput().hasSuffix("Second: "))
      view.answer("bob")
      #expect(terminal.takeOutput().hasSuffix("Choose another.\nFirst (blank: Player 1): "))
    }
    #expect(service.logins.isEmpty)
  }

  @Test func `help is shown and the same name asked for again`() {
    view.answer("ann")
    _ = terminal.takeOutput()
    view.answer("help")
    #expect(terminal.takeOutput() == "\n" + PlainLoggedOutView.help + "\nSecond: ")
  }

  @Test func `the reason why a login is tried again is said once`() {
    view.answer("ann")
    view.answer("bob")
    _ = terminal.takeOutput()
    for failure in [nil, "No host.", "No host.", "No port.", nil] {
      service.logins.last?.progress(LoginProgress(step: "Trying …", failure: failure))
    }
    let lines = terminal.takeOutput().split(separator: "\n").filter { $0.hasPrefix("No ") }
    #expect(
      lines == [
        "No host. Trying again … To stop, type: quit",
        "No port. Trying again … To stop, type: quit",
      ])
  }

  @Test func `lines typed during a login are ignored`() {
    for name in ["ann", "bob", "eve", "eve"] { view.answer(name) }
    #expect(service.logins.map(\.values) == [["ann", "here", "bob"]])
  }
}
