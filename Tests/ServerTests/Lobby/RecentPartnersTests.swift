import Testing

@testable import Server

@Suite struct RecentPartnersTests {
  @Test func `a partner counts as recent for a minute after the last pairing`() {
    var partners = RecentPartners()
    #expect(partners.end(of: 1) == nil)
    partners.add(1, at: .seconds(10))
    partners.add(2, at: .seconds(20))
    partners.add(1, at: .seconds(30))
    #expect(partners.end(of: 1) == .seconds(90))
    #expect(partners.end(of: 2) == .seconds(80))
    partners.add(3, at: .seconds(80))
    #expect(partners.end(of: 2) == nil)
  }

  @Test func `only the last eight partners are kept`() {
    var partners = RecentPartners()
    for partner in 1...20 { partners.add(partner, at: .seconds(1)) }
    #expect((1...20).filter { partners.end(of: $0) != nil } == Array(13...20))
  }
}
