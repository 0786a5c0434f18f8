import Shared
import Testing

@Suite struct HostPortTests {
  @Test(
    arguments: [
      ("host", "host", nil), ("host:80", "host", 80), ("[::1]:80", "::1", 80),
      ("[::1]", "::1", nil),
      ("::1", "::1", nil), ("host:00080", "host", 80), ("[host]:65535", "host", 65_535),
    ] as [(String, String, UInt16?)])
  func `a host is read with its port`(text: String, host: String, port: UInt16?) {
    #expect(HostPort(text)?.host == host)
    #expect(HostPort(text)?.port == port)
    #expect(HostPort(text[...]) == HostPort(text))
  }

  @Test(arguments: [
    "", ":", ":80", "host:", "host:http", "host:0", "host:65536", "host:+1", "[::1]80", "[]",
    "[]:80", "[::1]:", "host:８０",
  ])
  func `anything else is none`(text: String) {
    #expect(HostPort(text) == nil)
  }

  @Test func `port 0 can be allowed`() {
    #expect(HostPort("host:0", portFrom: 0)?.port == 0)
    #expect(HostPort("host:65536", portFrom: 0) == nil)
  }

  @Test(arguments: [
    ("host:80", true), ("[::1]:80", true), ("[host]:80", false), ("::1", false), ("[host", false),
    ("[::1", false),
  ])
  func `brackets belong around IPv6 only`(text: String, areRight: Bool) {
    #expect(HostPort(text)?.hasBracketsAroundIPv6 == areRight)
  }
}
