import Foundation
import Shared

/// An address 127.0.x.y. All of them are this machine, so each can stand for a host of its own.
struct LoopbackAddress: Hashable, Sendable {
  /// The source address of all attacks.
  static let attacker = LoopbackAddress(0, 2)

  private let third: UInt8
  private let fourth: UInt8

  init(_ third: UInt8, _ fourth: UInt8) {
    self.third = third
    self.fourth = fourth
  }

  /// One of 250 addresses 127.0.`third`.1 to .250.
  init(_ third: UInt8, number: Int) { self.init(third, UInt8(1 + number % 250)) }

  /// Passes the address in the form that system calls take.
  func withSystemAddress<Value>(
    port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
  ) -> Value {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (127 << 24 | UInt32(third) << 8 | UInt32(fourth)).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension LoopbackAddress: CustomStringConvertible {
  var description: String { "127.0.\(third).\(fourth)" }
}
