import Shared
import Testing

@testable import Client

/// What people who share an account over ssh can reach, and what the server learns about them.
@Suite struct KioskTests {
  private func options(_ words: [String]) throws -> ClientOptions {
    guard case .play(let settings) = try ClientOptions.parse(words) else {
      throw UsageError("\(words) does not play")
    }
    return ClientOptions(settings)
  }

  @Test(arguments: [
    ("192.0.2.7 50000 198.51.100.1 22", "PROXY TCP4 192.0.2.7 198.51.100.1 50000 22\r\n"),
    ("2001:db8::7 50000 2001:db8::1 22", "PROXY TCP6 2001:db8::7 2001:db8::1 50000 22\r\n"),
    ("fe80::7%eth0 50000 fe80::1%eth0 22", "PROXY TCP6 fe80::7 fe80::1 50000 22\r\n"),
    ("192.0.2.7 50000 2001:db8::1 22", "PROXY UNKNOWN\r\n"),
    ("192.0.2.7 70000 198.51.100.1 22", "PROXY UNKNOWN\r\n"),
    ("x 1 y 2", "PROXY UNKNOWN\r\n"), ("UNKNOWN", "PROXY UNKNOWN\r\n"), ("", "PROXY UNKNOWN\r\n"),
  ])
  func `the header has the address that sshd has seen`(connection: String, header: String) {
    let session = SSHSession(in: ["SSH_CONNECTION": connection])
    #expect(String(decoding: session.proxyHeader, as: UTF8.self) == header)
  }

  @Test func `without sshd the header says that the address is unknown`() {
    #expect(SSHSession(in: [:]).proxyHeader == Array("PROXY UNKNOWN\r\n".utf8))
  }

  @Test func `each key has a folder of its own`() {
    let long = String(repeating: "Ab/+", count: 120)
    let folder = SSHSession.keyFolder(for: "publickey ssh-rsa \(long)=\n")
    #expect(folder?.hasPrefix("key/Ab_+Ab_+") == true)
    #expect(folder?.split(separator: "/").map(\.count) == [3, 200, 200, 81])
    #expect(
      SSHSession.keyFolder(for: "password\npublickey ssh-ed25519 AAAA\n") == "key/AAAA")
    for contents in ["", "password\n", "publickey ssh-rsa ../../etc\n", "publickey ssh-rsa\n"] {
      #expect(SSHSession.keyFolder(for: contents) == nil)
    }
  }

  @Test func `a person without a key leaves no token behind`() throws {
    let environment = ["HOME": "/home/play"]
    let session = SSHSession(in: environment)
    #expect(try options(["--kiosk"]).tokenFolder(in: environment, session) == nil)
    #expect(
      try options([]).tokenFolder(in: environment, session) == "/home/play/.local/state/tictactoe")
  }

  @Test(arguments: [
    ("join k7w2mx", LaunchAction.join("k7w2mx")), ("watch zrg3", .watch("zrg3")),
    ("replay zrg3", .replay("zrg3")), ("start bot", .start(against: .bot)),
  ])
  func `a visitor begins with what stands after the host`(command: String, action: LaunchAction)
    throws
  {
    let session = SSHSession(in: ["SSH_ORIGINAL_COMMAND": command])
    #expect(try session.launchAction == action)
  }

  @Test(arguments: [
    "sh", "join", "join a b", "scp -f /etc/passwd", "../start bot", "--exec sh", "game four",
    "join a; sh",
  ])
  func `no other command is carried out`(command: String) {
    let session = SSHSession(in: ["SSH_ORIGINAL_COMMAND": command])
    #expect(throws: UsageError.self) { try session.launchAction }
  }

  @Test func `a file to replay is the id of a match to a visitor`() throws {
    let session = SSHSession(in: ["SSH_ORIGINAL_COMMAND": "replay /etc/passwd"])
    #expect(try session.launchAction == .replay("/etc/passwd"))
  }

  @Test func `nothing that reaches beyond the server goes with a kiosk`() {
    for other in [["--local"], ["--exec", "sh"], ["--replay", "./file"]] {
      #expect(throws: UsageError.self) { try options(["--kiosk"] + other) }
    }
    for other in [["--tls"], ["--tls-ca", "file"], ["--local"], ["--exec", "sh"]] {
      #expect(throws: UsageError.self) { try options(["--send-proxy"] + other) }
    }
  }

  @Test func `a visitor cannot suspend the program`() throws {
    #expect(try !options(["--kiosk"]).screenSettings(in: [:]).canSuspend)
    #expect(try options([]).screenSettings(in: [:]).canSuspend)
  }

  @Test func `a friend gets the line of the operator with the code`() {
    let address = ServerAddress(host: "localhost", port: 7_777)
    let line = "ssh -t play@games.example join CODE"
    let friend = FriendCode(code: "k7w2mx", address: address, friendLine: line)
    #expect(friend.line == "ssh -t play@games.example join k7w2mx")
    #expect(FriendCode(code: "k7w2mx", address: address).line == nil)
  }
}
