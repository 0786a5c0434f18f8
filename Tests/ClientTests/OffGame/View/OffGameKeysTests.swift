import Shared
import Testing

@testable import Client

/// Keys and clicks in the lobby on the full screen.
@Suite struct OffGameKeysTests {
  @Test func `arrows, Tab, j, k and the wheel move the selection up to the ends`() {
    var scene = OffGameSceneTests.scene()
    scene.players = Self.players("bob", "carol")
    var passed: [OffGameItem?] = [scene.selection]
    for key in [Key.down, .tab, .character("j"), .scrollDown, .down, .down, .down] {
      _ = scene.press(key, in: .usual)
      passed.append(scene.selection)
    }
    #expect(
      passed == [
        nil, .anyone, .bot, .friend, .enterCode, .player("bob"), .player("carol"),
        .player("carol"),
      ])
    for key in [Key.up, .backTab] { _ = scene.press(key, in: .usual) }
    #expect(scene.selection == .enterCode)
    for key in [Key.character("k"), .scrollUp] { _ = scene.press(key, in: .usual) }
    #expect(scene.selection == .bot)
    _ = scene.press(.end, in: .usual)
    #expect(scene.selection == .player("carol"))
    _ = scene.press(.home, in: .usual)
    #expect(scene.selection == .anyone)
  }

  @Test func `the selection stays on its player while the list changes around it`() {
    var scene = OffGameSceneTests.scene()
    scene.players = Self.players("bob", "carol", "dave")
    for _ in 1...6 { _ = scene.press(.down, in: .usual) }
    #expect(scene.selection == .player("carol"))
    scene.invitations = [Invitation(from: "eve", game: "tictactoe")]
    scene.players = Self.players("aaron", "bob", "carol")
    #expect(scene.selection == .player("carol"))
    #expect(scene.press(.enter, in: .usual).action == .start(.player("carol")))
  }

  @Test func `a new invitation does not change what Enter does`() {
    var scene = OffGameSceneTests.scene()
    _ = scene.press(.down, in: .usual)
    scene.invitations = [Invitation(from: "eve", game: "tictactoe")]
    #expect(scene.press(.enter, in: .usual).action == .start(.anyone))
  }

  @Test func `pressing Enter again does not cancel a wait that has begun`() {
    var scene = OffGameSceneTests.scene()
    _ = scene.press(.down, in: .usual)
    #expect(scene.press(.enter, in: .usual).action == .start(.anyone))
    scene.show(.waiting(opponent: nil), since: .zero, offers: scene.offers)
    #expect(scene.press(.enter, in: .usual).action == nil)
    let draw = Outcome(winner: nil, reason: .full)
    scene.show(.betweenGames(draw, hasAsked: true), since: .zero, offers: scene.offers)
    #expect(scene.press(.character(" "), in: .usual).action == nil)
    _ = scene.press(.down, in: .usual)
    #expect(scene.press(.enter, in: .usual).action == .cancel)
  }

  @Test func `in a new list the first Enter only selects`() {
    var scene = OffGameSceneTests.scene()
    #expect(scene.selection == nil)
    #expect(scene.press(.enter, in: .usual).action == nil)
    #expect(scene.selection == .anyone)
    #expect(scene.press(.enter, in: .usual).action == .start(.anyone))
  }

  @Test func `Enter only selects when the selected player has left`() {
    var scene = OffGameSceneTests.scene()
    scene.players = Self.players("bob", "carol", "dave")
    for _ in 1...6 { _ = scene.press(.down, in: .usual) }
    scene.players = Self.players("bob", "dave")
    #expect(scene.selection == nil)
    // A player who returns before another selection is selected again.
    scene.players = Self.players("bob", "carol", "dave")
    #expect(scene.selection == .player("carol"))
    scene.players = Self.players("bob", "dave")
    #expect(scene.press(.enter, in: .usual).action == nil)
    #expect(scene.selection == .player("dave"))
    #expect(scene.press(.enter, in: .usual).action == .start(.player("dave")))
  }

  @Test func `the a key accepts an invitation, wherever the selection is`() {
    var scene = OffGameSceneTests.scene()
    #expect(!scene.press(.character("a"), in: .usual).isUsed)
    scene.invitations = ["eve", "bob"].map { Invitation(from: $0, game: "tictactoe") }
    #expect(scene.press(.character("a"), in: .usual).action == .start(.player("eve")))
    #expect(scene.press(.character("a"), in: .usual).action == nil)
    scene.show(.waiting(opponent: nil), since: .zero, offers: scene.offers)
    #expect(scene.press(.character("a"), in: .usual).action == .cancelAndStart(.player("eve")))
    let draw = Outcome(winner: nil, reason: .full)
    scene.show(.betweenGames(draw, hasAsked: false), since: nil, offers: scene.offers)
    #expect(scene.press(.character("a"), in: .usual).action == .start(.anyone))
  }

  @Test func `d declines the selected invitation, else the first, and a accepts the selected one`()
  {
    var scene = OffGameSceneTests.scene()
    #expect(!scene.press(.character("d"), in: .usual).isUsed)
    scene.invitations = ["eve", "bob"].map { Invitation(from: $0, game: "tictactoe") }
    #expect(scene.press(.character("d"), in: .usual).action == .decline("eve"))
    for _ in 1...2 { _ = scene.press(.down, in: .usual) }
    #expect(scene.selection == .accept(from: "bob", game: "tictactoe"))
    #expect(scene.press(.character("d"), in: .usual).action == .decline("bob"))
    #expect(scene.press(.character("a"), in: .usual).action == .start(.player("bob")))
    let draw = Outcome(winner: nil, reason: .full)
    scene.show(.betweenGames(draw, hasAsked: false), since: nil, offers: scene.offers)
    #expect(scene.press(.character("d"), in: .usual).action == .decline("eve"))
  }

  @Test func `f waits for a friend, and c asks for a friend's code`() {
    var scene = OffGameSceneTests.scene()
    #expect(scene.press(.character("f"), in: .usual).action == .open)
    #expect(scene.press(.character("c"), in: .usual).action == nil)
    #expect(scene.press(.enter, in: .usual).action == nil)
    for character in "k7 w2mxyz" { _ = scene.press(.character(character), in: .usual) }
    #expect(scene.code?.text == "k7w2mx")
    #expect(scene.press(.enter, in: .usual).action == .join("k7w2mx"))
    #expect(scene.code == nil)
    _ = scene.press(.character("c"), in: .usual)
    #expect(scene.press(.character("q"), in: .usual).action == nil)
    _ = scene.press(.escape, in: .usual)
    #expect(scene.code == nil)
    #expect(scene.press(.character("q"), in: .usual).action == .quit)
  }

  @Test func `each item has the action that its text names`() {
    var scene = OffGameSceneTests.scene()
    scene.players = Self.players("bob")
    scene.invitations = [Invitation(from: "eve", game: "tictactoe")]
    #expect(
      Self.actions(of: scene) == [
        .start(.player("eve")), .start(.anyone), .start(.bot), .open, nil,
        .start(.player("bob")),
      ])
    scene.show(.waiting(opponent: nil), since: .zero, offers: scene.offers)
    #expect(Self.actions(of: scene) == [.cancel, .cancelAndStart(.player("eve"))])
    let draw = Outcome(winner: nil, reason: .full)
    scene.show(.betweenGames(draw, hasAsked: false), since: nil, offers: scene.offers)
    #expect(Self.actions(of: scene) == [.start(.anyone), .leave])
    scene.show(.betweenGames(draw, hasAsked: true), since: .zero, offers: scene.offers)
    #expect(Self.actions(of: scene) == [.cancel, .leave])
  }

  @Test func `a click activates the item under it, even in a scrolled list`() throws {
    var scene = OffGameSceneTests.scene()
    scene.players = Self.players("bob", "carol")
    let bot = try #require(scene.frame().position(of: "Play the bot"))
    #expect(scene.press(.press(bot), in: .usual).action == .start(.bot))
    #expect(scene.selection == .bot)
    #expect(scene.press(.press(bot), in: .usual).action == nil)
    scene.show(.lobby, since: nil, offers: scene.offers)
    let heading = try #require(scene.frame().position(of: "Here now"))
    let beside = Position(row: bot.row, column: 70)
    for position in [heading, beside, Position(row: 0, column: 0), Position(row: 23, column: 5)] {
      let pressed = scene.press(.press(position), in: .usual)
      #expect(pressed.action == nil)
      #expect(pressed.isUsed)
    }
    let small = GameLayout.minimumSize
    scene.players = Self.players(names: (1...30).map { "player\($0)" })
    _ = scene.press(.end, in: small)
    let last = try #require(scene.frame(small).position(of: "player28"))
    #expect(scene.press(.press(last), in: small).action == .start(.player("player28")))
  }

  @Test func `Esc cancels only a wait, and q leaves the match or the program`() {
    var scene = OffGameSceneTests.scene()
    #expect(scene.press(.escape, in: .usual).action == nil)
    #expect(scene.press(.character("q"), in: .usual).action == .quit)
    scene.show(.waiting(opponent: nil), since: .zero, offers: [])
    #expect(scene.press(.escape, in: .usual).action == .cancel)
    #expect(scene.press(.character("q"), in: .usual).action == .quit)
    let draw = Outcome(winner: nil, reason: .full)
    scene.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    #expect(scene.press(.escape, in: .usual).action == nil)
    #expect(scene.press(.character("q"), in: .usual).action == .leave)
  }

  @Test func `the g key lists the games, of which the playable ones can be chosen`() {
    var scene = OffGameSceneTests.scene(
      offers: [GameLobbyMock.ticTacToe, GameLobbyMock.unplayable, GameLobbyMock.large])
    _ = scene.press(.character("g"), in: .usual)
    #expect(scene.items == [.game("tictactoe"), .game("large")])
    _ = scene.press(.down, in: .usual)
    #expect(scene.press(.enter, in: .usual).action == .choose(gameID: "large"))
    #expect(scene.chosenGame == .large)
    for key in [Key.escape, .character("g"), .character("q")] {
      _ = scene.press(.character("g"), in: .usual)
      #expect(scene.press(key, in: .usual).action == nil)
      #expect(!scene.isChoosingGame)
    }
    scene.show(.waiting(opponent: nil), since: .zero, offers: scene.offers)
    #expect(!scene.press(.character("g"), in: .usual).isUsed)
    var single = OffGameSceneTests.scene()
    #expect(!single.press(.character("g"), in: .usual).isUsed)
    #expect(!single.press(.character("?"), in: .usual).isUsed)
    #expect(!single.press(.left, in: .usual).isUsed)
  }

  @Test func `a new status clears the selection, and the keys start at its first item`() {
    var scene = OffGameSceneTests.scene()
    _ = scene.press(.end, in: .usual)
    scene.show(.waiting(opponent: nil), since: .zero, offers: scene.offers)
    scene.invitations = [Invitation(from: "eve", game: "tictactoe")]
    _ = scene.press(.up, in: .usual)
    #expect(scene.selection == .cancel)
    scene.show(.lobby, since: nil, offers: scene.offers)
    #expect(scene.selection == nil)
    _ = scene.press(.enter, in: .usual)
    #expect(scene.selection == .accept(from: "eve", game: "tictactoe"))
  }

  private static func players(_ names: String...) -> PlayerList { players(names: names) }

  private static func players(names: [String]) -> PlayerList {
    PlayerList(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) })
  }

  /// The action of Enter on each item, in order.
  private static func actions(of scene: OffGameScene) -> [OffGameAction?] {
    scene.items.indices.map { index in
      var scene = scene
      _ = scene.press(.home, in: .usual)
      for _ in 0..<index { _ = scene.press(.down, in: .usual) }
      return scene.press(.enter, in: .usual).action
    }
  }

  @Test func `p registers the name or changes its password, and u gives a registered name up`() {
    var scene = OffGameScene(names: ["ann"])
    #expect(scene.press(.character("p"), in: .usual) == (nil, false))
    scene.nameStatus = NameStatus(name: "ann", isRegistered: false)
    #expect(scene.press(.character("p"), in: .usual) == (.account(.setPassword), true))
    #expect(scene.press(.character("u"), in: .usual) == (nil, false))
    #expect(scene.keys.contains(KeyHelp("p", "register your name")))
    scene.nameStatus = NameStatus(name: "ann", isRegistered: true)
    #expect(scene.press(.character("u"), in: .usual) == (.account(.unregister), true))
    #expect(scene.keys.contains(KeyHelp("p", "change your password")))
    scene.status = .waiting(opponent: nil)
    #expect(scene.press(.character("p"), in: .usual) == (nil, false))
  }

  @Test func `h shows the history and r the ranking, but not between the games of a match`() {
    var scene = OffGameScene(names: ["ann"])
    #expect(scene.press(.character("h"), in: .usual) == (.history(.mine), true))
    #expect(scene.press(.character("r"), in: .usual) == (.leaderboard(gameID: nil), true))
    scene.status = .waiting(opponent: nil)
    #expect(scene.press(.character("h"), in: .usual) == (.history(.mine), true))
    scene.status = .betweenGames(Outcome(winner: nil, reason: .full), hasAsked: false)
    #expect(scene.press(.character("h"), in: .usual) == (nil, false))
    var local = OffGameScene(names: ["ann", "bob"])
    #expect(local.press(.character("h"), in: .usual) == (nil, false))
  }

  @Test func `a rated player has the rating beside the name`() {
    var scene = OffGameScene(names: ["ann"])
    scene.players = PlayerList([
      PlayerSummary(name: "bob", place: .lobby, game: nil, rating: 1612),
      PlayerSummary(name: "eve", place: .lobby, game: nil),
    ])
    #expect(scene.rows.map { $0.text + $0.tail }.suffix(2) == ["bob 1612", "eve"])
  }
}
