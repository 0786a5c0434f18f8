import RIBs
import Shared
import Testing

@testable import Client

/// The form that registers a name, changes its password, or gives it up.
@Suite struct AccountInteractorTests {
  private let presenter = AccountPresentableMock()
  private let listener = AccountListenerMock()
  private let accounts = AccountServiceMock()

  private func interactor(
    _ purpose: AccountPurpose = .setPassword, isAttended: Bool = true
  ) -> AccountInteractor {
    let interactor = AccountInteractor(
      presenter: presenter, accounts: accounts, purpose: purpose, isAttended: isAttended)
    interactor.listener = listener
    interactor.activate()
    return interactor
  }

  private func fill(_ interactor: AccountInteractor, _ values: String...) {
    for (index, value) in values.enumerated() { interactor.didChange(field: index, to: value) }
    interactor.didSubmit()
  }

  @Test func `a guest types the new password twice`() {
    let interactor = interactor()
    #expect(presenter.form?.title == "Register “ann”")
    #expect(presenter.form?.fields.map(\.label) == ["New password", "Once more"])
    fill(interactor, "open sesame", "open sesame")
    #expect(presenter.form?.state != .editing)
    #expect(accounts.calls == ["register open sesame, old -"])
    accounts.answer(.success(()))
    #expect(
      listener.ends
        == ["“ann” is registered. To log in under this name takes its password now."])
  }

  @Test func `a change of the password needs the present one`() {
    accounts.current.send(NameStatus(name: "ann", isRegistered: true))
    let interactor = interactor()
    fill(interactor, "old sesame", "new sesame", "new sesame")
    #expect(accounts.calls == ["register new sesame, old old sesame"])
    accounts.answer(.success(()))
    #expect(listener.ends == ["The password of “ann” is changed."])
  }

  @Test func `what was done although its reply was lost is seen when the connection is back`() {
    let registering = interactor()
    fill(registering, "open sesame", "open sesame")
    accounts.answer(.failure(RequestError(sentence: "No connection.", isTemporary: true)))
    accounts.current.send(NameStatus(name: "ann", isRegistered: true))
    accounts.returnSource.send(())
    registering.deactivate()
    let unregistering = interactor(.unregister)
    fill(unregistering, "open sesame")
    accounts.answer(.failure(RequestError(sentence: "No connection.", isTemporary: true)))
    accounts.current.send(NameStatus(name: "ann", isRegistered: false))
    accounts.returnSource.send(())
    #expect(
      listener.ends == [
        "“ann” is registered. To log in under this name takes its password now.",
        "“ann” is no longer registered. You keep the name until you leave.",
      ])
  }

  @Test func `whether a password was changed shows when the present one is tried`() {
    accounts.current.send(NameStatus(name: "ann", isRegistered: true))
    let interactor = interactor()
    fill(interactor, "old sesame", "new sesame", "new sesame")
    accounts.answer(.failure(RequestError(sentence: "No connection.", isTemporary: true)))
    accounts.returnSource.send(())
    #expect(presenter.form?.alert?.hasPrefix("The connection was lost. If the present") == true)
  }

  @Test func `what is said about the connection goes when the connection is back`() {
    let interactor = interactor()
    fill(interactor, "open sesame", "open sesame")
    accounts.answer(.failure(RequestError(sentence: "No connection.", isTemporary: true)))
    #expect(presenter.form?.alert == "No connection.")
    accounts.returnSource.send(())
    #expect(
      presenter.form?.alert == "The connection was lost, and nothing has changed. Try again.")
    #expect(presenter.form?.fields.map(\.value) == ["open sesame", "open sesame"])
    interactor.didSubmit()
    accounts.answer(.failure(RequestError(sentence: "Too fast.")))
    accounts.returnSource.send(())
    #expect(presenter.form?.alert == "Too fast.")
    interactor.didSubmit()
    accounts.answer(.failure(RequestError(sentence: "No connection.", isTemporary: true)))
    interactor.didChange(field: 0, to: "x")
    interactor.didSubmit()
    accounts.returnSource.send(())
    #expect(presenter.form?.alert == PasswordFile.rule)
  }

  @Test func `a registered name is given up with its password`() {
    accounts.current.send(NameStatus(name: "ann", isRegistered: true))
    let interactor = interactor(.unregister)
    fill(interactor, "open sesame")
    #expect(accounts.calls == ["unregister open sesame"])
    accounts.answer(.success(()))
    #expect(listener.ends == ["“ann” is no longer registered. You keep the name until you leave."])
  }

  @Test func `a guest has no name to give up`() {
    _ = interactor(.unregister)
    #expect(listener.ends == ["“ann” is not registered."])
    #expect(presenter.form == nil)
  }

  @Test func `passwords that differ or are too short are not sent`() {
    let interactor = interactor()
    fill(interactor, "open sesame", "open sesamy")
    #expect(presenter.form?.alert == "The new passwords differ. Type the same one twice.")
    fill(interactor, "short", "short")
    #expect(presenter.form?.alert == PasswordFile.rule)
    #expect(accounts.calls.isEmpty)
  }

  @Test func `a refusal is the form's alert, and the form can be sent again`() {
    let interactor = interactor()
    fill(interactor, "open sesame", "open sesame")
    interactor.didCancel()
    #expect(listener.ends.isEmpty)
    accounts.answer(.failure(RequestError(sentence: "No accounts here.")))
    #expect(presenter.form?.alert == "No accounts here.")
    interactor.didSubmit()
    #expect(accounts.calls.count == 2)
  }

  @Test func `the form can be closed before it is sent`() {
    interactor().didCancel()
    #expect(listener.ends == [nil])
  }

  @Test func `a script registers with the password in the file`() {
    accounts.filePassword = "open sesame"
    let interactor = interactor(isAttended: false)
    #expect(accounts.calls == ["register open sesame, old -"])
    accounts.answer(.failure(RequestError(sentence: "No accounts here.")))
    #expect(listener.ends == ["No accounts here."])
    #expect(interactor.isActive)
  }

  @Test func `a script without a file learns how to give one`() {
    _ = interactor(isAttended: false)
    #expect(
      listener.ends
        == ["Write the password to a file, and set TICTACTOE_PASSWORD_FILE to its name."])
    #expect(accounts.calls.isEmpty)
  }

  @Test func `Enter goes to the password that is not typed yet, and then asks the server`() {
    let view = FormView(screen: Screen())
    let interactor = AccountInteractor(
      presenter: view, accounts: accounts, purpose: .setPassword, isAttended: true)
    interactor.activate()
    view.type("short")
    _ = view.press(.enter)
    view.type("er one")
    _ = view.press(.enter)
    view.type("shorter one")
    #expect(accounts.calls.isEmpty)
    _ = view.press(.enter)
    #expect(accounts.calls == ["register shorter one, old -"])
  }

  @Test func `the form on the screen`() throws {
    let screen = Screen()
    let view = FormView(screen: screen)
    let interactor = AccountInteractor(
      presenter: view, accounts: accounts, purpose: .setPassword, isAttended: true)
    interactor.activate()
    view.type("open sesame")
    _ = view.press(.tab)
    view.type("open?")
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    try expectGolden(frame, "account-register")
    var small = Frame(size: GameLayout.minimumSize)
    view.draw(into: &small)
    try expectGolden(small, "account-register-small")
  }
}

private final class AccountPresentableMock: AccountPresentable {
  weak var listener: (any AccountPresentableListener)?
  private(set) var form: LoginForm?

  func show(_ form: LoginForm) { self.form = form }
}

private final class AccountListenerMock: AccountListener {
  private(set) var ends: [String?] = []

  func accountDidFinish(with sentence: String?) { ends.append(sentence) }
}

private final class AccountServiceMock: AccountService {
  let current = CurrentValue(NameStatus(name: "ann", isRegistered: false))
  var filePassword: String?
  private(set) var calls: [String] = []
  private var pending: [(Result<Void, RequestError>) -> Void] = []

  let returnSource = EventSource<Void>()
  var nameStatus: Stream<NameStatus> { current.stream }
  var returns: Stream<Void> { returnSource.stream }

  func register(
    password: String, old: String?, answer: @escaping (Result<Void, RequestError>) -> Void
  ) {
    calls.append("register \(password), old \(old ?? "-")")
    pending.append(answer)
  }

  func unregister(password: String, answer: @escaping (Result<Void, RequestError>) -> Void) {
    calls.append("unregister \(password)")
    pending.append(answer)
  }

  func answer(_ result: Result<Void, RequestError>) { pending.removeFirst()(result) }
}
