import Shared
import Testing

@testable import Client

@Suite struct LoggedOutInteractorTests {
  private let presenter = LoggedOutPresentableMock()
  private let listener = LoggedOutListenerMock()

  private func interactor(
    _ service: LoginServiceMock, presetNames: [String] = []
  ) -> LoggedOutInteractor {
    let interactor = LoggedOutInteractor(
      presenter: presenter, service: service, presetNames: presetNames)
    interactor.listener = listener
    return interactor
  }

  @Test func `one name is asked for and logged in under`() {
    let service = LoginServiceMock(fields: ["Name: "])
    let interactor = interactor(service)
    interactor.activate()
    #expect(presenter.calls == [.ask("Name: ")])
    interactor.didEnter(name: "ann")
    #expect(service.logins == [["ann"]])
    service.answer(.success(["Ann"]))
    #expect(listener.logins == [["Ann"]])
  }

  @Test func `several names are asked for one after another`() {
    let service = LoginServiceMock(fields: ["First: ", "Second: "])
    let interactor = interactor(service)
    interactor.activate()
    interactor.didEnter(name: "ann")
    #expect(service.logins.isEmpty)
    interactor.didEnter(name: "")
    #expect(presenter.calls == [.ask("First: "), .ask("Second: ")])
    #expect(service.logins == [["ann", ""]])
  }

  @Test func `a refused name is said and asked for again`() {
    let service = LoginServiceMock(fields: ["Name: "])
    let interactor = interactor(service)
    interactor.activate()
    interactor.didEnter(name: "bot")
    service.answer(.failure(LoginRefusal(sentence: "Choose another.")))
    interactor.didEnter(name: "ann")
    #expect(presenter.calls == [.ask("Name: "), .show("Choose another."), .ask("Name: ")])
    #expect(service.logins == [["bot"], ["ann"]])
    #expect(listener.logins.isEmpty)
  }

  @Test func `a name given before is tried without asking, once`() {
    let service = LoginServiceMock(fields: ["Name: "])
    let interactor = interactor(service, presetNames: ["ann"])
    interactor.activate()
    #expect(presenter.calls.isEmpty)
    #expect(service.logins == [["ann"]])
    service.answer(.failure(LoginRefusal(sentence: "Taken.")))
    #expect(presenter.calls == [.show("Taken."), .ask("Name: ")])
    #expect(service.logins == [["ann"]])
  }

  @Test func `what is entered while a login is under way is not sent`() {
    let service = LoginServiceMock(fields: ["Name: "])
    let interactor = interactor(service)
    interactor.activate()
    interactor.didEnter(name: "ann")
    interactor.didEnter(name: "bob")
    #expect(service.logins == [["ann"]])
  }

  @Test func `an answer that comes after the form has gone reaches nobody`() {
    let service = LoginServiceMock(fields: ["Name: "])
    let interactor = interactor(service)
    interactor.activate()
    interactor.didEnter(name: "ann")
    interactor.deactivate()
    service.answer(.success(["ann"]))
    service.answer(.failure(LoginRefusal(sentence: "Taken.")))
    #expect(listener.logins.isEmpty)
    #expect(presenter.calls == [.ask("Name: ")])
  }
}

final class LoggedOutPresentableMock: LoggedOutPresentable {
  enum Call: Equatable {
    case ask(String)
    case show(String)
  }

  weak var listener: (any LoggedOutPresentableListener)?
  private(set) var calls: [Call] = []

  func ask(_ field: NameField) { calls.append(.ask(field.prompt)) }
  func show(_ refusal: LoginRefusal) { calls.append(.show(refusal.sentence)) }
}

final class LoggedOutListenerMock: LoggedOutListener {
  private(set) var logins: [[String]] = []

  func didLogin(as names: [String]) { logins.append(names) }
}

final class LoginServiceMock: LoginService {
  let namesAsked: [NameField]
  private(set) var logins: [[String]] = []
  /// Answers the last login.
  private(set) var answer: (Result<[String], LoginRefusal>) -> Void = { _ in }

  init(fields: [String]) {
    namesAsked = fields.map(NameField.init)
  }

  func login(as names: [String], answer: @escaping (Result<[String], LoginRefusal>) -> Void) {
    logins.append(names)
    self.answer = answer
  }
}
