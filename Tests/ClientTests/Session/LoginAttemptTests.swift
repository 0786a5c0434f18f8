import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Logins of a client that connects only when the form is submitted.
@Suite struct LoginAttemptTests {
  private let clock = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let attempts = ConnectAttempts()
  private let scope = Interactor()
  private let link: ServerLink
  private let gameService: RemoteGameService
  private let presenter = LoggedOutPresentableMock()
  private let listener = LoggedOutListenerMock()
  private let serviceDelegate = GameServiceDelegateMock()
  private let form: LoggedOutInteractor

  init() {
    link = ServerLink(timers: clock) { [attempts] host, port, answer in
      attempts.add("\(host) \(port)", answer)
    }
    gameService = RemoteGameService(
      link: link, match: RemoteMatch(link: link), games: GameRegistry([]),
      scoreStream: MutableScoreStream(), random: RandomSource(SeededGenerator(seed: 1)),
      tokens: TokenFile(folder: nil),
      settings: RemoteGameService.Settings(
        address: .example, connectTime: .atLogin, isAttended: true))
    form = LoggedOutInteractor(
      presenter: presenter, service: gameService.loginService, presetNames: [])
    form.listener = listener
    gameService.delegate = serviceDelegate
    scope.activate()
    link.start(scope)
    gameService.open()
    form.activate()
  }

  /// Completes the last connect attempt and returns the server at the other end.
  private func accept() -> ScriptedServer {
    let (near, far) = network.connect()
    attempts.last?.answer(.success(near))
    return ScriptedServer(far, on: network)
  }

  private func logIn(as name: String) {
    form.didChange(field: 0, to: name)
    form.didSubmit()
  }

  @Test func `the form is shown at once, and the client connects only on submit`() {
    #expect(serviceDelegate.calls == ["open"])
    #expect(presenter.form?.values == ["", "example.org", "7777"])
    #expect(presenter.form?.canSubmit == true)
    #expect(attempts.all.isEmpty)
  }

  @Test func `submitting the form connects and then logs in`() {
    logIn(as: "ann")
    #expect(presenter.form?.state == .loggingIn("Connecting to example.org port 7777 …"))
    let server = accept()
    server.greet()
    #expect(presenter.form?.state == .loggingIn("Logging in …"))
    #expect(server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
    server.send(.didLogin(name: "Ann", token: nil), re: .integer(1))
    #expect(listener.logins == [["Ann"]])
    #expect(serviceDelegate.calls == ["open"])
  }

  @Test func `submitting twice logs in once`() {
    logIn(as: "ann")
    form.didSubmit()
    let server = accept()
    server.greet()
    form.didSubmit()
    #expect(attempts.all.count == 1)
    #expect(server.takeLines().count == 1)
  }

