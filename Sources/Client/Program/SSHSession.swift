import Foundation
import Shared

/// The session in which sshd runs this program, as the environment describes it; see sshd(8) and
/// `ExposeAuthInfo` in sshd_config(5).
struct SSHSession {
  /// A key of a person has up to this many bytes, with its type.
  private static let maxKeyFile = 65_536
  /// The longest name of a folder that every file system takes, with room to spare.
  private static let maxFolderName = 200
  private let environment: [String: String]

  init(in environment: [String: String]) {
    self.environment = environment
  }

  /// The header that tells the server the address of the person (haproxy.org, proxy-protocol.txt,
  /// version 1). Without an address, it says that it is unknown.
  var proxyHeader: [UInt8] {
    let words = (environment["SSH_CONNECTION"] ?? "").split(separator: " ")
    // An address of the local network may end in the name of an interface.
    let hosts = words.enumerated().filter { $0.offset % 2 == 0 }
      .map { String($0.element.prefix { $0 != "%" }) }
    let ports = words.enumerated().filter { $0.offset % 2 == 1 }
      .compactMap { UInt16($0.element) }
    guard words.count == 4, ports.count == 2, let family = Self.family(of: hosts) else {
      return Array("PROXY UNKNOWN\r\n".utf8)
    }
    return Array(
      "PROXY \(family) \(hosts[0]) \(hosts[1]) \(ports[0]) \(ports[1])\r\n".utf8)
  }

  private static func family(of hosts: [String]) -> String? {
    if hosts.allSatisfy({ IPAddress(ipv4: $0) != nil }) { return "TCP4" }
    return hosts.allSatisfy { IPAddress(ipv6: $0) != nil } ? "TCP6" : nil
  }

  /// The path of a folder that only the key of this person leads to: the key itself. `nil` if the
  /// person has logged in without a key, or sshd does not say.
  var keyFolder: String? {
    guard let path = environment["SSH_USER_AUTH"],
      let contents = FileManager.default.contents(atPath: path),
      contents.count <= Self.maxKeyFile
    else { return nil }
    return Self.keyFolder(for: String(decoding: contents, as: UTF8.self))
  }

  /// Returns the folder for the first key in a file of sshd: lines such as `publickey TYPE KEY`.
  static func keyFolder(for contents: String) -> String? {
    let lines = contents.split(separator: "\n").map { $0.split(separator: " ") }
    guard let key = lines.first(where: { $0.first == "publickey" && $0.count == 3 })?[2],
      key.utf8.allSatisfy(isBase64)
    else { return nil }
    let name = String(key.map { $0 == "/" ? "_" : $0 })
    let starts = stride(from: 0, to: name.utf8.count, by: maxFolderName)
    let folders = starts.map { String(name.dropFirst($0).prefix(maxFolderName)) }
    return (["key"] + folders).joined(separator: "/")
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }

  /// What the person has typed after the host: `join CODE`, `watch MATCH`, `replay MATCH` or
  /// `start OPPONENT`; `nil` for nothing.
  ///
  /// - Throws: if it is something else. No shell ever sees it.
  var launchAction: LaunchAction? {
    get throws(UsageError) {
      let words = (environment["SSH_ORIGINAL_COMMAND"] ?? "").split(separator: " ")
      guard !words.isEmpty else { return nil }
      let path = words.map {
        $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      }
      let url = try? ServerURL("\(ServerURL.scheme)://visitor/\(path.joined(separator: "/"))")
      guard let action = url?.action else {
        throw UsageError(
          "After the host only join CODE, watch MATCH, replay MATCH or start OPPONENT may follow.")
      }
      return action
    }
  }
}
