import Shared
import Testing

@Suite struct DurationWordsTests {
  @Test(arguments: [
    (0.2, "1 second", "1 s", "0 s", "0:01", "0s"), (60, "1 minute", "60 s", "60 s", "1:00", "1m"),
    (90, "90 seconds", "90 s", "90 s", "1:30", "1m 30s"),
    (121, "3 minutes", "3 min", "121 s", "2:01", "2m 1s"),
    (7_200, "2 hours", "120 min", "7200 s", "120:00", "2h"),
    (86_460, "25 hours", "1441 min", "86460 s", "1441:00", "1d"),
  ])
  func `a time is written for each place`(
    seconds: Double, words: String, short: String, elapsed: String, clock: String, span: String
  ) {
    let time = Duration.seconds(seconds)
    #expect(time.words == words)
    #expect(time.short == short)
    #expect(time.elapsed == elapsed)
    #expect(time.clock == clock)
    #expect(time.span == span)
  }

  @Test func `a time that has passed is 0 on a clock`() {
    #expect(Duration.seconds(-5).clock == "0:00")
  }
}
