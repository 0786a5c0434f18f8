import Foundation
import Shared

/// Where the engine is: one address, or the Sentinels that know the address of the primary.
struct RedisAddress: Equatable {
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

  struct Login: Equatable {
    /// `nil` is the default user.
    let user: String?
    let password: String
  }

  /// The files for TLS, in PEM format.
  struct TLSFiles: Equatable {
    /// The certificate of this server, and its key.
    struct Identity: Equatable {
      let certificate: String
      let key: String
    }

    /// The certificates to trust; `nil` for those of the system.
    let authorities: String?
    /// `nil` for an engine that asks for none.
    let identity: Identity?

    var paths: [String] {
      [authorities, identity?.certificate, identity?.key].compactMap { $0 }
    }
  }

  let kind: Kind
  /// `nil` without TLS.
  let tls: TLSFiles?
  /// `nil` for an engine that asks for none.
  let login: Login?
  /// The one of the Sentinels; `nil` if they ask for none.
  let sentinelLogin: Login?
  let database: Int

  static let usage =
    "redis://[USER:PASSWORD@]HOST:PORT[/DB] or"
    + " redis+sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT,…/NAME[/DB], with rediss for TLS"

  /// Parses a URL. User and password may be percent-encoded, an IPv6 address is in brackets. The
  /// default port is 6379, and 26379 for a Sentinel. Relative paths of files begin at `folder`.
  ///
  /// - Throws: if the text is no such URL: `usage` and perhaps further sentences. The error does
  ///   not contain the text, because of its password.
  init(_ text: String, in folder: String? = nil) throws(UsageError) {
    let error = UsageError("\(Self.usage).")
    guard let scheme = text.range(of: "://"), !text.contains(where: \.isWhitespace) else {
      throw error
    }
    let (usesTLS, isSentinel): (Bool, Bool)
    switch text[..<scheme.lowerBound] {
    case "redis": (usesTLS, isSentinel) = (false, false)
    case "redis+sentinel": (usesTLS, isSentinel) = (false, true)
    case "rediss": (usesTLS, isSentinel) = (true, false)
    case "rediss+sentinel": (usesTLS, isSentinel) = (true, true)
    default: throw error
    }
    var rest = text[scheme.upperBound...]
    var credentials: Substring?
    if let at = rest.lastIndex(of: "@") {
      credentials = rest[..<at]
      rest = rest[rest.index(after: at)...]
    }
    var query: RedisQuery?
    if let mark = rest.firstIndex(of: "?") {
      do throws(UsageError) {
        query = try RedisQuery(
          rest[rest.index(after: mark)...], usesTLS: usesTLS, hasSentinels: isSentinel)
      } catch {
        throw UsageError("\(Self.usage). \(error.message)")
      }
      rest = rest[..<mark]
    }
    tls = usesTLS ? query?.files(in: folder) ?? TLSFiles(authorities: nil, identity: nil) : nil
    sentinelLogin = query?.sentinelLogin
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
      login = nil
      return
    }
    let parts = credentials.split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false
    ).map(\.removingPercentEncoding)
    guard parts.count == 2, let user = parts[0], let password = parts[1], !password.isEmpty
    else { throw error }
    login = Login(user: user.isEmpty ? nil : user, password: password)
  }
}

extension RedisAddress.Place {
  /// Parses a host and a port, if it has one. An IPv6 address is in brackets.
  init?(_ text: Substring, defaultPort: UInt16) {
    guard let address = HostPort(text), address.hasBracketsAroundIPv6 else { return nil }
    self.init(host: address.host, port: address.port ?? defaultPort)
  }
}

extension RedisAddress.Place: CustomStringConvertible {
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension RedisAddress: CustomStringConvertible {
  /// The address without users, passwords and files.
  var description: String {
    let scheme = tls == nil ? "redis" : "rediss"
    let database = database == 0 ? "" : "/\(database)"
    return switch kind {
    case .single(let place): "\(scheme)://\(place)\(database)"
    case .sentinels(let places, let name):
      "\(scheme)+sentinel://\(places.map(\.description).joined(separator: ","))/\(name)\(database)"
    }
  }

  /// The address without users and passwords.
  var withFiles: String {
    let files = [
      ("ca", tls?.authorities), ("cert", tls?.identity?.certificate), ("key", tls?.identity?.key),
    ].compactMap { name, path in path.map { "\(name)=\($0)" } }
    return description + (files.isEmpty ? "" : "?" + files.joined(separator: "&"))
  }
}

extension RedisAddress.Login {
  /// The command to log in.
  var command: [String] { ["AUTH"] + (user.map { [$0] } ?? []) + [password] }
}
