import Shared
import Testing

@testable import Server

@Suite struct ProxyHeaderTests {
  static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

  /// A header of version 2 with the right length.
  static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
    signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
  }

  static let ipv4: [UInt8] = [1, 2, 3, 4, 9, 9, 9, 9, 0xc3, 0x51, 0x1e, 0x61]
  static let ipv6: [UInt8] =
    [0x20, 0x01, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [0x12]
    + Array(repeating: 9, count: 16) + [0xc3, 0x51, 0x1e, 0x61]

  /// Headers with their sources.
  static let good: [([UInt8], String?)] = [
    (Array("PROXY TCP4 1.2.3.4 9.9.9.9 50001 7777\r\n".utf8), "1.2.3.4:50001"),
    (
      Array("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535\r\n".utf8),
      "255.255.255.255:65535"
    ),
    (Array("PROXY TCP6 2001:db8::12 ::1 50001 7777\r\n".utf8), "[2001:db8::12]:50001"),
    (Array("PROXY UNKNOWN\r\n".utf8), nil),
    (Array("PROXY UNKNOWN whatever stands here\r\n".utf8), nil),
    (binary(0x21, 0x11, ipv4), "1.2.3.4:50001"),
    (binary(0x21, 0x11, ipv4 + [3, 0, 1, 7]), "1.2.3.4:50001"),
    (binary(0x21, 0x11, ipv4 + Array(repeating: 4, count: 3_000)), "1.2.3.4:50001"),
    (binary(0x21, 0x21, ipv6), "[2001:db8::12]:50001"),
    (binary(0x20, 0x00, []), nil),
    (binary(0x20, 0x11, ipv4), nil),
    (binary(0x20, 0xff, [1, 2, 3]), nil),
    (binary(0x21, 0x00, [1, 2, 3]), nil),
    (binary(0x21, 0x12, ipv4), nil),
    (binary(0x21, 0x31, Array(repeating: 0, count: 216)), nil),
  ]

  @Test(arguments: good)
  func `a header with or without a source is parsed, also byte by byte`(
    bytes: [UInt8], source: String?
  ) throws {
    for count in 1..<bytes.count {
      try #require(ProxyHeader(Array(bytes.prefix(count))) == .incomplete, "after \(count) bytes")
    }
    for rest in ["", "login ann\n"] {
      guard case .complete(let found, let length) = ProxyHeader(bytes + rest.utf8) else {
        Issue.record("it is a header")
        continue
      }
      #expect(found?.description == source)
      #expect(length == bytes.count)
    }
  }

  static let bad: [[UInt8]] =
    [
      "login ann", "\n", "PROXY\r\n", "proxy TCP4", "PROXY \r\n", "PROXY TCP4\r\n",
      "PROXY TCP4 1.2.3.4 9.9.9.9 50001 7777\n", "PROXY TCP4 1.2.3.4 9.9.9.9 50001\r\n",
      "PROXY TCP4 1.2.3.4 9.9.9.9 50001 7777 \r\n", "PROXY TCP4  1.2.3.4 9.9.9.9 50001 7777\r\n",
      "PROXY TCP4 01.2.3.4 9.9.9.9 50001 7777\r\n", "PROXY TCP4 1.2.3.4 9.9.9 50001 7777\r\n",
      "PROXY TCP4 1.2.3.4 9.9.9.9 050001 7777\r\n", "PROXY TCP4 1.2.3.4 9.9.9.9 +1 7777\r\n",
      "PROXY TCP4 1.2.3.4 9.9.9.9 65536 7777\r\n", "PROXY TCP4 1.2.3.4 9.9.9.9 1 65536\r\n",
      "PROXY TCP4 ::1 ::1 50001 7777\r\n", "PROXY TCP6 1.2.3.4 9.9.9.9 50001 7777\r\n",
      "PROXY TCP5 1.2.3.4 9.9.9.9 50001 7777\r\n", "PROXY UNKNOWNS\r\n",
      "PROXY UNKNOWN " + String(repeating: "x", count: 92) + "\r\n",
      "PROXY UNKNOWN " + String(repeating: "x", count: 93),
    ].map { Array($0.utf8) } + [
      binary(0x21, 0x11, Array(ipv4.dropLast())), binary(0x21, 0x21, Array(ipv6.dropLast())),
      binary(0x22, 0x11, ipv4), binary(0x11, 0x11, ipv4), binary(0x21, 0x41, ipv4),
      binary(0x21, 0x13, ipv4), signature.dropLast() + [11], [13, 11],
    ]

  @Test(arguments: bad)
  func `bytes that are not a header are broken`(bytes: [UInt8]) {
    #expect(ProxyHeader(bytes) == .broken)
  }
}
