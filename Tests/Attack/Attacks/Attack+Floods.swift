import Shared

extension Attack {
  /// Floods of lines and of other bytes.
  static var floods: [Attack] {
    [
      fast("pings", "pings", Bytes.pings),
      fast("blanks", "blank lines", Bytes.blankLines),
      fast("long-lines", "lines of 4,096 bytes", Bytes.longLines),
      fast("junk", "random bytes", Bytes.junk),
      fast("http", "HTTP requests", Bytes.http),
      fast("tls", "TLS hellos", Bytes.tls),
      fast("resumes", "resumes with random tokens", Bytes.resumes),
      Attack(
        name: "half-lines", about: "900 connections each send most of a line and never its end",
        phases: [flood(Flood.Plan(connections: 900, greeting: { _ in Bytes.halfLine }))]),
      belowLimit("limits", connections: 500, "ping"),
      belowLimit("helps", connections: 100, "help"),
    ]
  }

  private static func fast(_ name: String, _ about: String, _ bytes: [UInt8]) -> Attack {
    Attack(
      name: name, about: "20 connections send \(about) as fast as they can",
      phases: [flood(Flood.Plan(piece: { _ in bytes }))])
  }

  /// The default limit is 1,000 lines a second.
  private static func belowLimit(_ name: String, connections: Int, _ command: String) -> Attack {
    let bytes = Array(String(repeating: "\(command)\n", count: 18).utf8)
    return Attack(
      name: name,
      about: "\(connections) connections each send \(command) 900 times a second, below the limit",
      phases: [
        flood(
          Flood.Plan(connections: connections, piece: { _ in bytes }, interval: .milliseconds(20)))
      ])
  }
}
