import Testing

@testable import Shared

@Suite struct IPAddressTests {
  @Test(arguments: ["1.2.3.4", "0.0.0.0", "255.255.255.255", "::1", "::", "2001:db8::ff:12"])
  func `an address is the same as text, as bytes and with a port`(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(IPAddress(address.bytes) == address)
    let socket = SocketAddress(address, port: 7)
    #expect(socket.ip == address)
    #expect(socket == (try SocketAddress.resolve(host: text, port: 7, passive: false)[0]))
    #expect(address.isIPv4 == text.contains("."))
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\0",
    "localhost", ":", ":::", "1::2::3", "12345::", "::1%lo", "[::1]", "1.2.3.4:5",
  ])
  func `other texts and bytes are not addresses`(text: String) {
    #expect(IPAddress(text) == nil)
    #expect(IPNetwork(text) == nil)
  }

  @Test func `an IPv4 address that is mapped into IPv6 equals that IPv4 address`() throws {
    let mapped = try #require(IPAddress("::ffff:1.2.3.4"))
    #expect(mapped == IPAddress("1.2.3.4"))
    #expect(mapped.isIPv4)
    #expect(IPAddress("::1.2.3.4") != mapped)
    #expect(SocketAddress(mapped, port: 7).description == "1.2.3.4:7")
    let system = try SocketAddress.resolve(host: "::ffff:1.2.3.4", port: 7, passive: false)[0]
    #expect(system.ip == mapped)
  }

  @Test func `the subnet is an IPv4 address itself, or the 64 of an IPv6 address`() {
    func subnet(_ text: String) -> IPAddress? { IPAddress(text)?.subnet }
    #expect(subnet("1.2.3.4") == subnet("::ffff:1.2.3.4"))
    #expect(subnet("1.2.3.4") != subnet("1.2.3.5"))
    #expect(subnet("2001:db8::1") == subnet("2001:db8::ffff:ffff:ffff:ffff"))
    #expect(subnet("2001:db8::1") != subnet("2001:db8:0:1::1"))
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.1.2.3/8", "10.9.9.9", true), ("10.1.2.3", "10.1.2.3", true),
    ("10.1.2.3", "10.1.2.2", false), ("10.1.2.3/32", "10.1.2.3", true),
    ("10.1.2.3/32", "10.1.2.2", false), ("0.0.0.0/0", "9.9.9.9", true),
    ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("::/0", "9.9.9.9", true),
    ("::1", "::1", true), ("::1", "::2", false), ("::1/128", "::2", false),
    ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::", false),
    ("fe80::/64", "fe80::ffff:0:0:1", true), ("fe80::/65", "fe80::ffff:0:0:1", false),
    ("10.0.0.0/8", "::ffff:10.0.0.1", true), ("192.168.4.0/22", "192.168.7.255", true),
    ("192.168.4.0/22", "192.168.8.0", false),
  ])
  func `a network contains the addresses that begin with its bits`(
    network: String, address: String, isIn: Bool
  ) throws {
    let address = try #require(IPAddress(address))
    #expect(try #require(IPNetwork(network)).contains(address) == isIn)
  }

  @Test(arguments: [
    ("10.1.2.3/8", "10.0.0.0/8", 104), ("1.2.3.4", "1.2.3.4", 128), ("1.2.3.4/32", "1.2.3.4", 128),
    ("0.0.0.0/0", "0.0.0.0/0", 96), ("2001:db8::7/32", "2001:db8::/32", 32), ("::/0", "::/0", 0),
    ("2001:db8::/65", "2001:db8::/65", 65), ("::1", "::1", 128), ("fe80::/64", "fe80::/64", 64),
  ])
  func `a network is described by its first address and the length of its prefix`(
    text: String, description: String, prefix: Int
  ) throws {
    let network = try #require(IPNetwork(text))
    #expect(network.description == description)
    #expect(network.prefix == prefix)
    let first = try #require(IPAddress(String(description.prefix { $0 != "/" })))
    #expect(IPNetwork(first, prefix: prefix) == network)
  }

  @Test(arguments: [
    "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "/8",
    "10.0.0.0/8/8", "10.0.0.0/8 ", "10/8", "::1/99999999999999999999",
  ])
  func `a network with an invalid number of bits is refused`(text: String) {
    #expect(IPNetwork(text) == nil)
  }
}
