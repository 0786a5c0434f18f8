import Shared
import Testing

@Suite struct ScoreTests {
  @Test func `each end counts once, for the winner or as a draw`() {
    var score = Score()
    score.count(Outcome(winner: .x, reason: .timeout))
    score.count(Outcome(winner: .o, reason: .line))
    score.count(Outcome(winner: .o, reason: .left))
    score.count(Outcome(winner: nil, reason: .full))
    #expect(score == Score(x: 1, o: 2, draws: 1))
  }

  @Test func `changing marks keeps the draws`() {
    let score = Score(x: 1, o: 2, draws: 3)
    #expect(score.swapped == Score(x: 2, o: 1, draws: 3))
    #expect(score.swapped.swapped == score)
  }
}
