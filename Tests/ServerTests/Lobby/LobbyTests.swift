import Shared
import Testing

@testable import Server

@Suite struct LobbyTests {
  private let hall = Hall()

  @Test func `the root is told who found whom, and for which game`() throws {
    let (ann, bob) = (try Somebody("ann", in: hall), try Somebody("bob", in: hall))
    try hall.lobby.start(by: ann.session, opponent: nil, game: "four")
    try hall.lobby.start(by: bob.session, opponent: nil, game: "four")
    #expect(hall.listener.pairs.map(\.x) == ["ann"])
    #expect(hall.listener.pairs.map(\.o) == ["bob"])
    #expect(hall.listener.pairs.map(\.game) == ["four"])
  }

  @Test func `against the bot the player is X`() throws {
    let ann = try Somebody("ann", in: hall)
    try hall.lobby.start(by: ann.session, opponent: "ＢＯＴ", game: nil)
    #expect(hall.listener.pairs.map(\.x) == ["ann"])
    #expect(hall.listener.pairs.map(\.o) == [nil])
  }

  @Test func `everyone is listed in the order of their logins, also after many have gone`() throws {
    var all = try (0..<100).map { try Somebody("p\($0)", in: hall) }
    for index in stride(from: 99, through: 0, by: -1) where index % 7 != 0 {
      hall.lobby.end(all.remove(at: index).session)
    }
    all.append(try Somebody("late", in: hall))
    #expect(hall.lobby.everyone.map(\.name.text) == all.map(\.session.name.text))
    for person in all { hall.lobby.end(person.session) }
    #expect(hall.lobby.everyone.isEmpty)
  }

  @Test func `a session ends once`() throws {
    let ann = try Somebody("ann", in: hall)
    hall.lobby.end(ann.session)
    let other = try Somebody("ann", in: hall)
    hall.lobby.end(ann.session)
    #expect(hall.lobby.everyone.map(\.token) == [other.session.token])
    #expect(throws: CommandError(.nameTaken, field: "name")) { try Somebody("ANN", in: hall) }
  }

  @Test func `a session that loses its connection in a match is left to it`() throws {
    let ann = try Somebody("ann", in: hall)
    let match = MatchMock()
    ann.session.place = .playing(match)
    hall.lobby.connectionDidEnd(of: ann.session)
    #expect(ann.session.connection == nil)
    #expect(match.lostCallCount == 1)
    #expect(match.leaveCallCount == 0)
    #expect(hall.lobby.everyone.count == 1)
  }

  @Test func `a session that ends in a match leaves it`() throws {
    let ann = try Somebody("ann", in: hall)
    let match = MatchMock()
    ann.session.place = .playing(match)
    hall.lobby.end(ann.session)
    #expect(match.leaveCallCount == 1)
  }

  @Test func `people who wait for one another are freed`() throws {
    weak var freed: Session?
    do {
      let (ann, bob) = (try Somebody("ann", in: hall), try Somebody("bob", in: hall))
      try hall.lobby.start(by: ann.session, opponent: "bob", game: "four")
      try hall.lobby.start(by: bob.session, opponent: "ann", game: nil)
      #expect(hall.listener.pairs.isEmpty)
      freed = ann.session
      hall.lobby.end(bob.session)
      hall.lobby.end(ann.session)
    }
    #expect(freed == nil)
  }
}
