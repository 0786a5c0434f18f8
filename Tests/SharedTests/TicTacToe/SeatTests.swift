import Shared
import Testing

@Suite struct SeatTests {
  @Test func `a seat plays its own marks`() {
    for mark in Mark.allCases {
      #expect(Seat.one(mark).plays(mark))
      #expect(!Seat.one(mark).plays(mark.other))
      #expect(Seat.both.plays(mark))
      #expect(!Seat.none.plays(mark))
    }
  }
}
