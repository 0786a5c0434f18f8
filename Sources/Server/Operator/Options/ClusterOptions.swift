import Foundation
import Shared

/// What a node of a cluster is told by its options.
struct ClusterOptions: Equatable {
  /// The allowed numbers of replicas.
  static let replicas = 0...5

  var engine: RedisAddress
  /// How many replicas of the engine confirm what is written.
  var replicas = 1
  /// How long after the last word of `archive --follow` finished matches are kept without a limit.
  var keep: Duration = .seconds(3_600)
  /// The name of the node.
  var node: String
  /// Where clients reach the node: `host:port`, or only a host if the port is the one that the node
  /// listens on. An IPv6 address is in brackets.
  var advertise: String

  /// Whether the port is said, and not that on which the node listens.
  var advertisesPort: Bool {
    HostPort(advertise)?.port != nil
  }

  /// Returns where clients reach a node that listens on a port: `host:port`.
  func address(listeningOn port: UInt16) -> String {
    advertisesPort ? advertise : "\(advertise):\(port)"
  }
}

/// The options of a cluster while they are set, one after the other. Each is kept with its name as
/// the person wrote it.
struct ClusterSettings {
  private var url: (name: String, engine: RedisAddress)?
  private var file: (name: String, engine: RedisAddress)?
  var replicas: (name: String, count: Int)?
  var keep: (name: String, time: Duration)?
  private var node: (name: String, value: String)?
  private var address: (name: String, value: String)?

  var engine: RedisAddress? { (url ?? file)?.engine }

  /// - Throws: if it is no URL of an engine, or there is one already. The error does not contain
  ///   it, because of its password.
  mutating func setRedis(to text: String, by name: String) throws(UsageError) {
    let engine: RedisAddress
    do throws(UsageError) {
      engine = try RedisAddress(text)
    } catch {
      throw UsageError("\(name) takes \(error.message)")
    }
    guard url == nil else { throw Self.secondEngine(by: name) }
    url = (name, engine)
    try checkSource()
  }

  /// Reads the URL of the engine.
  ///
  /// - Throws: if the file cannot be read or has anything else in it, or there is an engine
  ///   already.
  mutating func setRedis(inFile path: String, by name: String) throws(UsageError) {
    guard file == nil else { throw Self.secondEngine(by: name) }
    guard !path.isEmpty else { throw UsageError("\(name) takes a file.") }
    let contents: Data?
    do throws(ConfigurationError) {
      contents = try ConfigurationFile(path: path, example: RedisAddress.usage).contents()
    } catch {
      throw UsageError("\(name): \(error.message)")
    }
    guard let contents else { throw UsageError("\(name): There is no file \(path).") }
    do throws(UsageError) {
      file = (
        name,
        try RedisAddress(
          String(decoding: contents, as: UTF8.self).trimmed,
          in: URL(fileURLWithPath: path).deletingLastPathComponent().path)
      )
    } catch {
      throw UsageError("\(name): \(path) has to contain one line, \(error.message)")
    }
    try checkSource()
  }

  /// Other options may be repeated, and the last one counts. Here somebody may mean both.
  private static func secondEngine(by name: String) -> UsageError {
    UsageError("\(name) is there twice, and a cluster has one engine. Leave one of them out.")
  }

  private func checkSource() throws(UsageError) {
    guard let url, let file else { return }
    throw UsageError("\(url.name) and \(file.name) both name the engine. Leave one of them out.")
  }

  mutating func setNode(to value: String, by name: String) throws(UsageError) {
    guard Life.isNodeName(value) else {
      throw UsageError(
        "\(name) takes 1 to 32 letters, digits, dots, hyphens and underscores, not “\(value)”.")
    }
    node = (name, value)
  }

  mutating func setAddress(to value: String, by name: String) throws(UsageError) {
    guard Self.isAddress(value) else {
      throw UsageError("\(name) takes HOST, HOST:PORT or [IPV6]:PORT, not “\(value)”.")
    }
    address = (name, value)
  }

  /// Returns the options together, with defaults for a host of a name; `nil` if nothing says that
  /// the server is in a cluster.
  ///
  /// - Throws: if one option needs another one, or the host's name is no default.
  func options(onHost hostName: String) throws(UsageError) -> ClusterOptions? {
    guard let engine else {
      if let name = replicas?.name ?? keep?.name ?? node?.name ?? address?.name {
        throw UsageError("\(name) works only in a cluster. Set --cluster or --cluster-file too.")
      }
      return nil
    }
    let label = String(hostName.prefix { $0 != "." })
    guard let node = node?.value ?? (Life.isNodeName(label) ? label : nil) else {
      throw UsageError("This host's name, “\(label)”, cannot be that of a node. Set --node NAME.")
    }
    guard let address = address?.value ?? (Self.isAddress(hostName) ? hostName : nil) else {
      throw UsageError(
        "This host's name, “\(hostName)”, cannot be advertised. Set --advertise HOST:PORT.")
    }
    var options = ClusterOptions(engine: engine, node: node, advertise: address)
    if let replicas { options.replicas = replicas.count }
    if let keep { options.keep = keep.time }
    return options
  }

  /// The name of this host; empty if the system does not tell.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func isAddress(_ text: String) -> Bool {
    guard let address = HostPort(text), address.hasBracketsAroundIPv6 else { return false }
    return address.host.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-._:".contains($0))
    }
  }
}
