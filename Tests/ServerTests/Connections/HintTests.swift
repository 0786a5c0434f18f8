import Shared
import TestSupport
import Testing

@testable import Server

/// Help for people who type, and for programs with a slip in a field.
@Suite struct HintTests {
  private let server = TestServer(
    games: GameInfo.all.map { Game($0, makeBuilder: TicTacToeBuilder.init) })

  @Test func `the reply carries the hint, whatever it is`() throws {
    let ann = server.client()
    let login = try ann.ask(#"{"type":"login","nmae":"ann","id":5}"#)
    #expect(login.count == 1)
    #expect(login[0]["type"] == "didLogin")
    #expect(login[0]["re"] == 5)
    #expect(login[0]["hint"] == "The field “nmae” was ignored. Did you mean name?")
    let error = try #require(try ann.ask(#"{"type":"join","cdoe":"x"}"#).first)
    #expect(error["code"] == "missingField")
    #expect(error["field"] == "code")
    #expect(error["hint"] == "The field “cdoe” was ignored. Did you mean code?")
    // A list, the first of several lines, and nothing afterwards.
    #expect(try ann.ask(#"{"type":"list","waht":"games"}"#).first?["hint"] != nil)
    let help = try ann.ask(#"{"type":"help","comand":"place"}"#)
    #expect(help.count == CommandType.allCases.count)
    #expect(help[0]["hint"] != nil)
    #expect(help[1]["hint"] == nil)
    #expect(try ann.ask(#"{"type":"ping"}"#) == [["type": "pong"]])
    #expect(try ann.ask(#"{"type":"ping","x":1}"#) == [["type": "pong"]])
  }

  @Test func `the type stays first, and a line without an id gets no re`() throws {
    let ann = server.client()
    let line = try #require(ann.say(#"{"type":"login","naem":"x"}"#).last)
    #expect(line.hasPrefix(#"{"type":"didLogin","hint":"The field “naem”"#))
    #expect(!line.contains(#""re""#))
  }

  @Test func `only the player who sent the line gets the hint`() throws {
    let (x, o) = server.match()
    let spectator = server.client(as: "eve")
    let match = try #require(try spectator.ask("list matches").first?["items"]?.elements.first)
    _ = try spectator.ask("watch \(match["match"]?.text ?? "")")
    _ = try (x.hear(), o.hear(), spectator.hear())
    let own = try #require(
      try x.ask(#"{"type":"place","row":0,"col":0,"sqe":1,"id":"a"}"#).first)
    #expect(own["type"] == "boardDidChange")
    #expect(own["re"] == "a")
    #expect(own["hint"] == "The field “sqe” was ignored. Did you mean seq?")
    for other in [o, spectator] {
      let line = try #require(try other.hear().first)
      #expect(line["type"] == "boardDidChange")
      #expect(line["hint"] == nil)
      #expect(line["re"] == nil)
    }
    // A move with a plain field that is not known.
    #expect(try o.ask(#"{"type":"place","row":1,"col":0,"note":1}"#).first?["hint"] == nil)
  }

  @Test func `board shows the board to players and spectators, also after the game`() throws {
    let ann = server.client()
    #expect(try ann.ask("board").first?["code"] == "notLoggedIn")
    _ = try ann.ask("login zed")
    #expect(try ann.ask("board").first?["code"] == "notInMatch")
    let (x, o) = server.match()
    _ = try (x.ask("place a1"), o.hear())
    _ = try (o.ask("PLACE B2"), x.hear())
    let match = try #require(try x.ask("sync").first?["match"])
    let board: JSON = ["type": "board", "match": match, "rows": ["X..", ".O.", "..."]]
    #expect(try x.ask("board") == [board])
    #expect(try o.ask("Board") == [board])
    _ = try ann.ask("watch \(match.text ?? "")")
    #expect(try ann.ask("board") == [board])
    _ = try x.hear()
    #expect(try x.ask(#"{"type":"board"}"#).first?["code"] == "unknownType")
    _ = try x.ask("resign")
    #expect(try x.ask("board") == [board])
    _ = try o.hear()
    _ = try x.ask("leave")
    #expect(try x.ask("board").first?["code"] == "notInMatch")
  }

  @Test func `a cell by letter and number is on the board of the game`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    _ = try ann.ask(#"start "" connect"#)
    _ = try bob.ask(#"start "" connect"#)
    _ = try ann.hear()
    #expect(try ann.ask("place g6").first?["cells"]?.elements.first?["col"] == 6)
    _ = try bob.hear()
    let error = try #require(try bob.ask("place h1").first)
    #expect(error["code"] == "outOfBoard")
    #expect(error["message"]?.text?.contains("a1 to g6") == true)
    for cell in ["a7", "a0", "z99", "a100"] {
      #expect(try bob.ask("place \(cell)").first?["code"] == "outOfBoard")
    }
    #expect(try bob.ask("place g1").first?["code"] == "notOpen")
    #expect(try bob.ask("place g6 999").first?["code"] == "stale")
  }

  @Test func `games are compared without regard to case`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.ask("open GOMOKU").first?["game"] == "gomoku")
    _ = try ann.ask("cancel")
    #expect(try ann.ask(#"{"type":"start","game":"Gomoku"}"#).first?["game"] == "gomoku")
    #expect(try bob.ask(#"start ann GoMoKu"#).first?["type"] == "gameDidStart")
    _ = try (ann.ask("resign"), ann.ask("leave"), bob.hear())
    #expect(try ann.ask(#"start "" GOMOKU"#).first?["type"] == "didQueue")
    #expect(try bob.ask(#"start "" FOUR"#).first?["game"] == "four")
  }

  private static let allGames = GameInfo.all.map(\.id).joined(separator: ", ") + "."

  @Test(arguments: [
    ("start bot easy", "“easy”", "start bot tictactoe easy"),
    ("start bot Hard", "“Hard”", "start bot tictactoe hard"),
    ("open gomuko", "“gomuko”", "Did you mean gomoku?"),
    (#"{"type":"start","game":"chess"}"#, "“chess”", allGames),
  ])
  func `a game that there is not is repeated, with those that there are`(
    line: String, word: String, advice: String
  ) throws {
    let error = try #require(try server.client(as: "ann").ask(line).first)
    #expect(error["code"] == "unknownGame")
    #expect(error["field"] == "game")
    let message = try #require(error["message"]?.text)
    for part in [word, advice, "tictactoe, four, gomoku"] { #expect(message.contains(part)) }
  }
}
