import Shared
import Testing

@testable import Server

@Suite struct RedisTextsTests {
  private let entry = RatingEntry(
    rating: Rating(value: 1_662.310_892_122_1, deviation: 290.318_964_5, volatility: 0.1 + 0.2),
    won: 3, lost: 2, drawn: 1)

  @Test func `a rating is read as it was written, to the last bit`() {
    #expect(RatingEntry(entry.text) == entry)
    #expect(RatingEntry(RatingEntry().text) == RatingEntry())
    for rating in [RedisRating.gone, .new, .rated(entry)] {
      #expect(RedisRating(rating.text) == rating)
    }
  }

  @Test(arguments: ["1500", "1500 500 0.09 0 0", "1500 500 0.09 0 0 x", "1500 500 0.09 0 0 0 0"])
  func `what is no rating`(text: String) {
    #expect(RatingEntry(text) == nil)
    #expect(RedisRating(text) == nil)
  }

  @Test func `a result is read as it was written`() {
    let result = GameResult(
      match: "m1", game: "four", players: PerMark(x: "zoë the 1st", o: "bot"), accounts: nil,
      outcome: Outcome(winner: .o, reason: .timeout), moves: 7, ended: 1_000)
    let item = HistoryItem("12\n\(result.text)", now: 1_500)
    #expect(
      item
        == HistoryItem(
          id: 12, match: "m1", game: "four", players: result.players, outcome: result.outcome,
          moves: 7, ago: .milliseconds(500)))
    #expect(HistoryItem("12\n\(result.text)", now: 0)?.ago == .zero)
    #expect(HistoryItem(result.text, now: 0) == nil)
  }
}
