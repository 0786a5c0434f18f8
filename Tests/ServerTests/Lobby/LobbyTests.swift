import Shared
import Testing

@testable import Server

@Suite struct LobbyTests {
  private let fixture = LobbyFixture()

  @Test func `a pair is reported with its players and its game`() throws {
    let (ann, bob) = (
      try SessionFixture("ann", in: fixture), try SessionFixture("bob", in: fixture)
    )
    try fixture.lobby.start(by: ann.session, opponent: nil, game: "four")
    try fixture.lobby.start(by: bob.session, opponent: nil, game: "four")
    #expect(fixture.pairs.map(\.x) == ["ann"])
    #expect(fixture.pairs.map(\.o) == ["bob"])
    #expect(fixture.pairs.map(\.game) == ["four"])
  }

  @Test func `a player against the bot is X`() throws {
    let ann = try SessionFixture("ann", in: fixture)
    try fixture.lobby.start(by: ann.session, opponent: "ＢＯＴ", game: nil)
    #expect(fixture.pairs.map(\.x) == ["ann"])
    #expect(fixture.pairs.map(\.o) == [nil])
  }

  @Test func `sessions are in the order of their logins, also after many have ended`() throws {
    var all = try (0..<100).map { try SessionFixture("p\($0)", in: fixture) }
    for index in stride(from: 99, through: 0, by: -1) where index % 7 != 0 {
      fixture.lobby.end(all.remove(at: index).session)
    }
    all.append(try SessionFixture("late", in: fixture))
    #expect(fixture.lobby.allSessions.map(\.name.text) == all.map(\.session.name.text))
    for person in all { fixture.lobby.end(person.session) }
    #expect(fixture.lobby.allSessions.isEmpty)
  }

  @Test func `ending a session twice does nothing`() throws {
    let ann = try SessionFixture("ann", in: fixture)
    fixture.lobby.end(ann.session)
    let other = try SessionFixture("ann", in: fixture)
    fixture.lobby.end(ann.session)
    #expect(fixture.lobby.allSessions.map(\.token) == [other.session.token])
    #expect(throws: CommandError(.nameTaken, field: "name")) {
      try SessionFixture("ANN", in: fixture)
    }
  }

  @Test func `a session that loses its connection in a match continues`() throws {
    let ann = try SessionFixture("ann", in: fixture)
    let match = MatchMock()
    ann.session.place = .playing(match)
    fixture.lobby.connectionDidEnd(of: ann.session)
    #expect(ann.session.outlet == nil)
    #expect(match.lostCallCount == 1)
    #expect(match.leaveCallCount == 0)
    #expect(fixture.lobby.allSessions.count == 1)
  }

  @Test func `a session that ends in a match leaves it`() throws {
    let ann = try SessionFixture("ann", in: fixture)
    let match = MatchMock()
    ann.session.place = .playing(match)
    fixture.lobby.end(ann.session)
    #expect(match.leaveCallCount == 1)
  }

  @Test func `sessions that wait for each other are freed`() throws {
    weak var freed: Session?
    do {
      let (ann, bob) = (
        try SessionFixture("ann", in: fixture), try SessionFixture("bob", in: fixture)
      )
      try fixture.lobby.start(by: ann.session, opponent: "bob", game: "four")
      try fixture.lobby.start(by: bob.session, opponent: "ann", game: "tictactoe")
      #expect(fixture.pairs.isEmpty)
      freed = ann.session
      fixture.lobby.end(bob.session)
      fixture.lobby.end(ann.session)
    }
    #expect(freed == nil)
  }
}
