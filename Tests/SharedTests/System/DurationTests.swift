import Shared
import Testing

@Suite struct DurationTests {
  @Test(arguments: [
    (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2),
    (.seconds(300), 300_000), (.seconds(604_799), 604_799_000), (.seconds(700_000), 700_000_000),
    (Duration(secondsComponent: 700_000, attosecondsComponent: 1), 700_000_001),
    (.milliseconds(-1), -1), (.milliseconds(-1_500), -1_500),
  ])
  func `milliseconds are rounded up`(time: Duration, milliseconds: Int) {
    #expect(time.milliseconds == milliseconds)
  }
}
