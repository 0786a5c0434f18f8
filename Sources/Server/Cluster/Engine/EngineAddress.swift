import Foundation
import Shared

/// Where the engine is: one address, or the Sentinels that know the address of the primary.
struct EngineAddress: Equatable {
  /// A host and a port.
  struct Place: Equatable {
    let host: String
    let port: UInt16
  }

  enum Kind: Equatable {
    case single(Place)
    /// The Sentinels, and the name that they have for the primary.
    case sentinels([Place], name: String)
  }

  let kind: Kind
  /// `nil` is the engine's default user.
  let user: String?
  /// `nil` for an engine that asks for none.
  let password: String?
  /// The number of the database.
  let database: Int

  static let usage =
    "redis://[USER:PASSWORD@]HOST:PORT[/DB] or"
    + " redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT,…/NAME[/DB]"

  /// Parses a URL. User and password may be percent-encoded, an IPv6 address is in brackets. The
  /// default port is 6379, and 26379 for a Sentinel.
  ///
  /// - Throws: if the text is no such URL. The error does not contain the text, because of its
  ///   password.
  init(_ text: String) throws(UsageError) {
    let error = UsageError("An engine's address is \(Self.usage).")
    guard let scheme = text.range(of: "://"), !text.contains(where: \.isWhitespace) else {
      throw error
    }
    let isSentinel: Bool
    switch text[..<scheme.lowerBound] {
    case "redis": isSentinel = false
    case "redis+sentinel": isSentinel = true
    default: throw error
    }
    var rest = text[scheme.upperBound...]
    var credentials: Substring?
    if let at = rest.lastIndex(of: "@") {
      credentials = rest[..<at]
      rest = rest[rest.index(after: at)...]
    }
    var path = rest.split(separator: "/", omittingEmptySubsequences: false)
    let hosts = path.removeFirst().split(separator: ",", omittingEmptySubsequences: false)
    var places: [Place] = []
    for host in hosts {
      guard let place = Place(host, defaultPort: isSentinel ? 26379 : 6379) else { throw error }
      places.append(place)
    }
    if isSentinel {
      guard !path.isEmpty, let name = path.removeFirst().removingPercentEncoding, !name.isEmpty
      else { throw error }
      kind = .sentinels(places, name: name)
    } else {
      guard places.count == 1 else { throw error }
      kind = .single(places[0])
    }
    // An empty one, as in `redis://host/`, is the first database.
    let number = path.first.map { $0.isEmpty ? 0 : Int($0) ?? -1 } ?? 0
    guard path.count < 2, number >= 0 else { throw error }
    database = number
    guard let credentials else {
      (user, password) = (nil, nil)
      return
    }
    let parts = credentials.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map(\.removingPercentEncoding)
    guard parts.count == 2, let user = parts[0], let password = parts[1], !password.isEmpty
    else { throw error }
    self.user = user.isEmpty ? nil : user
    self.password = password
  }
}

extension EngineAddress.Place {
  /// Parses a host and a port, if it has one. An IPv6 address is in brackets.
  init?(_ text: Substring, defaultPort: UInt16) {
    var host = text
    var digits: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":"), host.contains(":") else { return nil }
      digits = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      digits = text[text.index(after: colon)...]
    }
    guard !host.isEmpty else { return nil }
    self.host = String(host)
    guard let digits else {
      port = defaultPort
      return
    }
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits), port > 0
    else { return nil }
    self.port = port
  }
}

extension EngineAddress.Place: CustomStringConvertible {
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension EngineAddress: CustomStringConvertible {
  /// The address without user and password.
  var description: String {
    let database = database == 0 ? "" : "/\(database)"
    return switch kind {
    case .single(let place): "redis://\(place)\(database)"
    case .sentinels(let places, let name):
      "redis+sentinel://\(places.map(\.description).joined(separator: ","))/\(name)\(database)"
    }
  }
}
