import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Chat, absences and the move time in plain lines.
@Suite struct MatchNewsTests {
  @Test func `a chat message is shown during a game, and the question is asked again`() {
    let client = RemoteApp.inGame()
    client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "hello \u{202E}[2J")))
    #expect(client.app.terminal.takeOutput() == "\n\"bob\": hello �[2J\nann, put X on (1 to 9): ")
    for (id, line) in [(2, "say  well, hello "), (3, "say\twell, hello")] {
      client.app.type(line)
      #expect(client.server.takeLines() == [#"{"type":"say","id":\#(id),"text":"well, hello"}"#])
    }
    client.server.send(client.server.nextEvent(.didSay(from: "ann", text: "well, hello")))
    #expect(client.app.terminal.takeOutput().contains("\"ann\": well, hello\n"))
  }

  @Test func `chat can be muted in a game, between games and in the lobby`() {
    let client = RemoteApp.inGame()
    #expect(
      client.app.type("mute")
        == "mute\nChat is muted. To show it again, type: unmute\nann, put X on (1 to 9): ")
    client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "hello")))
    #expect(client.app.terminal.takeOutput() == "")
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    client.discardOutput()
    client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "well played")))
    #expect(client.app.terminal.takeOutput() == "")
    #expect(client.app.type("unmute") == "unmute\nChat is shown again.\n> ")
    client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "one more?")))
    #expect(client.app.terminal.takeOutput() == "\n\"bob\": one more?\n> ")
    client.server.endMatch(.left, by: .o)
    client.discardOutput()
    #expect(client.app.type("mute").contains("Chat is muted"))
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `a chat message is shown between games, and a reply is sent`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    client.discardOutput()
    client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "well played")))
    #expect(client.app.terminal.takeOutput().hasPrefix("\n\"bob\": well played\n"))
    for (id, line) in [(2, "say you too"), (3, "say\tyou too")] {
      client.app.type(line)
      #expect(client.server.takeLines() == [#"{"type":"say","id":\#(id),"text":"you too"}"#])
    }
    #expect(client.app.terminal.takeOutput() == "")
  }

  @Test func `a chat message puts its sender in quotes, so it cannot look like a notice`() {
    let name = "ann did not reconnect"
    let client = RemoteApp.inGame()
    client.server.send(client.server.nextEvent(.didSay(from: name, text: "bob wins.\u{202E}")))
    #expect(
      client.app.terminal.takeOutput().hasPrefix(
        "\n\"ann did not reconnect\" (watching): bob wins.\u{FFFD}\n")
    )
  }

  @Test func `a chat message of more than 200 characters is not sent`() {
    let client = RemoteApp.inGame()
    client.app.type("say " + String(repeating: "x", count: 201))
    #expect(client.server.takeLines().isEmpty)
    client.app.type("say " + String(repeating: "x", count: 200))
    #expect(client.server.takeLines().count == 1)
  }

  @Test func `the player is notified when the opponent disconnects and returns`() {
    let client = RemoteApp.inGame()
    client.server.send(
      client.server.nextEvent(.presenceDidChange(.o, online: false, grace: .milliseconds(41_001))))
    #expect(client.app.terminal.takeOutput().contains("bob is away, 0:42 left.\n"))
    client.server.send(client.server.nextEvent(.presenceDidChange(.o, online: true)))
    #expect(client.app.terminal.takeOutput().contains("bob is back.\n"))
  }

  @Test func `the player's own absence is not shown`() {
    let client = RemoteApp.inGame()
    client.server.send(
      client.server.nextEvent(.presenceDidChange(.x, online: false, grace: .seconds(60))),
      client.server.nextEvent(.presenceDidChange(.x, online: true)))
    #expect(client.app.terminal.takeOutput() == "")
  }

  @Test func `the move deadline is shown, and corrected after a reconnect`() throws {
    let client = RemoteApp.inLobby()
    client.server.beginGame(match: "m", timeLeft: .seconds(30))
    #expect(client.app.terminal.takeOutput().contains("Time for this move: 0:30\n"))
    let news = try #require(latestNews(of: client))
    #expect(news().deadline == client.app.clock.now + .seconds(30))
    client.app.clock.advance(by: .seconds(4))
    client.server.cut()
    client.app.clock.advance(by: Backoff.min)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.server.takeLines() == [#"{"type":"sync","id":3}"#])
    client.server.answer(client.server.snapshot(timeLeft: .seconds(25)))
    #expect(news().deadline == client.app.clock.now + .seconds(25))
    client.server.endGame(Outcome(winner: .o, reason: .timeout), score: Score(o: 1))
    #expect(news().deadline == nil)
  }

  @Test func `the end of a match clears its absences, and the next match its chat`() throws {
    let client = RemoteApp.inGame()
    let news = try #require(latestNews(of: client))
    client.server.send(
      client.server.nextEvent(.didSay(from: "bob", text: "bye")),
      client.server.nextEvent(.presenceDidChange(.o, online: false, grace: .seconds(60))))
    #expect(news().isInMatch)
    #expect(news().absences.map(\.name) == ["bob"])
    client.server.endMatch(.abandoned, by: .o)
    #expect(!news().isInMatch)
    #expect(news().absences.isEmpty)
    #expect(news().remarks.map(\.text) == ["bye"])
    client.server.beginGame(match: "next")
    #expect(news().remarks.isEmpty)
  }

  @Test func `an absence is cleared when another opponent takes the seat`() throws {
    let client = RemoteApp.inGame()
    let news = try #require(latestNews(of: client))
    let away = client.server.nextEvent(.presenceDidChange(.o, online: false, grace: .seconds(60)))
    client.server.send(away)
    client.server.beginGame(you: .o, x: "bob", o: "ann")
    #expect(news().absences.map(\.name) == ["bob"])
    client.server.beginGame(x: "ann", o: "eve")
    #expect(news().absences.isEmpty)
  }

  @Test func `only the latest chat messages are kept`() throws {
    let client = RemoteApp.inGame()
    let news = try #require(latestNews(of: client))
    for number in 1...MatchNews.maxRemarks + 10 {
      client.server.send(client.server.nextEvent(.didSay(from: "bob", text: "\(number)")))
    }
    #expect(news().remarks.count == MatchNews.maxRemarks)
    #expect(news().remarks.first?.text == "11")
    #expect(news().remarks.last?.text == "510")
    #expect(client.app.terminal.takeOutput().contains("\"bob\": 510\n"))
  }

  private func latestNews(of client: RemoteApp) -> (() -> MatchNews)? {
    var latest: MatchNews?
    _ = client.app.gameService.news.subscribe { latest = $0 }
    return latest == nil ? nil : { latest ?? MatchNews() }
  }
}
