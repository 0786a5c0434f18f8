import Testing

@testable import Client

/// Notices that leave by themselves.
@Suite struct NoticesTests {
  @Test func `a notice leaves after ten seconds`() {
    var notices = Notices()
    notices.add("one", at: .seconds(1))
    notices.add("two", at: .seconds(5))
    notices.expire(at: .seconds(10))
    #expect(notices.texts == ["one", "two"])
    notices.expire(at: .seconds(11))
    #expect(notices.texts == ["two"])
  }

  @Test func `a key takes notices away, but not those that nobody could have read`() {
    var notices = Notices()
    notices.add("one", at: .zero)
    notices.add("two", at: .seconds(1))
    notices.didPress(at: .milliseconds(1_100))
    #expect(notices.texts == ["two"])
    notices.didPress(at: .milliseconds(1_500))
    #expect(notices.isEmpty)
  }

  @Test func `the latest three are kept`() {
    var notices = Notices()
    for number in 1...5 { notices.add("\(number)", at: .zero) }
    #expect(notices.texts == ["3", "4", "5"])
    #expect(notices.latest == "5")
  }
}
