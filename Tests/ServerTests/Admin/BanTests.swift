import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct BanTests {
  private func greeting(
    _ fixture: AdminFixture, from address: String
  ) throws -> [JSON] {
    let client = LineClient(fixture.server.connect(from: address), on: fixture.server.network)
    fixture.server.network.run()
    return try client.hear()
  }

  @Test func `a banned address gets hello and bye, until the ban ends`() throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    let ban = try admin.tell("ban 192.0.2.0/24 30m")
    #expect(ban == "192.0.2.0/24 is banned for 30 minutes, and 0 connections closed.")
    let lines = try greeting(fixture, from: "192.0.2.200")
    #expect(kinds(lines) == ["hello", "bye banned"])
    #expect(lines[1]["retry"] == 1_800_000)
    #expect(
      lines[1]["message"] == "Your address is banned from this server for 30 minutes.")
    #expect(kinds(try greeting(fixture, from: "192.0.3.1")) == ["hello"])
    #expect(fixture.log.lines.contains("info rejected from=192.0.2.200:50000 reason=banned"))
    fixture.clock.advance(by: .seconds(1_800))
    #expect(kinds(try greeting(fixture, from: "192.0.2.200")) == ["hello"])
    #expect(try admin.ask("bans") == [["type": "bans", "count": 0]])
  }

  @Test func `a ban without a time has no retry, and unban ends it`() throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    #expect(
      try admin.tell("ban 192.0.2.7") == "192.0.2.7 is banned for ever, and 0 connections closed.")
    #expect(try greeting(fixture, from: "192.0.2.7").last?["retry"] == nil)
    #expect(
      try admin.ask("bans").last
        == ["type": "ban", "kind": "address", "target": "192.0.2.7"])
    #expect(try admin.tell("unban 192.0.2.8") == "badField")
    #expect(try admin.tell("unban 192.0.2.7") == "192.0.2.7 is not banned any more.")
    #expect(kinds(try greeting(fixture, from: "192.0.2.7")) == ["hello"])
  }

  @Test func `unban names the ban of a network that still holds`() throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    for target in ["198.51.100.7", "192.0.2.0/24", "192.0.2.7"] {
      _ = try admin.tell("ban \(target)")
    }
    #expect(
      try admin.tell("unban 192.0.2.7")
        == "This ban has ended, but 192.0.2.0/24 is still banned.")
    #expect(
      try admin.ask("unban 192.0.2.7").first?["message"]?.text
        == "There is no ban of 192.0.2.7. The ban of 192.0.2.0/24 includes it. To see all bans,"
        + " type: bans")
    #expect(try admin.tell("unban 192.0.2.0/24") == "192.0.2.0/24 is not banned any more.")
    for target in ["2001:db8::/32", "2001:db8::7"] { _ = try admin.tell("ban \(target)") }
    #expect(
      try admin.tell("unban 2001:db8::9")
        == "This ban has ended, but 2001:db8::/32 is still banned.")
  }

  @Test func `a ban ends the sessions and connections of the address`() throws {
    let fixture = try AdminFixture()
    let server = fixture.server
    let (pest, stranger) = (server.client(from: "192.0.2.7"), server.client(from: "192.0.2.7"))
    let bob = server.client(as: "bob")
    pest.say("login ann")
    pest.say("start bob")
    bob.say("start ann")
    _ = (pest.takeLines(), bob.takeLines())
    #expect(
      try fixture.admin().tell("ban 192.0.2.7 1d")
        == "192.0.2.7 is banned for 1 day, and 2 connections closed.")
    #expect(try pest.hearTypes() == ["gameDidEnd", "matchDidEnd", "bye banned"])
    #expect(try stranger.hearTypes() == ["bye banned"])
    #expect(try bob.hearTypes() == ["gameDidEnd", "matchDidEnd"])
    #expect(server.serverLog.counters.connections.now == 1)
    #expect(server.serverLog.counters.sessions.now == 1)
  }

  @Test func `a ban of a name bars it in any form, and disconnects who has it`() throws {
    let fixture = try AdminFixture()
    let (server, admin) = (fixture.server, fixture.admin())
    let ann = server.client(as: "ann")
    #expect(
      try admin.tell("ban Ann 2h") == "The name Ann is banned for 2 hours, and 1 connection closed."
    )
    #expect(try ann.hear().last?["code"] == "kicked")
    let refusal = try #require(try server.client().ask("login ANN").first)
    #expect(refusal["code"] == "badName")
    #expect(refusal["message"] == "That name is banned here for 2 hours. Choose another.")
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
    fixture.clock.advance(by: .seconds(7_200))
    #expect(try server.client().askTypes("login ANN") == ["didLogin"])
  }

  @Test func `a ban of a player who is away says what it has ended`() throws {
    let fixture = try AdminFixture()
    let (server, admin) = (fixture.server, fixture.admin())
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say("start bob")
    bob.say("start ann")
    ann.cut()
    #expect(
      try admin.tell("ban ann")
        == "The name ann is banned for ever, and 1 session without a connection ended.")
    #expect(server.serverLog.counters.sessions.now == 1)
    let (eve, cat) = (server.client(from: "192.0.2.7"), server.client(from: "192.0.2.7"))
    eve.say("login eve")
    cat.say("login cat")
    eve.say("start cat")
    cat.say("start eve")
    eve.cut()
    #expect(
      try admin.tell("ban 192.0.2.7")
        == "192.0.2.7 is banned for ever, and 1 connection closed, 1 session without a connection"
        + " ended.")
  }

  @Test(arguments: [
    ("192.0.2.0/33", "badField"), ("2001:db8::/129", "badField"), ("192.0.2.1/", "badField"),
    ("bot", "badName"), ("ban\u{200b}d", "badName"), (#""""#, "missingField"),
    ("ann 0", "badField"), ("ann soon", "badField"), ("ann 99999d", "badField"),
    ("ann 1h more", "badField"),
  ])
  func `a target or a time that is none is refused`(words: String, code: String) throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    #expect(try admin.tell("ban \(words)") == code)
    #expect(try admin.ask("bans") == [["type": "bans", "count": 0]])
  }

  @Test(arguments: [
    // An address with a port or in brackets, a mapped one, and one between spaces.
    ("198.51.100.7:40312", "198.51.100.7", "address"),
    ("[2001:db8::9]", "2001:db8::/64", "network"),
    ("[2001:db8::9]:40312", "2001:db8::/64", "network"), ("[192.0.2.1]:1", "192.0.2.1", "address"),
    ("::ffff:192.0.2.7", "192.0.2.7", "address"), (#"" 192.0.2.7 ""#, "192.0.2.7", "address"),
    ("[::ffff:192.0.2.7]:65535", "192.0.2.7", "address"),
    ("2001:DB8::9/128", "2001:db8::9", "address"), ("10.0.0.0/8", "10.0.0.0/8", "network"),
    ("::ffff:192.0.2.0/120", "192.0.2.0/24", "network"), ("::/0", "::/0", "network"),
    // Names, also those that an address could be taken for.
    ("name:192.0.2", "192.0.2", "name"), ("NAME:10.0.0.1", "10.0.0.1", "name"),
    (#""name:7.5 seconds""#, "7.5 seconds", "name"), ("name:name", "name", "name"),
    ("ann", "ann", "name"), ("name:2001", "2001", "name"), ("4294967296", "4294967296", "name"),
    ("0xyz", "0xyz", "name"), ("09", "09", "name"), ("dad", "dad", "name"), ("1a", "1a", "name"),
    ("a.b", "a.b", "name"), ("v1.2", "v1.2", "name"), ("face:less", "face:less", "name"),
    ("a/b", "a/b", "name"), ("[ace]", "[ace]", "name"), ("7-of-9", "7-of-9", "name"),
    ("name", "name", "name"), (":-)", ":-)", "name"), ("100%", "100%", "name"),
  ])
  func `the list shows what a ban was taken for`(
    words: String, target: String, kind: String
  ) throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    let subject = kind == "name" ? "The name \(target)" : target
    #expect(try admin.tell("ban \(words)")?.hasPrefix("\(subject) is banned for ever") == true)
    let ban: JSON = ["type": "ban", "kind": .string(kind), "target": .string(target)]
    #expect(try admin.ask("bans").dropFirst() == [ban])
    #expect(try admin.tell("unban \(words)") == "\(target) is not banned any more.")
  }

  @Test(arguments: [
    // A wrong number, one with a leading zero, too few and too many of them.
    "192.0.2.256", "010.0.0.1", "192.0.2", "192.0.2.", "1.2.3.4.5", "0x7f.0.0.1", "192.0.2.1.",
    // A whole address as one number, or as fewer than four.
    "1", "2001", "2130706433", "4294967295", "0x7f000001", "0X7F000001", "017700000001", "127.1",
    "127.0.1", "0x7f.1",
    // A pattern, a range, a list.
    "192.0.2.*", "192.0.2.x", "192.0.2.1-9", "192.0.2.1,192.0.2.2", "192.0.2.1-192.0.2.9",
    // No port, a wrong one, one without brackets.
    "198.51.100.7:", "198.51.100.7:99999", "198.51.100.256:4000", "[2001:db8::9", "2001:db8::9]",
    "[2001:db8::9]:", "[2001:db8::9]:x", "[2001:db8:9]", "12:30",
    // IPv6 that is too long, too short, or has two gaps.
    "2001:db8:::9", "2001:db8", "2001:db8:1:2:3:4:5:6:7", "2001::db8::9", "1:2:3:4:5:6:7", ":::",
    // Networks of another size, and an address with the size of its network.
    "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/x", "10/8", "10.0/16", "192.0.2.0/255.255.255.0",
    "10.0.0.1/8", "2001:db8::9/64", "::ffff:192.0.2.1/24", "[2001:db8::]/64", "192.0.2.0/24/7",
    // An address of one interface.
    "fe80::1%eth0", "fe80::1%", "192.0.2.1%eth0",
    // Full width.
    "１９２.０.２",
  ])
  func `what looks like an address and is none is refused, with what to type`(
    target: String
  ) throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    for command in ["ban", "unban", "mute", "unmute"] {
      let error = try #require(try admin.ask("\(command) \(target)").first)
      #expect(error["code"] == "badField")
      #expect(error["field"] == (command.hasSuffix("ban") ? "target" : "name"))
      #expect(error["message"]?.text?.localizedCaseInsensitiveContains("type: ") == true)
    }
    #expect(try admin.ask("bans") == [["type": "bans", "count": 0]])
  }

  @Test func `a mute takes no address, but a name like one`() throws {
    let fixture = try AdminFixture()
    let admin = fixture.admin()
    #expect(try admin.tell("mute 198.51.100.7") == "badField")
    #expect(try admin.tell("mute name:198.51.100.7") == "198.51.100.7 cannot chat any more.")
    #expect(try admin.tell("unmute name:198.51.100.7") == "198.51.100.7 can chat again.")
  }

  @Test func `this machine can be banned, with a warning`() throws {
    let fixture = try AdminFixture()
    for target in ["127.0.0.1", "::1", "0.0.0.0/0"] {
      let reply = try fixture.admin().tell("ban \(target) 1m")
      #expect(reply?.hasSuffix(" Clients on this machine are kept out too.") == true)
    }
    // An IPv6 network, even one that contains mapped addresses, has no IPv4 address.
    let other = try AdminFixture()
    _ = try other.admin().tell("ban ::1")
    #expect(kinds(try greeting(other, from: "9.9.9.9")) == ["hello"])
    #expect(kinds(try greeting(other, from: "::1")) == ["hello", "bye banned"])
  }

  @Test func `an IPv6 address stands for its network of 64 bits`() throws {
    let fixture = try AdminFixture()
    let reply = try fixture.admin().tell("ban 2001:db8::1")
    #expect(reply?.hasPrefix("2001:db8::/64 is banned") == true)
    #expect(kinds(try greeting(fixture, from: "2001:db8::2:3")) == ["hello", "bye banned"])
    #expect(kinds(try greeting(fixture, from: "2001:db8:0:1::1")) == ["hello"])
  }

  @Test func `behind a proxy the address in the header counts`() throws {
    let fixture = try AdminFixture(
      limits: ConnectionLimits(proxies: [try #require(IPNetwork("10.0.0.1"))]))
    _ = try fixture.admin().tell("ban 192.0.2.7")
    func types(_ address: String) throws -> [String] {
      let client = LineClient(
        fixture.server.connect(from: "10.0.0.1"), on: fixture.server.network)
      client.send(Array("PROXY TCP4 \(address) 9.9.9.9 50001 7777\r\n".utf8))
      fixture.server.network.run()
      return try client.hearTypes()
    }
    #expect(try types("192.0.2.7") == ["hello", "bye banned"])
    #expect(try types("192.0.2.8") == ["hello"])
    _ = try fixture.admin().tell("ban 10.0.0.1")
    #expect(try types("192.0.2.8") == ["hello"])
  }

  @Test func `the ban that ends last counts, among thousands`() throws {
    let now = Date(timeIntervalSince1970: 0)
    let moderation = Moderation(now: { now })
    for number in 0..<5_000 {
      let text = "10.\(number / 256).\(number % 256).0/24"
      moderation.ban(.network(try #require(IPNetwork(text))), Term(end: now + 60))
    }
    let address = try #require(IPAddress("10.3.7.9"))
    #expect(moderation.ban(of: address) == Term(end: now + 60))
    moderation.ban(.network(try #require(IPNetwork("10.3.0.0/16"))), Term(end: nil))
    #expect(moderation.ban(of: address) == Term(end: nil))
    moderation.unban(.network(try #require(IPNetwork("10.3.0.0/16"))))
    #expect(moderation.ban(of: address) == Term(end: now + 60))
    #expect(moderation.ban(of: try #require(IPAddress("11.3.7.9"))) == nil)
    #expect(moderation.record.bans.count == 5_000)
  }
}
