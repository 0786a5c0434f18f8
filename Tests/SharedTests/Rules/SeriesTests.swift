import Shared
import Testing

@Suite struct SeriesTests {
  @Test func `players swap marks for the next game and keep their score`() {
    var series = Series(PerMark(x: .person("Ann"), o: .bot))
    series.gameDidEnd(with: Outcome(winner: .x, reason: .line))
    #expect(series.players == PerMark(x: .person("Ann"), o: .bot))
    #expect(series.score == Score(x: 1))

    series.swapMarks()
    #expect(series.players == PerMark(x: .bot, o: .person("Ann")))
    #expect(series.score == Score(o: 1))

    series.gameDidEnd(with: Outcome(winner: .o, reason: .resigned))
    #expect(series.score == Score(o: 2))

    series.swapMarks()
    series.gameDidEnd(with: Outcome(winner: nil, reason: .full))
    #expect(series.players[.x] == .person("Ann"))
    #expect(series.score == Score(x: 2, draws: 1))
  }

  @Test func `a long series counts every game for its player`() {
    var series = Series(PerMark(x: .person("Ann"), o: .person("Bob")))
    for game in 0..<10 {
      if game > 0 { series.swapMarks() }
      let annsMark: Mark = series.players.x == .person("Ann") ? .x : .o
      #expect(annsMark == (game % 2 == 0 ? .x : .o))
      series.gameDidEnd(with: Outcome(winner: annsMark, reason: .line))
      #expect(series.score == (annsMark == .x ? Score(x: game + 1) : Score(o: game + 1)))
    }
  }
}

@Suite struct ScoreTests {
  @Test func `each finished game counts once, for the winner or as a draw`() {
    var score = Score()
    score.count(Outcome(winner: .x, reason: .timeout))
    score.count(Outcome(winner: .o, reason: .line))
    score.count(Outcome(winner: .o, reason: .left))
    score.count(Outcome(winner: nil, reason: .full))
    #expect(score == Score(x: 1, o: 2, draws: 1))
  }

  @Test func `swapping marks keeps the draws`() {
    let score = Score(x: 1, o: 2, draws: 3)
    #expect(score.swapped == Score(x: 2, o: 1, draws: 3))
    #expect(score.swapped.swapped == score)
  }
}
