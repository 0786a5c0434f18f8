import Shared
import TestSupport
import Testing

@testable import Client

/// Who is here, to be shown and not to be said.
@Suite struct PlayerListTests {
  private final class Answers {
    var given: [PlayerList?] = []
  }

  private let answers = Answers()
  private let client = RemoteApp.inLobby()

  private func ask(_ play: any Play) {
    play.listPlayers { [answers] in answers.given.append($0) }
  }

  @Test func `a server is asked, and its answer is not said`() {
    ask(client.app.play)
    #expect(client.server.take() == [#"{"type":"list","id":2,"what":"players"}"#])
    let list = PlayerList([PlayerSummary(name: "ann", place: .lobby, game: nil)], more: 2)
    client.server.answer(.players(list))
    #expect(answers.given == [list])
    #expect(client.app.terminal.take() == "")
  }

  @Test func `a refusal is an answer, and is not said either`() {
    ask(client.app.play)
    client.server.answer(.error(.tooFast))
    #expect(answers.given == [nil])
    #expect(client.app.terminal.take() == "")
  }

  @Test func `at one keyboard it is those who sit there`() {
    let app = TestApp.local()
    app.type("ann", "bob")
    ask(app.play)
    #expect(
      answers.given == [
        PlayerList(["ann", "bob"].map { PlayerSummary(name: $0, place: .lobby, game: nil) })
      ])
  }
}
