import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct OperatorFileTests {
  private let folder = TemporaryFolder()
  private var path: String { "\(folder.path)/\(OperatorFile.name)" }

  @Test func `bans, mutes and the greeting survive a restart`() throws {
    var fixture = try AdminFixture(folder: folder.path)
    let admin = fixture.admin()
    for line in ["ban 192.0.2.0/24 7d", "ban ann", "mute bob 1h", "motd Welcome!"] {
      admin.sendOnly(line)
      fixture.server.network.run()
      // Nobody is told before the disk has it.
      #expect(try admin.hear() == [])
      fixture.settle()
      #expect(try admin.hearTypes() == ["done"])
    }
    let bans = try admin.ask("bans")
    #expect(bans.count == 4)
    fixture = try AdminFixture(folder: folder.path)
    #expect(try fixture.admin().ask("bans") == bans)
    #expect(
      try fixture.server.client().ask("login eve").last
        == ["type": "announcement", "text": "Welcome!"])
    #expect(try fixture.server.client().askTypes("login ann") == ["badName"])
    #expect(fixture.server.client(from: "192.0.2.9").isClosedByServer)
  }

  @Test func `a greeting that was removed stays away after a restart`() throws {
    let settings = ServerSettings(turn: nil, inviteWithin: nil, motd: "Hello.")
    var fixture = try AdminFixture(settings: settings, folder: folder.path)
    #expect(try fixture.server.client().askTypes("login ann") == ["didLogin", "announcement"])
    fixture.admin().sendOnly("motd none")
    fixture.server.network.run()
    fixture.settle()
    fixture = try AdminFixture(settings: settings, folder: folder.path)
    #expect(try fixture.server.client().askTypes("login ann") == ["didLogin"])
  }

  @Test func `the file is for its owner only, and a half-written one does no harm`() throws {
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(path).new"))
    try OperatorFile.write(OperatorRecord(motd: "Hi"), in: folder.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(!FileManager.default.fileExists(atPath: "\(path).new"))
    #expect(try OperatorFile.read(in: folder.path) == OperatorRecord(motd: "Hi"))
  }

  @Test func `a half-written file is removed at the start, and decisions stay`() throws {
    try OperatorFile.write(OperatorRecord(motd: "Hi"), in: folder.path)
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(path).new"))
    let fixture = try AdminFixture(folder: folder.path)
    #expect(!FileManager.default.fileExists(atPath: "\(path).new"))
    #expect(try fixture.server.client().askTypes("login ann") == ["didLogin", "announcement"])
  }

  @Test(arguments: [
    "", "{", "[]", #"{"bans":7}"#, #"{"bans":[{}]}"#, #"{"bans":[{"network":"10.0.0.0/99"}]}"#,
    #"{"mutes":[{"name":""}]}"#,
  ])
  func `a damaged file is a sentence and exit code 65`(text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StartError.self) { try OperatorFile.read(in: folder.path) }
    #expect(error?.code == .damaged)
    #expect(error?.sentence.contains(path) == true)
  }

  @Test func `a ban that an older server took for one of a name is named at the start`() throws {
    let text = #"{"bans":[{"name":"198.51.100.7:40312"},{"name":"192.0.2"},{"name":"name:ann"}]}"#
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let record = try OperatorFile.read(in: folder.path)
    #expect(record.namesLikeAddresses.map(\.text).sorted() == ["192.0.2", "198.51.100.7:40312"])
    let fixture = try AdminFixture(folder: folder.path)
    let admin = fixture.admin()
    let bans = try admin.ask("bans")
    #expect(bans.count == 4)
    admin.say("unban name:192.0.2")
    fixture.settle()
    let left = try OperatorFile.read(in: folder.path)
    #expect(left.namesLikeAddresses.map(\.text) == ["198.51.100.7:40312"])
  }

  @Test func `without a file there is nothing`() throws {
    #expect(try OperatorFile.read(in: folder.path) == OperatorRecord())
  }

  @Test func `a change that cannot be written is refused with the reason, and holds`() throws {
    let missing = "\(folder.path)/missing"
    let fixture = try AdminFixture(folder: missing)
    let admin = fixture.admin()
    admin.sendOnly("ban 192.0.2.7")
    fixture.server.network.run()
    fixture.settle()
    let reply = try #require(try admin.hear().first)
    #expect(reply["code"] == "full")
    #expect(reply["message"]?.text?.contains("operator.json cannot be written (No such") == true)
    #expect(fixture.server.client(from: "192.0.2.7").isClosedByServer)
  }

  @Test func `a session with a banned name ends when its match is taken up again`() throws {
    let fixture = try AdminFixture(folder: folder.path)
    let (ann, bob) = try fixture.server.players()
    let name = try PlayerName("ann")
    fixture.server.commands.moderation.ban(.name(name), Term(end: nil))
    #expect(fixture.server.commands.enforceBans() == EndedByBan(connections: 1))
    fixture.server.network.run()
    #expect(try ann.hearTypes() == ["gameDidEnd", "matchDidEnd", "bye kicked"])
    #expect(try bob.hearTypes() == ["gameDidEnd", "matchDidEnd"])
  }
}
