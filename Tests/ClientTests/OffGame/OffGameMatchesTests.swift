import Shared
import Testing

@testable import Client

/// Matches to watch in the list of the lobby.
@Suite struct OffGameMatchesTests {
  private func scene() -> OffGameScene {
    var scene = OffGameScene(names: ["eve"])
    scene.players = PlayerList([PlayerSummary(name: "zoe", place: .lobby, game: nil)])
    scene.matches = MatchList([
      MatchSummary(
        match: "7q2k", game: "tictactoe", players: PerMark(x: "ann", o: "bob"), isRunning: false,
        score: Score(x: 2, o: 1))
    ])
    return scene
  }

  @Test func `matches are listed below the players and can be selected`() {
    var scene = scene()
    #expect(scene.items == [.anyone, .bot, .friend, .enterCode, .player("zoe"), .watch("7q2k")])
    var frame = Frame(rows: 24, columns: 80)
    scene.draw(into: &frame, now: .zero)
    let text = frame.lines.map(\.trimmed)
    let heading = text.firstIndex { $0.hasPrefix("Matches to watch:") }
    #expect(heading.map { text[$0 + 1].hasPrefix("ann and bob") } == true)
    #expect(heading.map { text[$0 + 1].hasSuffix("2–1") } == true)
    let size = Size(rows: 24, columns: 80)
    _ = scene.press(.end, in: size)
    #expect(scene.press(.enter, in: size).action == .watch("7q2k"))
  }

  @Test func `between games a spectator can only stop watching`() {
    var scene = scene()
    scene.show(.watching(Outcome(winner: nil, reason: .full)), since: nil, offers: [])
    #expect(scene.items == [.leaveMatch])
    let size = Size(rows: 24, columns: 80)
    #expect(scene.press(.character("q"), in: size).action == .leave)
    var frame = Frame(rows: 24, columns: 80)
    scene.draw(into: &frame, now: .zero)
    #expect(frame.lines.contains { $0.contains("Stop watching") })
  }
}
