import Testing

@testable import Server

@Suite struct PrimaryInquiryTests {
  private typealias Opinion = PrimaryInquiry.Opinion

  private static let one = RedisAddress.Place(host: "10.0.0.1", port: 6379)
  private static let other = RedisAddress.Place(host: "10.0.0.2", port: 6379)

  private func opinion(
    _ primary: RedisAddress.Place, _ epoch: Int, isReplacing: Bool = false
  ) -> Opinion {
    Opinion(primary: primary, epoch: epoch, isReplacing: isReplacing)
  }

  private func bulk(_ words: [String]) -> RedisReply {
    .array(words.map { .bulk(Array($0.utf8)) })
  }

  /// What a Sentinel says that names one primary, and describes another or the same.
  private func replies(naming host: String, describing other: String, flags: String)
    -> [RedisReply]
  {
    [
      bulk([host, "6379"]),
      bulk(["name", "main", "ip", other, "port", "6379", "flags", flags, "config-epoch", "7"]),
    ]
  }

  @Test func `the replies of a Sentinel`() {
    let (one, other) = (Self.one.host, Self.other.host)
    #expect(
      Opinion(replies(naming: one, describing: one, flags: "master")) == opinion(Self.one, 7))
    #expect(
      Opinion(replies(naming: one, describing: one, flags: "s_down,master,failover_in_progress"))
        == opinion(Self.one, 7, isReplacing: true))
    // The replicas are still being led to the new primary.
    #expect(
      Opinion(replies(naming: other, describing: one, flags: "master,failover_in_progress"))
        == opinion(Self.other, 7))
    #expect(Opinion([.null, .error("ERR No such master with that name")]) == nil)
    #expect(Opinion([bulk([one, "x"]), bulk([])]) == nil)
    #expect(Opinion([]) == nil)
  }

  @Test func `a primary that all Sentinels name is used`() {
    #expect(PrimaryInquiry.objection(to: Self.one, in: [opinion(Self.one, 3)]) == nil)
    #expect(
      PrimaryInquiry.objection(
        to: Self.one, in: [opinion(Self.one, 3), opinion(Self.one, 2)]) == nil)
  }

  @Test func `one that knows of a later failover is right`() {
    let opinions = [opinion(Self.one, 3), opinion(Self.other, 4), opinion(Self.one, 3)]
    #expect(
      PrimaryInquiry.objection(to: Self.one, in: opinions)?.contains("a later primary") == true)
    // Those that were away have old opinions.
    #expect(PrimaryInquiry.objection(to: Self.other, in: opinions) == nil)
  }

  @Test func `a primary that is being replaced is not used, nor one of which nobody knows`() {
    let opinions = [opinion(Self.one, 3), opinion(Self.one, 3, isReplacing: true)]
    #expect(PrimaryInquiry.objection(to: Self.one, in: opinions)?.contains("replacing") == true)
    #expect(PrimaryInquiry.objection(to: Self.one, in: []) == "no Sentinel answers")
  }
}
