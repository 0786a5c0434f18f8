import Shared

extension Attack {
  private static let helps = String(repeating: "help\n", count: 18)

  /// Asks for a little less output than makes the server pause, and quits.
  static let closing = ConnectionChurn.Plan(
    atOnce: 50, bytes: { _ in Array("\(helps)quit\n".utf8) }, ending: .keep(.seconds(12)),
    receiveBuffer: 4_096)

  /// Attacks on descriptors and the log.
  static var connections: [Attack] {
    [
      Attack(
        name: "connects", about: "connections that are opened and reset as fast as possible",
        phases: [churn(ConnectionChurn.Plan(atOnce: 50))]),
      Attack(
        name: "closing", about: "connections that ask for much, quit, and do not read the answer",
        phases: [churn(closing)]),
      Attack(
        name: "half-closed",
        about: "connections that ask for much, end their input, and do not read",
        phases: [
          churn(
            ConnectionChurn.Plan(
              atOnce: 50, bytes: { _ in Array(helps.utf8) }, ending: .halfClose(.seconds(12)),
              receiveBuffer: 4_096))
        ]),
      Attack(
        name: "newcomers",
        about: "connections beyond the limit, which stay open when they are rejected",
        phases: [
          churn(
            ConnectionChurn.Plan(
              atOnce: 50, until: .received(["hello"]), ending: .linger(.milliseconds(1_200))))
        ]),
      Attack(
        name: "ipv6", about: "12,000 connections from as many /64 of one /48 (PROXY protocol)",
        serverArguments: ["--trust-proxy", LoopbackAddress.attacker.description],
        phases: [
          flood(
            Flood.Plan(
              connections: 12_000,
              greeting: {
                let network = String($0, radix: 16)
                return Array("PROXY TCP6 2001:db8:1:\(network)::1 ::1 5000 7777\r\n".utf8)
              }))
        ], thresholds: Thresholds(descriptors: 10_000)),
    ]
  }
}
