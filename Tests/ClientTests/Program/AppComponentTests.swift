import Shared
import Testing

@testable import Client

@Suite struct AppComponentTests {
  private func component(_ options: ClientOptions) throws -> AppComponent {
    AppComponent(
      ClientContext(options: options, environment: [:]), loop: try EventLoop(),
      viewFactory: PlainViewFactory(console: TestTerminal().console),
      connectTime: .atLaunch, isAttended: true)
  }

  @Test func `local play needs no link`() throws {
    let component = try component(ClientOptions(isLocal: true))
    #expect(component.gameService is LocalGameService)
    #expect(component.workers.isEmpty)
    #expect(
      component.gameService.lobby.offers
        == GameInfo.all.map { Offer(game: $0, isPlayable: true) })
  }

  @Test func `remote play uses one link`() throws {
    let component = try component(ClientOptions())
    #expect(component.gameService is RemoteGameService)
    #expect(component.workers.map { $0 is ServerLink } == [true])
    #expect(component.presetNames.isEmpty)
  }

  @Test func `a name on the command line is a preset name`() throws {
    #expect(try component(ClientOptions(name: "ann")).presetNames == ["ann"])
  }

  @Test func `a script without a name lets the server choose one`() {
    var options = ClientOptions(launchAction: .watch("m"))
    #expect(options.presetNames(isAttended: false) == [""])
    #expect(options.presetNames(isAttended: true).isEmpty)
    options.isLocal = true
    #expect(options.presetNames(isAttended: false).isEmpty)
    #expect(ClientOptions().presetNames(isAttended: false).isEmpty)
  }

  @Test func `an opponent on the command line is the launch action`() throws {
    #expect(try component(ClientOptions()).launchAction == nil)
    #expect(
      try component(ClientOptions(launchAction: .start(against: .bot))).launchAction
        == .start(against: .bot))
  }

  @Test func `an address is described in words`() {
    #expect("\(ClientOptions(host: "example.org", port: 80).address)" == "example.org port 80")
  }
}
