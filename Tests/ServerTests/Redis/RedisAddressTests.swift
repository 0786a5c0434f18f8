import Shared
import Testing

@testable import Server

@Suite struct RedisAddressTests {
  private func place(_ host: String, _ port: UInt16) -> RedisAddress.Place {
    RedisAddress.Place(host: host, port: port)
  }

  @Test func `one engine`() throws {
    let address = try RedisAddress("redis://db.example:7000/3")
    #expect(address.kind == .single(place("db.example", 7000)))
    #expect(address.database == 3)
    #expect(address.login == nil)
    #expect(address.description == "redis://db.example:7000/3")
  }

  @Test func `the port has a default`() throws {
    #expect(try RedisAddress("redis://db").kind == .single(place("db", 6379)))
    #expect(try RedisAddress("redis://db/").database == 0)
    #expect(try RedisAddress("redis://[::1]").kind == .single(place("::1", 6379)))
    #expect(
      try RedisAddress("redis+sentinel://a/main").kind
        == .sentinels([place("a", 26379)], name: "main"))
  }

  @Test func `Sentinels with the name of the primary`() throws {
    let address = try RedisAddress("redis+sentinel://a:1,[::1]:2,c:3/main/2")
    #expect(
      address.kind == .sentinels([place("a", 1), place("::1", 2), place("c", 3)], name: "main"))
    #expect(address.database == 2)
    #expect(address.description == "redis+sentinel://a:1,[::1]:2,c:3/main/2")
  }

  @Test func `credentials may be encoded, and are never shown`() throws {
    let address = try RedisAddress("redis://ann%3A:p%40ss:w%2F@db:1")
    #expect(address.login?.user == "ann:")
    #expect(address.login?.password == "p@ss:w/")
    #expect(address.description == "redis://db:1")
    #expect(try RedisAddress("redis://:secret@db").login?.user == nil)
  }

  @Test func `TLS, with the certificates of the system or in files`() throws {
    let plain = try RedisAddress("redis://db")
    #expect(plain.tls == nil)
    let system = try RedisAddress("rediss://db/2")
    #expect(system.kind == .single(place("db", 6379)))
    #expect(system.database == 2)
    #expect(system.tls == RedisAddress.TLSFiles(authorities: nil, identity: nil))
    #expect(system.description == "rediss://db:6379/2")
    let files = try RedisAddress("rediss://:p@db?ca=/a%20b.pem&cert=/c.pem&key=k.pem")
    #expect(files.tls?.paths == ["/a b.pem", "/c.pem", "k.pem"])
    #expect(files.login == RedisAddress.Login(user: nil, password: "p"))
    #expect(files.description == "rediss://db:6379")
    #expect(files.withFiles == "rediss://db:6379?ca=/a b.pem&cert=/c.pem&key=k.pem")
    let one = try RedisAddress("rediss+sentinel://a,b/main/1?cert=node.pem", in: "/etc/x")
    #expect(one.kind == .sentinels([place("a", 26379), place("b", 26379)], name: "main"))
    #expect(one.tls?.identity?.certificate == "/etc/x/node.pem")
    #expect(one.tls?.identity?.key == "/etc/x/node.pem")
    #expect(one.database == 1)
    #expect(one.description == "rediss+sentinel://a:26379,b:26379/main/1")
  }

  @Test func `the Sentinels have a log-in of their own, which is never shown`() throws {
    let address = try RedisAddress(
      "redis+sentinel://ann:a@a/main?sentinel-user=z%26o&sentinel-password=s%40e%3D=")
    #expect(address.login == RedisAddress.Login(user: "ann", password: "a"))
    #expect(address.sentinelLogin == RedisAddress.Login(user: "z&o", password: "s@e=="))
    #expect(address.withFiles == "redis+sentinel://a:26379/main")
    let alone = try RedisAddress("redis+sentinel://a/main?sentinel-password=s")
    #expect(alone.sentinelLogin == RedisAddress.Login(user: nil, password: "s"))
    #expect(alone.login == nil)
  }

  @Test func `a password may have a question mark`() throws {
    #expect(try RedisAddress("redis://:a?b@db").login?.password == "a?b")
  }

  @Test(arguments: [
    ("rediss://db?", "there may be: ca, cert, key, sentinel-user, sentinel-password."),
    ("rediss://db?secret=1", "there may be: ca"), ("rediss://db?ca=/a&secret", "there may be: ca"),
    ("rediss://db?ca", "The value of ca is missing or badly encoded."),
    ("rediss://db?ca=", "The value of ca is missing or badly encoded."),
    ("rediss://db?ca=%zz", "The value of ca is missing or badly encoded."),
    ("rediss://db?ca=%00", "The value of ca is missing or badly encoded."),
    ("rediss://db?ca=/a&ca=/b", "There may be only one ca."),
    ("redis://db?ca=/a", "has to begin with rediss."),
    ("redis+sentinel://a/m?key=/a", "has to begin with rediss."),
    ("rediss://db?key=/a", "A key needs a cert too."),
    ("rediss://db?sentinel-password=secret", "needs Sentinels."),
    ("redis+sentinel://a/m?sentinel-user=secret", "needs a sentinel-password too."),
  ])
  func `a wrong part after the question mark is named`(text: String, end: String) {
    let error = #expect(throws: UsageError.self) { try RedisAddress(text) }
    #expect(error?.message.hasPrefix(RedisAddress.usage) == true)
    #expect(error?.message.contains(end) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
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
    let error = #expect(throws: UsageError.self) { try RedisAddress(text) }
    #expect(!text.contains("secret") || error?.message.contains("secret") == false)
  }
}
