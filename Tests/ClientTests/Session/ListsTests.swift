import Shared
import TestSupport
import Testing

@testable import Client

/// Lists of players as a game service returns them.
@Suite struct ListsTests {
  private final class Results {
    var all: [Result<PlayerList, RequestError>] = []
  }

  private let results = Results()
  private let client = RemoteApp.inLobby()

  private func listPlayers(_ gameService: any GameService) {
    gameService.lobby.listPlayers { [results] in results.all.append($0) }
  }

  @Test func `a list is requested from the server and not printed`() {
    listPlayers(client.app.gameService)
    #expect(client.server.takeLines() == [#"{"type":"list","id":2,"what":"players"}"#])
    let list = PlayerList([PlayerSummary(name: "ann", place: .lobby, game: nil)], more: 2)
    client.server.answer(.players(list))
    #expect(results.all == [.success(list)])
    #expect(client.app.terminal.takeOutput() == "")
  }

  @Test func `a refused list is returned as an error and not printed`() {
    listPlayers(client.app.gameService)
    client.server.answer(.error(.tooFast))
    #expect(results.all == [.failure(RequestError(sentence: ErrorCode.tooFast.message))])
    #expect(client.app.terminal.takeOutput() == "")
  }

  @Test func `local play lists the two players`() {
    let app = TestApp.local()
    app.type("ann", "bob")
    listPlayers(app.gameService)
    #expect(
      results.all == [
        .success(
          PlayerList(["ann", "bob"].map { PlayerSummary(name: $0, place: .lobby, game: nil) }))
      ])
  }
}
