import RIBs
import Shared
import Testing

@testable import Client

@Suite struct LoggedOutInteractorTests {
  private let presenter = LoggedOutPresentableMock()
  private let listener = LoggedOutListenerMock()
  private let service = LoginServiceMock(
    LoginField(.name, label: "Name"), LoginField(.host, label: "Server", value: "here"))

  private func interactor(presetNames: [String] = []) -> LoggedOutInteractor {
    let interactor = LoggedOutInteractor(
      presenter: presenter, service: service, presetNames: presetNames)
    interactor.listener = listener
    interactor.activate()
    return interactor
  }

  @Test func `the form is shown on activation and on each change`() {
    let interactor = interactor()
    #expect(presenter.forms.map(\.values) == [["", "here"]])
    #expect(presenter.form?.canSubmit == true)
    interactor.didChange(field: 0, to: "ann")
    interactor.didChange(field: 0, to: "ann")
    interactor.didChange(field: 1, to: "there")
    #expect(presenter.forms.map(\.values) == [["", "here"], ["ann", "here"], ["ann", "there"]])
  }

  @Test func `the login uses all values of the form`() {
    let interactor = interactor()
    interactor.didChange(field: 0, to: "ann")
    interactor.didSubmit()
    #expect(service.logins.map(\.values) == [["ann", "here"]])
    #expect(presenter.form?.state == .loggingIn("Logging in …"))
    #expect(presenter.form?.canSubmit == false)
    service.logins.last?.progress(LoginProgress(step: "Connecting …"))
    #expect(presenter.form?.state == .loggingIn("Connecting …"))
    service.logins.last?.answer(.success(["Ann"]))
    #expect(listener.logins == [["Ann"]])
  }

  @Test func `submitting twice logs in once`() {
    let interactor = interactor()
    interactor.didSubmit()
    interactor.didSubmit()
    #expect(service.logins.count == 1)
    service.logins.last?.answer(.success(["ann"]))
    #expect(listener.logins.count == 1)
  }

  @Test func `a form cannot be changed during a login`() {
    let interactor = interactor()
    interactor.didSubmit()
    interactor.didChange(field: 0, to: "bob")
    #expect(presenter.form?.values == ["", "here"])
  }

  @Test func `an invalid value is reported and not submitted`() {
    let interactor = interactor()
    interactor.didChange(field: 0, to: "bot")
    #expect(presenter.form?.fields.map(\.problem) == [LoginServiceMock.problem, nil])
    #expect(presenter.form?.canSubmit == false)
    #expect(presenter.form?.alert == nil)
    interactor.didSubmit()
    #expect(presenter.form?.alert == LoginServiceMock.problem)
    #expect(service.logins.isEmpty)
    interactor.didChange(field: 0, to: "ann")
    #expect(presenter.form?.fields.map(\.problem) == [nil, nil])
    #expect(presenter.form?.alert == nil)
    #expect(presenter.form?.canSubmit == true)
  }

  @Test(arguments: [true, false])
  func `a refusal is the form's alert until the next change or login`(edits: Bool) {
    let interactor = interactor()
    interactor.didChange(field: 0, to: "ann")
    interactor.didSubmit()
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Taken.")))
    #expect(presenter.form?.alert == "Taken.")
    #expect(presenter.form?.state == .editing)
    #expect(presenter.form?.values == ["ann", "here"])
    if edits { interactor.didChange(field: 0, to: "bob") } else { interactor.didSubmit() }
    #expect(presenter.form?.alert == nil)
    #expect(listener.logins.isEmpty)
  }

  @Test func `cancelling a login restores the form`() {
    let interactor = interactor()
    interactor.didChange(field: 0, to: "ann")
    let before = presenter.form
    interactor.didSubmit()
    interactor.didCancel()
    #expect(service.logins.last?.isCancelled == true)
    #expect(presenter.form == before)
    interactor.didSubmit()
    #expect(service.logins.count == 2)
  }

  @Test func `the results of a cancelled login are ignored`() throws {
    let interactor = interactor()
    interactor.didSubmit()
    let late = try #require(service.logins.last)
    interactor.didCancel()
    interactor.didSubmit()
    let shown = presenter.forms.count
    late.progress(LoginProgress(step: "Connecting …"))
    late.answer(.failure(LoginFormError(sentence: "Taken.")))
    late.answer(.success(["ann"]))
    #expect(presenter.forms.count == shown)
    #expect(listener.logins.isEmpty)
    service.logins.last?.answer(.success(["ann"]))
    #expect(listener.logins == [["ann"]])
  }