  @Test func `an unreachable server is shown as an alert, and another one can be tried`() {
    logIn(as: "ann")
    attempts.last?.answer(.failure(.cannotConnect("Connection refused")))
    #expect(
      presenter.form?.alert == "Cannot connect to example.org port 7777: Connection refused. "
        + "Is a tictactoe-server running there, on that port?")
    form.didChange(field: 1, to: " other ")
    form.didChange(field: 2, to: "80")
    form.didSubmit()
    #expect(attempts.last?.target == "other 80")
    accept().greet()
    #expect(presenter.form?.state == .loggingIn("Logging in …"))
    #expect(serviceDelegate.calls == ["open"])
  }

  @Test func `a name that is taken keeps the connection open`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    server.answer(.error(.nameTaken, message: "Taken."))
    #expect(presenter.form?.alert == "Taken.")
    #expect(link.isOpen)
    logIn(as: "bob")
    #expect(attempts.all.count == 1)
    #expect(server.takeLines() == [#"{"type":"login","id":2,"name":"bob"}"#])
  }

  @Test func `a change of the server opens a new connection`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    server.answer(.error(.nameTaken))
    form.didChange(field: 2, to: "80")
    form.didSubmit()
    #expect(attempts.last?.target == "example.org 80")
    #expect(!link.isOpen)
  }

  @Test func `a connection that closes between two logins is opened again`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    server.answer(.error(.nameTaken, message: "Taken."))
    server.send(.bye(.loginTimeout))
    #expect(presenter.form?.alert == "Taken.")
    form.didSubmit()
    #expect(attempts.all.count == 2)
    #expect(serviceDelegate.calls == ["open"])
  }

  @Test func `a connection that breaks during a login is shown as an alert`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    server.cut()
    #expect(
      presenter.form?.alert == "The connection to example.org port 7777 is lost. Try again.")
    #expect(serviceDelegate.calls == ["open"])
  }

  @Test func `a login can be cancelled while connecting, and a late result is ignored`() {
    logIn(as: "ann")
    form.didCancel()
    #expect(attempts.last?.isCancelled == true)
    #expect(presenter.form?.state == .editing)
    let shown = presenter.forms.count
    attempts.last?.answer(.failure(.unknownHost))
    accept().greet()
    #expect(presenter.forms.count == shown)
    #expect(listener.logins.isEmpty)
    #expect(clock.next == nil)
  }

  @Test func `a login can be cancelled before hello, and no timer remains`() {
    logIn(as: "ann")
    let server = accept()
    form.didCancel()
    server.greet()
    #expect(clock.next == nil)
    #expect(presenter.form?.state == .editing)
    #expect(server.takeLines().isEmpty)
  }

  @Test func `cancelling a login that was sent closes the connection`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    form.didCancel()
    server.answer(.didLogin(name: "ann", token: nil))
    #expect(!link.isOpen)
    #expect(listener.logins.isEmpty)
    #expect(presenter.form?.alert == nil)
    form.didSubmit()
    #expect(attempts.all.count == 2)
  }

  @Test func `after a login a lost connection is retried without limit`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    server.answer(.didLogin(name: "ann", token: nil))
    server.cut()
    #expect(serviceDelegate.calls.count == 1)
    clock.advance(by: .seconds(300))
    #expect(serviceDelegate.calls.count == 1)
    #expect(attempts.all.count > 1)
  }

  @Test func `quitting at the form ends the session at once`() {
    gameService.quit()
    #expect(serviceDelegate.calls == ["open", "close: "])
    #expect(clock.next == nil)
  }

  @Test func `a login that is answered after quit does not cause a reconnect`() {
    logIn(as: "ann")
    let server = accept()
    server.greet()
    gameService.quit()
    server.send(.didLogin(name: "ann", token: nil), re: .integer(1))
    server.cut()
    #expect(serviceDelegate.calls == ["open", "close: "])
  }

  @Test(arguments: [
    (0, "bot"), (0, " Bot "), (0, "a\u{200B}b"), (0, "a\tb"), (0, "\"ann\""),
    (0, "1234567890123456789012345"), (0, "b\u{43E}t"), (0, "bot\u{FE0F}"), (0, "\u{2800}"),
    (0, "\u{3164}"), (1, ""), (1, "  "), (2, ""), (2, "0"), (2, "65536"),
    (2, "-1"), (2, "http"),
  ])
  func `an invalid value is reported before anything is sent`(_ index: Int, _ value: String) {
    form.didChange(field: index, to: value)
    #expect(presenter.form?.fields.map { $0.problem != nil } == (0...2).map { $0 == index })
    form.didSubmit()
    #expect(attempts.all.isEmpty)
  }

  @Test(arguments: [
    (0, ""), (0, "  "), (0, "ann"), (0, "日本 🙂"), (0, "👨\u{200D}👩\u{200D}👧"),
    (0, "123456789012345678901234"), (1, "::1"),
    (2, "1"), (2, " 65535 "),
  ])
  func `a valid value is sent to the server`(_ index: Int, _ value: String) {
    form.didChange(field: index, to: value)
    #expect(presenter.form?.canSubmit == true)
    form.didSubmit()
    #expect(attempts.all.count == 1)
  }
}

private final class GameServiceDelegateMock: GameServiceDelegate {
  private(set) var calls: [String] = []

  func gameServiceDidOpen() { calls.append("open") }
  func gameService(didStart game: Game, setup: GameSetup) { calls.append("start") }
  func gameService(didLoad replay: Replay) {}
  func gameServiceDidNotStart(_ failure: StartFailure) { calls.append("not started") }
  func gameServiceDidEndMatch() { calls.append("end of match") }
  func gameServiceDidLogOut(_ reason: LoginFormError) {
    calls.append("logged out: \(reason.sentence)")
  }
  func gameServiceDidClose(_ exitReport: ExitReport) {
    calls.append("close: \(exitReport.sentence ?? "")")
  }
}
