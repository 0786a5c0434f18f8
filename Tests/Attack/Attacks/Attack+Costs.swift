import Shared

extension Attack {
  /// Attacks that cost the server more time or memory than the attacker.
  static var costs: [Attack] {
    let pace = Duration.microseconds(33_333)
    return [
      Attack(
        name: "lists",
        about: "900 connections list 49,000 dropped matches, 200 times a second in all",
        phases: [
          droppedMatches(atMost: 49_000),
          flood(
            Flood.Plan(
              connections: 900, greeting: logIn, piece: { _ in Array("list matches\n".utf8) },
              interval: .milliseconds(4_500))),
        ]),
      Attack(
        name: "dropped", about: "20 connections at a time log in, start bot and reset",
        phases: [droppedMatches()]),
      Attack(
        name: "long-names",
        about: "100 connections start with a name of 432 × U+FDFA, 30 times a second each",
        phases: [
          flood(
            Flood.Plan(
              connections: 100, greeting: logIn, piece: { _ in Bytes.startWithLongName },
              interval: pace))
        ], thresholds: Thresholds(lineCost: 60_000)),
      Attack(
        name: "logins",
        about: "100 connections log in with a taken Unicode name, 30 times a second each",
        phases: [
          flood(
            Flood.Plan(connections: 100, piece: { _ in Bytes.loginWithTakenName }, interval: pace))
        ], thresholds: Thresholds(lineCost: 60_000)),
      Attack(
        name: "spectators", about: "9 matches that chat, each with 90 spectators who never read",
        phases: [{ SlowSpectators(context: $0) }]),
      Attack(
        name: "unread", about: "900 connections ask for lists and help and never read",
        phases: [
          flood(
            Flood.Plan(
              connections: 900, greeting: logIn,
              piece: { _ in Array("list\nhelp\nlist matches\nhelp\n".utf8) },
              interval: .milliseconds(100), reads: false, receiveBuffer: 4_096))
        ]),
      Attack(
        name: "memory", about: "unread answers and dropped matches, and then quiet",
        serverArguments: ["--resume-within", "2s"], phases: [churn(closing), droppedMatches()],
        thresholds: Thresholds(givesMemoryBack: true)),
    ]
  }
}
