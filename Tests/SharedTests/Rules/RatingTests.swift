import Shared
import Testing

struct RatingTests {
  /// The example of the paper, with its own start values.
  @Test func `the example of the paper comes out`() {
    let player = Rating(value: 1_500, deviation: 200, volatility: 0.06)
    let rating = player.updated(after: [
      (Rating(value: 1_400, deviation: 30), .won), (Rating(value: 1_550, deviation: 100), .lost),
      (Rating(value: 1_700, deviation: 300), .lost),
    ])
    #expect(abs(rating.value - 1_464.06) < 0.01)
    #expect(abs(rating.deviation - 151.52) < 0.01)
    #expect(abs(rating.volatility - 0.05999) < 0.00001)
  }

  @Test func `a new player has 1500 points and a provisional rating`() {
    let rating = Rating()
    #expect(rating.rounded == 1_500)
    #expect(rating.deviation == 500)
    #expect(rating.volatility == 0.09)
    #expect(rating.isProvisional)
    #expect(!Rating(deviation: 110).isProvisional)
    #expect(Rating(deviation: 110.01).isProvisional)
  }

  @Test func `both new ratings come from both old ones`() {
    let ratings = Rating.updated(PerMark(x: Rating(), o: Rating()), winner: .x)
    #expect(ratings.x.value - 1_500 == 1_500 - ratings.o.value)
    #expect(ratings.x.value > 1_700)
    let drawn = Rating.updated(PerMark(x: Rating(), o: Rating()), winner: nil)
    #expect(drawn.x == drawn.o)
    #expect(drawn.x.rounded == 1_500)
  }

  @Test func `the deviation stays between 45 and 500`() {
    var ratings = PerMark(x: Rating(), o: Rating())
    for game in 0..<400 {
      ratings = Rating.updated(ratings, winner: game.isMultiple(of: 2) ? .x : .o)
      #expect((45.0...500.0).contains(ratings.x.deviation))
    }
    #expect(ratings.x.deviation < 80)
    let wild = Rating(value: 1_500, deviation: 500, volatility: 3)
    #expect(wild.updated(after: [(Rating(value: 2_900), .won)]).deviation == 500)
  }

  @Test func `a great surprise raises the volatility`() {
    let weak = Rating(value: 1_000, deviation: 60, volatility: 0.09)
    let strong = Rating(value: 2_400, deviation: 60, volatility: 0.09)
    #expect(weak.updated(after: [(strong, .won)]).volatility > 0.09)
    #expect(weak.updated(after: [(strong, .lost)]).volatility < 0.090001)
  }
}
