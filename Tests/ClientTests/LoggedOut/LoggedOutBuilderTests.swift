import RIBs
import Shared
import Testing

@testable import Client

@Suite struct LoggedOutBuilderTests {
  private let dependency = LoggedOutDependencyMock()
  private let listener = LoggedOutListenerMock()

  @Test func `the form asks on the console, and the typed name logs in`() {
    let router = LoggedOutBuilder(dependency: dependency).build(withListener: listener, alert: nil)
    router.interactable.activate()
    #expect(dependency.terminal.takeOutput() == "Name: ")
    #expect((router.viewControllable as? any ConsoleView)?.didType("  ann ") == true)
    #expect(dependency.service.logins.map(\.values) == [["here", "ann"]])
    dependency.service.logins.last?.answer(.success(["ann"]))
    #expect(listener.logins == [["ann"]])
  }

  @Test func `a refusal is printed on a line of its own`() {
    let router = LoggedOutBuilder(dependency: dependency).build(withListener: listener, alert: nil)
    router.interactable.activate()
    (router.viewControllable as? any ConsoleView)?.answer("ann")
    dependency.service.logins.last?.answer(.failure(LoginFormError(sentence: "Taken.")))
    #expect(dependency.terminal.takeOutput() == "Taken.\nName: ")
  }

  @Test func `help is printed and not used as a name`() {
    let router = LoggedOutBuilder(dependency: dependency).build(withListener: listener, alert: nil)
    router.interactable.activate()
    (router.viewControllable as? any ConsoleView)?.answer("help")
    #expect(dependency.service.logins.isEmpty)
    #expect(dependency.terminal.takeOutput() == PlainLoggedOutView.help + "\nName: ")
  }

  @Test func `a released form is deallocated`() {
    weak var interactor: AnyObject?
    weak var view: AnyObject?
    do {
      let router = LoggedOutBuilder(dependency: dependency).build(
        withListener: listener, alert: nil)
      router.interactable.activate()
      (interactor, view) = (router.interactable, router.viewControllable)
      (router.viewControllable as? any ConsoleView)?.answer("ann")
      #expect(interactor != nil && view != nil)
    }
    #expect(interactor == nil && view == nil)
  }
}

extension ConsoleView {
  func answer(_ line: String) { _ = didType(line) }
}

private final class LoggedOutDependencyMock: LoggedOutDependency {
  let terminal = TestTerminal()
  let service = LoginServiceMock(
    LoginField(.host, label: "Server", value: "here"), LoginField(.name, label: "Name"))
  let presetNames: [String] = []
  let isAttended = true
  var loginService: any LoginService { service }

  func makeLoggedOutView() -> any LoggedOutViewControllable {
    PlainViewFactory(console: terminal.console).makeLoggedOutView()
  }
}
