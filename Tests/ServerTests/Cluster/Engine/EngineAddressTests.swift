import Shared
import Testing

@testable import Server

@Suite struct EngineAddressTests {
  private func place(_ host: String, _ port: UInt16) -> EngineAddress.Place {
    EngineAddress.Place(host: host, port: port)
  }

  @Test func `one engine`() throws {
    let address = try EngineAddress("redis://db.example:7000/3")
    #expect(address.kind == .single(place("db.example", 7000)))
    #expect(address.database == 3)
    #expect(address.password == nil)
    #expect(address.description == "redis://db.example:7000/3")
  }

  @Test func `the port has a default`() throws {
    #expect(try EngineAddress("redis://db").kind == .single(place("db", 6379)))
    #expect(try EngineAddress("redis://db/").database == 0)
    #expect(try EngineAddress("redis://[::1]").kind == .single(place("::1", 6379)))
    #expect(
      try EngineAddress("redis+sentinel://a/main").kind
        == .sentinels([place("a", 26379)], name: "main"))
  }

  @Test func `Sentinels with the name of the primary`() throws {
    let address = try EngineAddress("redis+sentinel://a:1,[::1]:2,c:3/main/2")
    #expect(
      address.kind == .sentinels([place("a", 1), place("::1", 2), place("c", 3)], name: "main"))
    #expect(address.database == 2)
    #expect(address.description == "redis+sentinel://a:1,[::1]:2,c:3/main/2")
  }

  @Test func `credentials may be encoded, and are never shown`() throws {
    let address = try EngineAddress("redis://ann%3A:p%40ss:w%2F@db:1")
    #expect(address.user == "ann:")
    #expect(address.password == "p@ss:w/")
    #expect(address.description == "redis://db:1")
    #expect(try EngineAddress("redis://:secret@db").user == nil)
  }

  @Test(arguments: [
    "", "db:6379", "redis://a b", "redis://a\nredis://b", "redis://db\n", "http://db", "redis://",
    "redis://db:0", "redis://db:65536", "redis://db:x",
    "redis://a,b", "redis://db/x", "redis://db/-1", "redis://db/1/2", "redis://[::1", "redis://[a]",
    "redis://ann@db", "redis://ann:@db", "redis://%zz:secret@db", "redis://ann:secret@db/x",
    "redis+sentinel://a",
    "redis+sentinel://a/", "redis+sentinel://a,/main", "redis+sentinel://a/main/1/2",
  ])
  func `anything else is refused, without a password in the error`(text: String) {
    let error = #expect(throws: UsageError.self) { try EngineAddress(text) }
    #expect(!text.contains("secret") || error?.message.contains("secret") == false)
  }
}
