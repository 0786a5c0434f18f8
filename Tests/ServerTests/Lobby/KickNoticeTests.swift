import Shared
import Testing

@testable import Server

@Suite struct KickNoticeTests {
  @Test func `each is read once, and the last one of a name counts`() throws {
    var notices = KickNotices()
    let ann = try PlayerName("ann")
    notices.add("One.", for: ann)
    notices.add("Two.", for: ann)
    #expect(notices.take(for: try PlayerName("bob")) == nil)
    #expect(notices.take(for: try PlayerName("ANN")) == "Two.")
    #expect(notices.take(for: ann) == nil)
  }

  @Test func `the oldest are forgotten`() throws {
    var notices = KickNotices()
    let names = try (0...KickNotices.maxCount).map { try PlayerName("ann\($0)") }
    for name in names { notices.add("Gone.", for: name) }
    #expect(notices.take(for: names[0]) == nil)
    #expect(names.dropFirst().allSatisfy { notices.take(for: $0) == "Gone." })
  }
}
