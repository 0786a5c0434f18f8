import Foundation
import Shared

/// The terms of banned networks. A look-up takes one step for each different length of a prefix,
/// however many networks there are.
struct NetworkTable {
  private var terms: [IPNetwork: Term] = [:]
  /// How many networks have a prefix of each length.
  private var counts = [Int](repeating: 0, count: 129)
  /// The lengths that occur.
  private var lengths: [Int] = []

  var isEmpty: Bool { terms.isEmpty }

  subscript(network: IPNetwork) -> Term? {
    get { terms[network] }
    set {
      let old = terms.updateValue(newValue ?? Term(end: nil), forKey: network)
      if newValue == nil { terms[network] = nil }
      counts[network.prefix] += (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      lengths = counts.indices.filter { counts[$0] > 0 }
    }
  }

  /// The terms of all networks that contain an address. An IPv4 address is in no IPv6 network.
  func terms(of address: IPAddress) -> [Term] {
    lengths.compactMap { length in
      address.isIPv4 && length < IPNetwork.ipv4Prefix
        ? nil : terms[IPNetwork(address, prefix: length)]
    }
  }

  /// The networks whose term has not ended, in the order of their texts.
  func all(at now: Date) -> [(network: IPNetwork, term: Term)] {
    terms.filter { !$0.value.hasEnded(at: now) }.map { (network: $0.key, term: $0.value) }
      .sorted { $0.network.description < $1.network.description }
  }
}
