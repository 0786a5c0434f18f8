import Shared
import Testing

@testable import Client

/// Finding people and matches in a long list.
@Suite struct OffGameFilterTests {
  /// A hundred players, most of them at play.
  private static func crowded() -> OffGameScene {
    var scene = OffGameSceneTests.scene()
    let places = [SessionPlace.playing, .waiting, .lobby, .watching]
    scene.players = PlayerList(
      (0..<100).map {
        PlayerSummary(name: "player\($0)", place: places[$0 % 4], game: "tictactoe")
      })
    scene.matches = MatchList([
      MatchSummary(
        match: "m1", game: "tictactoe", players: PerMark(x: "player0", o: "player4"),
        isRunning: true),
      MatchSummary(
        match: "m2", game: "tictactoe", players: PerMark(x: "Zoë", o: "bot"), isRunning: false),
    ])
    return scene
  }

  @Test func `free players come first, then those who wait, then the others`() {
    let names = Self.crowded().others.map(\.name)
    #expect(names.count == 100)
    #expect(names[..<3] == ["player2", "player6", "player10"])
    #expect(names[25..<27] == ["player1", "player5"])
    #expect(names[50..<54] == ["player0", "player3", "player4", "player7"])
  }

  @Test func `a slash filters players and matches while one types, and Esc shows all`() throws {
    var scene = Self.crowded()
    let all = scene.items
    type("/ER9", in: &scene)
    #expect(
      scene.items
        == [
          "player9", "player90", "player91", "player92", "player93", "player94",
          "player95", "player96", "player97", "player98", "player99",
        ].sorted {
          rank($0) < rank($1)
        }.map(OffGameItem.player))
    try expectGolden(scene.frame(), "lobby-find")
    #expect(scene.frame().cursor == Position(row: 1, column: 11))
    for _ in 1...3 { _ = scene.press(.backspace, in: .usual) }
    type("zoe", in: &scene)
    #expect(scene.items == [.watch("m2")])
    #expect(scene.press(.enter, in: .usual).action == nil)
    #expect(scene.press(.enter, in: .usual).action == .watch("m2"))
    type("q?", in: &scene)
    #expect(scene.frame().position(of: "Nobody here is called that.") != nil)
    #expect(scene.press(.escape, in: .usual).action == nil)
    #expect(scene.items == all)
    type("/", in: &scene)
    _ = scene.press(.backspace, in: .usual)
    #expect(scene.filter == nil)
  }

  /// The order of the places in the list.
  private func rank(_ name: String) -> Int {
    let number = Int(name.dropFirst("player".count)) ?? 0
    return [2, 1, 0, 2][number % 4] * 1_000 + number
  }

  @Test func `an empty or a local lobby has nothing to find`() {
    var scene = OffGameSceneTests.scene()
    #expect(!scene.press(.character("/"), in: .usual).isUsed)
    scene.show(.waiting(opponent: nil), since: .zero, offers: [])
    scene.players = PlayerList([PlayerSummary(name: "bob", place: .lobby, game: nil)])
    #expect(!scene.press(.character("/"), in: .usual).isUsed)
  }

  @Test func `a wait that begins ends the filter`() {
    var scene = Self.crowded()
    type("/player2", in: &scene)
    scene.show(.waiting(opponent: nil), since: .zero, offers: [])
    #expect(scene.filter == nil)
  }

  @Test func `page keys move by a page`() {
    var scene = Self.crowded()
    _ = scene.press(.home, in: .usual)
    let rows = scene.listRows(in: .usual)
    _ = scene.press(.pageDown, in: .usual)
    #expect(scene.selection == scene.items[rows - 1])
    _ = scene.press(.pageDown, in: .usual)
    _ = scene.press(.pageUp, in: .usual)
    #expect(scene.selection == scene.items[rows - 1])
    for _ in 1...50 { _ = scene.press(.pageDown, in: .usual) }
    #expect(scene.selection == .watch("m2"))
    for _ in 1...50 { _ = scene.press(.pageUp, in: .usual) }
    #expect(scene.selection == .anyone)
  }

  @Test func `Enter on a player at play offers to watch the match`() throws {
    var scene = Self.crowded()
    scene.select(.player("player4"))
    #expect(scene.press(.enter, in: .usual).action == nil)
    try expectGolden(scene.frame(GameLayout.minimumSize), "lobby-offer-small")
    #expect(scene.press(.character("n"), in: .usual).action == nil)
    #expect(scene.offer == nil)
    _ = scene.press(.enter, in: .usual)
    #expect(scene.press(.character("y"), in: .usual).action == .watch("m1"))
    // The server knows better about a player whose match is not listed.
    scene.select(.player("player8"))
    #expect(scene.press(.enter, in: .usual).action == .start(.player("player8")))
  }

  @Test func `an offer to watch ends with the match`() {
    var scene = Self.crowded()
    scene.select(.player("player0"))
    _ = scene.press(.enter, in: .usual)
    #expect(scene.offer != nil)
    scene.matches = MatchList([])
    #expect(scene.offer == nil)
  }

  private func type(_ text: String, in scene: inout OffGameScene) {
    for character in text { _ = scene.press(.character(character), in: .usual) }
  }
}