  @Test func `cancelling without a login changes nothing`() {
    let interactor = interactor()
    interactor.didCancel()
    #expect(presenter.forms.count == 1)
  }

  @Test func `a deactivated form cancels its login and ignores its result`() {
    let interactor = interactor()
    interactor.didSubmit()
    interactor.deactivate()
    #expect(service.logins.last?.isCancelled == true)
    let shown = presenter.forms.count
    service.logins.last?.answer(.success(["ann"]))
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Taken.")))
    #expect(listener.logins.isEmpty)
    #expect(presenter.forms.count == shown)
  }

  @Test func `a completed login is not cancelled when the form deactivates`() {
    let interactor = interactor()
    interactor.didSubmit()
    service.logins.last?.answer(.success(["ann"]))
    interactor.deactivate()
    #expect(service.logins.last?.isCancelled == false)
  }

  @Test func `a preset name is submitted at once and shown in the form`() {
    let interactor = interactor(presetNames: ["ann"])
    #expect(service.logins.map(\.values) == [["ann", "here"]])
    #expect(presenter.forms.map(\.state) == [.loggingIn("Logging in …")])
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Taken.")))
    #expect(presenter.form?.values == ["ann", "here"])
    #expect(presenter.form?.alert == "Taken.")
    #expect(interactor.isActive)
    #expect(service.logins.count == 1)
  }

  @Test func `an invalid preset name is shown as an alert`() {
    let interactor = interactor(presetNames: ["bot"])
    #expect(presenter.form?.alert == LoginServiceMock.problem)
    #expect(service.logins.isEmpty)
    #expect(interactor.isActive)
  }

  @Test func `without a preset for every name, the form asks for the others`() {
    let service = LoginServiceMock(
      LoginField(.name, label: "First"), LoginField(.name, label: "Second"))
    let interactor = LoggedOutInteractor(
      presenter: presenter, service: service, presetNames: ["ann"], isAttended: false)
    interactor.listener = listener
    interactor.activate()
    #expect(presenter.form?.values == ["ann", ""])
    #expect(presenter.form?.state == .editing)
    #expect(service.logins.isEmpty)
    // A script that types a wrong name is asked again.
    interactor.didChange(field: 1, to: "bot")
    interactor.didSubmit()
    #expect(presenter.form?.alert == LoginServiceMock.problem)
    interactor.didChange(field: 1, to: "bob")
    interactor.didSubmit()
    #expect(service.logins.map(\.values) == [["ann", "bob"]])
  }

  @Test func `a field for the password appears if the name needs one, and goes with the name`() {
    let interactor = interactor()
    interactor.didChange(field: 0, to: "ann")
    interactor.didSubmit()
    #expect(service.logins.last?.password == nil)
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Type.", needsPassword: true)))
    #expect(presenter.form?.fields.map(\.kind) == [.name, .password, .host])
    #expect(presenter.form?.alert == "Type.")
    interactor.didChange(field: 1, to: "open sesame")
    interactor.didSubmit()
    #expect(service.logins.last?.values == ["ann", "here"])
    #expect(service.logins.last?.password == "open sesame")
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Wrong.", needsPassword: true)))
    #expect(presenter.form?.password == "")
    interactor.didChange(field: 2, to: "there")
    #expect(presenter.form?.password == "")
    interactor.didChange(field: 0, to: "anne")
    #expect(presenter.form?.fields.map(\.kind) == [.name, .host])
    #expect(presenter.form?.values == ["anne", "there"])
  }

  @Test func `a login that needs a password fails if nobody can type it`() {
    let interactor = LoggedOutInteractor(
      presenter: presenter, service: service, presetNames: ["ann"], isAttended: false)
    interactor.listener = listener
    interactor.activate()
    service.logins.last?.answer(.failure(LoginFormError(sentence: "Type.", needsPassword: true)))
    #expect(listener.failures == ["Type."])
    #expect(presenter.form?.passwordField == nil)
  }
}
