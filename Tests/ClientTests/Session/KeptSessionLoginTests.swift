import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// A client that begins with the token of an earlier run: its match waits at the server, so it tries
/// again until the server accepts or refuses it.
@Suite struct KeptSessionLoginTests {
  private let clock = ManualTimers()
  private let network = MemoryNetwork(seed: 1)
  private let attempts = ConnectAttempts()
  private let presenter = LoggedOutPresentableMock()
  private let listener = LoggedOutListenerMock()
  private let link: ServerLink
  private let gameService: RemoteGameService
  private let form: LoggedOutInteractor
  private let tokens = BrowserTokens(BrowserSession(token: "secret", name: "ann")) { _ in }
  private let scope = Interactor()

  init() {
    link = ServerLink(timers: clock) { [attempts] host, port, answer in
      attempts.add("\(host) \(port)", answer)
    }
    gameService = RemoteGameService(
      link: link, match: RemoteMatch(link: link), games: GameRegistry([]),
      scoreStream: MutableScoreStream(), random: RandomSource(SeededGenerator(seed: 1)),
      tokens: tokens,
      settings: RemoteGameService.Settings(
        address: .example, isAddressFixed: true, connectTime: .atLogin, isAttended: true))
    form = LoggedOutInteractor(
      presenter: presenter, service: gameService.loginService, presetNames: ["ann"])
    form.listener = listener
    scope.activate()
    link.start(scope)
    gameService.open()
    form.activate()
  }

  private func accept() -> ScriptedServer {
    let (near, far) = network.connect()
    attempts.last?.answer(.success(near))
    return ScriptedServer(far, on: network)
  }

  private func refuse() {
    attempts.last?.answer(.failure(.cannotConnect("Connection refused")))
  }

  private static let reason = "Cannot connect to the server: Connection refused."

  @Test func `it tries again for hours, says so, and resumes the session`() {
    #expect(presenter.form?.state == .loggingIn("Connecting …"))
    var count = 0
    while clock.now < .seconds(7_200) {
      refuse()
      count += 1
      #expect(presenter.form?.state == .loggingIn("Trying again …"))
      #expect(presenter.form?.alert == Self.reason)
      clock.advance(by: Backoff.max)
    }
    #expect(attempts.all.count == count + 1)
    let server = accept()
    server.greet()
    #expect(server.takeLines() == [#"{"type":"resume","id":1,"token":"secret"}"#])
    server.answerLast(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(listener.logins == [["ann"]])
    // Nothing goes on beside the session.
    server.cut()
    clock.advance(by: .seconds(60))
    #expect(attempts.all.count == count + 2)
  }

  @Test func `a refusal ends it, and the form says no more that it tries`() {
    refuse()
    clock.advance(by: Backoff.max)
    let server = accept()
    server.greet()
    server.answer(.error(.unknownToken))
    server.answer(.error(.nameTaken, message: "Taken."))
    #expect(presenter.form?.state == .editing)
    #expect(presenter.form?.alert == "Taken.")
    let count = attempts.all.count
    clock.advance(by: .seconds(60))
    #expect(attempts.all.count == count)
  }

  @Test func `a person can stop it, and log in`() {
    refuse()
    form.didCancel()
    #expect(presenter.form?.state == .editing)
    #expect(clock.next == nil)
    form.didSubmit()
    #expect(attempts.all.count == 2)
    let server = accept()
    server.greet()
    server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
    #expect(listener.logins == [["ann"]])
  }

  @Test func `it stops with the form`() {
    refuse()
    form.deactivate()
    #expect(clock.next == nil)
  }

  @Test func `a name without a kept session is tried once`() {
    form.didCancel()
    form.didChange(field: 0, to: "bob")
    form.didSubmit()
    refuse()
    #expect(presenter.form?.state == .editing)
    #expect(presenter.form?.alert?.hasPrefix(Self.reason) == true)
    #expect(clock.next == nil)
  }

  @Test func `a server that is too busy is asked again`() {
    let server = accept()
    server.greet()
    server.answer(.error(.tooFast, message: "Too many sessions come back."))
    #expect(presenter.form?.state == .loggingIn("Trying again …"))
    #expect(presenter.form?.alert == "Too many sessions come back.")
    clock.advance(by: Backoff.max)
    #expect(server.takeLines() == [#"{"type":"resume","id":2,"token":"secret"}"#])
    server.answerLast(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(listener.logins == [["ann"]])
  }

  @Test func `a name is tried again that an attempt which broke off may hold`() {
    let first = accept()
    first.greet()
    first.cut()
    clock.advance(by: Backoff.max)
    let second = accept()
    second.greet()
    second.answer(.error(.unknownToken))
    second.answer(.error(.nameTaken, message: "Taken."))
    #expect(presenter.form?.state == .loggingIn("Trying again …"))
    clock.advance(by: Backoff.max)
    #expect(second.takeLines().last?.contains(#""token":"secret""#) == true)
  }

  @Test func `a proxy whose server starts again ends nothing, but another program does`() {
    for _ in 0..<2 {
      accept().send(line: "HTTP/1.1 503 Service Unavailable")
      #expect(presenter.form?.state == .loggingIn("Trying again …"))
      clock.advance(by: Backoff.max)
    }
    clock.advance(by: Reconnector.strangerTime)
    accept().send(line: "HTTP/1.1 503 Service Unavailable")
    #expect(presenter.form?.state == .editing)
    #expect(presenter.form?.alert?.contains("is not a tictactoe-server") == true)
  }

  @Test func `a ban ends it`() {
    accept().send(.bye(.banned, message: "You are banned."))
    #expect(presenter.form?.state == .editing)
    #expect(presenter.form?.alert?.hasSuffix("You are banned.") == true)
    #expect(clock.next == nil)
  }
}
