import Foundation
import Shared

/// What the page needs of a request.
extension HTTPRequest {
  /// The host that the browser has asked, in lower case and without a port; `nil` if it names none.
  var host: String? {
    fields["host"].flatMap { HostPort($0) }?.host.lowercased()
  }

  /// The key of a WebSocket handshake (RFC 6455) that a page of this same host has begun; `nil` for
  /// anything else.
  var webSocketKey: String? {
    guard method == "GET", fields["upgrade"]?.lowercased() == "websocket",
      fields["connection"]?.lowercased().contains("upgrade") == true,
      fields["sec-websocket-version"] == "13", let key = fields["sec-websocket-key"],
      Data(base64Encoded: key)?.count == 16, isFromSameOrigin
    else { return nil }
    return key
  }

  /// Whether the page that sends the request comes from the host that it goes to.
  private var isFromSameOrigin: Bool {
    guard let host = fields["host"], !host.isEmpty, let origin = fields["origin"] else {
      return false
    }
    return ["http://\(host)", "https://\(host)"].contains(origin)
  }

  /// Returns the address of the browser: that of the peer, unless it is a trusted proxy. Then the
  /// last address that is not one itself, of `Forwarded` (RFC 7239) or `X-Forwarded-For`: a proxy
  /// adds at the end, and whatever stands before may be made up by the visitor. A proxy writes one
  /// of the two; if they disagree, the other one is made up, and neither counts.
  func visitor(from peer: IPAddress, behind proxies: [IPNetwork]) -> IPAddress {
    let visitors = [forwarded, forwardedFor].compactMap(\.self).map { hops in
      var visitor = peer
      for address in hops.reversed() {
        guard proxies.contains(where: { $0.contains(visitor) }), let address else { break }
        visitor = address
      }
      return visitor
    }
    guard let first = visitors.first, visitors.allSatisfy({ $0 == first }) else { return peer }
    return first
  }

  /// The addresses that proxies have written down, the first one first; `nil` for one that is
  /// hidden or no address.
  private var forwarded: [IPAddress?]? {
    fields["forwarded"]?.split(separator: ",").map { hop in
      hop.split(separator: ";").map { String($0).trimmed }
        .first { $0.lowercased().hasPrefix("for=") }
        .flatMap { Self.address($0.dropFirst(4)) }
    }
  }

  private var forwardedFor: [IPAddress?]? {
    fields["x-forwarded-for"]?.split(separator: ",").map(Self.address)
  }

  /// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `"[2001:db8::1]:4711"`.
  private static func address(_ text: Substring) -> IPAddress? {
    let text = text.filter { $0 != "\"" && !$0.isWhitespace }
    return IPAddress(text) ?? HostPort(text).flatMap { IPAddress($0.host) }
  }
}
