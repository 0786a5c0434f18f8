import Shared
import TestSupport
import Testing

@testable import Server

/// What the operator does with the accounts of one server, or of several.
@Suite struct AccountAdministrationTests {
  typealias Kind = DirectoryContractTests.Kind

  private func accounts(
    _ fixture: any DirectoryFixture, _ pattern: String = "*", limit: Int = 10
  ) throws -> AccountPage {
    let page: Result<AccountPage, CommandError> = try fixture.answer {
      fixture.directory.accounts(like: NamePattern(pattern), limit: limit, answer: $0)
    }
    return try page.get()
  }

  private func details(
    _ fixture: any DirectoryFixture, _ name: String
  ) throws -> Result<AccountDetails, CommandError> {
    let name = try PlayerName(name)
    return try fixture.answer { fixture.directory.details(of: name, answer: $0) }
  }

  private func setPassword(
    _ fixture: any DirectoryFixture, _ password: String, of name: String
  ) throws -> CommandError? {
    let name = try PlayerName(name)
    let result: Result<Void, CommandError> = try fixture.answer {
      fixture.directory.setOneTimePassword(password, of: name, answer: $0)
    }
    guard case .failure(let error) = result else { return nil }
    return error
  }

  private func erase(
    _ fixture: any DirectoryFixture, _ name: String
  ) throws -> Erasure {
    let name = try PlayerName(name)
    let result: Result<Erasure, CommandError> = try fixture.answer {
      fixture.directory.erase(name, answer: $0)
    }
    return try result.get()
  }

  @Test(arguments: Kind.available)
  func `accounts are listed in the order of their names, up to a number`(kind: Kind) throws {
    let fixture = try kind.fixture()
    #expect(try accounts(fixture) == AccountPage(items: [], more: 0))
    for name in ["Cid", "ann", "bob", "Anna"] { _ = try fixture.account(name) }
    let all = try accounts(fixture)
    #expect(all.items.map(\.name) == ["ann", "Anna", "bob", "Cid"])
    #expect(all.items.allSatisfy { $0.age == .zero && $0.passwordUse == .always })
    #expect(all.more == 0)
    let some = try accounts(fixture, "AN", limit: 1)
    #expect(some.items.map(\.name) == ["ann"])
    #expect(some.more == 1)
  }

  @Test(arguments: Kind.available)
  func `an account is shown with its ratings and its games`(kind: Kind) throws {
    let fixture = try kind.fixture()
    #expect(try details(fixture, "ann") == .failure(.noAccount(of: "ann")))
    let ids = PerMark(x: try fixture.account("Ann"), o: try fixture.account("bob"))
    var match = TestMatch("m1", "Ann", "bob")
    match.play(winner: .x, accounts: ids)
    match.play(winner: .x)
    match.end()
    try fixture.store(match)
    let ann = try details(fixture, "ANN").get()
    #expect(ann.item.name == "Ann")
    #expect(ann.games == 2)
    #expect(ann.sinceLastGame == .zero)
    #expect(ann.ratings.map(\.game) == ["tictactoe"])
    #expect(ann.ratings[0].entry.won == 1)
    #expect(ann.ratings[0].entry.rating.rounded > 1_500)
  }

  @Test(arguments: Kind.available)
  func `a password of the operator works once, and then changes the password`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let id = try fixture.account("ann")
    #expect(try setPassword(fixture, "once upon", of: "eve") == .noAccount(of: "eve"))
    #expect(try setPassword(fixture, "once upon", of: "ANN") == nil)
    #expect(try fixture.check("correct horse", of: "ann").account == nil)
    let account = try #require(try fixture.check("once upon", of: "ann").account)
    #expect(account.id == id)
    #expect(account.passwordUse == .once)
    #expect(try accounts(fixture).items[0].passwordUse == .once)
    try fixture.use(try PlayerName("ann"))
    fixture.directory.spendPassword(of: account)
    let again = try fixture.check("once upon", of: "ann")
    #expect(again.account == nil)
    #expect(again.refusal == .passwordIsSpent)
    #expect(try fixture.check("wrong horse", of: "ann").refusal == nil)
    #expect(try details(fixture, "ann").get().item.passwordUse == .spent)
    #expect(try fixture.register("ann", "my own horse", old: "once upon") == nil)
    #expect(try fixture.check("my own horse", of: "ann").account?.passwordUse == .always)
  }

  @Test(arguments: Kind.available)
  func `an account is erased, and its games are somebody's`(kind: Kind) throws {
    let fixture = try kind.fixture()
    let ids = PerMark(x: try fixture.account("Ann"), o: try fixture.account("bob"))
    var match = TestMatch("m1", "Ann", "bob")
    match.play(winner: .x, accounts: ids)
    match.play(winner: .o)
    match.end()
    try fixture.store(match)
    var guest = TestMatch("m2", "someone", "ANN")
    guest.play(winner: nil)
    guest.end()
    try fixture.store(guest)
    var other = TestMatch("m3", "bob", nil)
    other.play(winner: nil)
    other.end()
    try fixture.store(other)
    let erasure = try erase(fixture, "ann")
    #expect(erasure.hasAccount)
    #expect(erasure.games == 3)
    #expect(try details(fixture, "ann") == .failure(.noAccount(of: "ann")))
    #expect(try fixture.leaderboard().items.map(\.name) == ["bob"])
    #expect(try fixture.history(of: "ann").items == [])
    let games = try fixture.history().items
    #expect(
      games.map(\.players) == [
        PerMark(x: "bob", o: "bot"), PerMark(x: "someone", o: "someone else"),
        PerMark(x: "bob", o: "someone"), PerMark(x: "someone", o: "bob"),
      ])
    #expect(try fixture.history(of: "bob").items == games.filter { $0.match != "m2" })
    #expect(try fixture.history(of: "someone").items.map(\.match) == ["m2"])
    // Again: nothing is left. Another person may take the name.
    #expect(try erase(fixture, "ann") == Erasure())
    #expect(try fixture.register("ann") == nil)
    #expect(fixture.directory.account(of: try PlayerName("ann"))?.id ?? 0 > ids.o)
  }
}
