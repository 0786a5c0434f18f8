import Shared

extension Attack {
  /// Attacks on what honest players see.
  static var people: [Attack] {
    [
      Attack(
        name: "invitations", about: "990 players invite one honest player",
        phases: [
          flood(
            Flood.Plan(
              connections: 990,
              greeting: { Array("login attacker-\($0)\nstart \(GuestProbe.name)\n".utf8) }))
        ], makeProbe: { GuestProbe(.invitee, context: $0) }),
      Attack(
        name: "requests",
        about: "20 connections invite one honest player, open codes, decline, and take it back",
        phases: [
          flood(
            Flood.Plan(greeting: logIn, piece: { _ in Bytes.requests }, interval: .milliseconds(20))
          )
        ], makeProbe: { GuestProbe(.invitee, context: $0) }),
      Attack(
        name: "codes", about: "20 connections guess codes as fast as they can",
        phases: [flood(Flood.Plan(greeting: logIn, piece: { _ in Bytes.joins }))]),
      Attack(
        name: "pairing",
        about: "a player leaves each match at once, while 16 others look for a game with anyone",
        phases: [{ PairingAttacker(context: $0) }], makeProbe: { PairingProbe(context: $0) }),
      Attack(
        name: "chat-player", about: "an opponent who chats and never moves",
        phases: [{ ChatFlooder(.opponent, context: $0) }],
        makeProbe: { GuestProbe(.opponent, context: $0) }),
      Attack(
        name: "chat-spectator", about: "one chatting spectator in each match of honest players",
        phases: [{ ChatFlooder(.spectator, context: $0) }]),
    ]
  }

  /// The server is stopped for a while, as by a slow disk or a busy host.
  static var stalls: [Attack] {
    StallProbe.Deadline.allCases.map { deadline in
      Attack(
        name: "stall-\(deadline)", about: "the server is stopped for 3 s while \(deadline.about)",
        serverArguments: StallProbe.arguments(for: deadline),
        makeProbe: { StallProbe(deadline, context: $0) }, hasPopulation: false)
    }
  }
}
