import Shared
import TestSupport
import Testing

@testable import Client

/// The lists of players, as a game service returns them.
@Suite struct ListsTests {
  private final class Answers {
    var given: [Result<PlayerList, ListError>] = []
  }

  private let answers = Answers()
  private let client = RemoteApp.inLobby()

  private func ask(_ gameService: any GameService) {
    gameService.lobby.listPlayers { [answers] in answers.given.append($0) }
  }

  @Test func `a list is requested from the server and not printed`() {
    ask(client.app.gameService)
    #expect(client.server.take() == [#"{"type":"list","id":2,"what":"players"}"#])
    let list = PlayerList([PlayerSummary(name: "ann", place: .lobby, game: nil)], more: 2)
    client.server.answer(.players(list))
    #expect(answers.given == [.success(list)])
    #expect(client.app.terminal.take() == "")
  }

  @Test func `a refused list is returned as an error and not printed`() {
    ask(client.app.gameService)
    client.server.answer(.error(.tooFast))
    #expect(answers.given == [.failure(ListError(sentence: ErrorCode.tooFast.message))])
    #expect(client.app.terminal.take() == "")
  }

  @Test func `local play lists the two players`() {
    let app = TestApp.local()
    app.type("ann", "bob")
    ask(app.gameService)
    #expect(
      answers.given == [
        .success(
          PlayerList(["ann", "bob"].map { PlayerSummary(name: $0, place: .lobby, game: nil) }))
      ])
  }
}
