#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct SocketAddressTests {
  @Test(arguments: ["1.2.3.4:7777", "[::1]:7777", "[2001:db8::12]:7777"])
  func `an address is described as it is written`(text: String) throws {
    let host = text.dropLast(5).filter { $0 != "[" && $0 != "]" }
    let found = try SocketAddress.resolve(host: host, port: 7777, passive: false)
    #expect(found.map(\.description) == [text])
  }

  @Test func `without a host, passive addresses are all interfaces, others the loopback`()
    throws
  {
    let any = try SocketAddress.resolve(host: nil, port: 7, passive: true)
    #expect(Set(any.map(\.description)) == ["0.0.0.0:7", "[::]:7"])
    let loopback = try SocketAddress.resolve(host: nil, port: 7, passive: false)
    #expect(Set(loopback.map(\.description)) == ["127.0.0.1:7", "[::1]:7"])
  }

  @Test func `a host without an address throws its name`() {
    let error = #expect(throws: ResolveError.self) {
      try SocketAddress.resolve(host: "not a host", port: 7, passive: false)
    }
    #expect(error?.host == "not a host")
  }

  @Test func `a system error is a sentence that names its call`() {
    let error = SystemError(call: "bind", code: EADDRINUSE)
    #expect(error.description == "bind: Address already in use")
  }
}
