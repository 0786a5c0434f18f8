import Foundation
import Shared

/// The limits of the page, and the names and proxies that it trusts.
struct WebSettings: Equatable {
  /// The limits on what strangers can open.
  var maxTabs = 200
  var maxTabsOfAddress = 20
  /// The names of this host in links, in lower case, besides addresses.
  var names: [String] = []
  /// The proxies whose word about the address of a browser counts.
  var proxies: [IPNetwork] = []

  /// The maximum number of connections: a page for each tab, and those without a tab, such as
  /// requests for files.
  var maxConnections: Int { 2 * maxTabs + 64 }

  /// The maximum number of connections from one IPv4 address or one /64 of IPv6.
  var maxConnectionsOfAddress: Int { 2 * maxTabsOfAddress + 8 }

  func isProxy(_ peer: IPAddress) -> Bool { proxies.contains { $0.contains(peer) } }

  /// Whether browsers may ask for a host. A page of another site whose name leads here, too, is
  /// not served: it would be of the same origin as this one.
  func allows(host: String?) -> Bool {
    guard let host else { return false }
    return names.contains(host) || host == "localhost" || host.hasSuffix(".localhost")
      || IPAddress(host) != nil
  }

  static var namesOfMachine: [String] {
    let name = ProcessInfo.processInfo.hostName.lowercased()
    return [name, "\(name).local"]
  }
}
