import RIBs
import Shared

/// The operator's calls to the program.
protocol AdminProgram: AnyObject {
  /// The data folder; `nil` if nothing is kept.
  var dataFolder: String? { get }
  /// Why the server does not run with its configuration as it is; empty if it does.
  var configurationMistakes: [String] { get }
  /// The options that have another value in the configuration, which the next start takes up.
  var optionsForRestart: [String] { get }
  /// Why no game may begin, as a sentence for people; `nil` if games may begin.
  var whyNotReady: String? { get }
  /// Drains as SIGTERM does; while the server drains, sets another time. Without a time, it is that
  /// of the options.
  func drain(within time: Duration?)
  /// Takes a drain back. Returns false if there is none, or a signal has asked for the stop.
  func endDrain() -> Bool
  /// What Prometheus gets; `nil` if nothing is measured.
  var metricsText: String? { get }
  /// Reads the configuration file again. Returns sentences for people, and whether the settings
  /// were taken up.
  func reload() -> (sentences: [String], isTaken: Bool)
}

/// Carries out the operator's commands, through the lobby and the registries of the server.
final class AdminCommands {
  /// Called once with the reply to a command.
  typealias Answer = CommandAnswer<AdminReply>

  weak var program: (any AdminProgram)?
  let group: any ServerGroup
  let lobby: Lobby
  let matches: MatchRegistry
  let timers: any Timers
  let serverLog: ServerLog
  let start: Duration
  /// Makes passwords.
  let random: RandomSource
  private let connections: ConnectionRegistry
  // The program holds it.
  private unowned let root: any Routing

  init(
    _ parts: ServerParts, group: any ServerGroup, timers: any Timers, serverLog: ServerLog
  ) {
    lobby = parts.lobby
    matches = parts.matches
    connections = parts.connections
    random = parts.random
    root = parts.root
    self.group = group
    self.timers = timers
    self.serverLog = serverLog
    start = timers.now
    group.operatorHost = self
  }

  var moderation: Moderation { lobby.moderation }

  /// Carries out a command, whose fields `line` has. `answer` is called once, at once or later,
  /// unless an error is thrown. `quit` is left to the connection.
  ///
  /// - Throws: the reason for a refusal, after which nothing has changed.
  func perform(
    _ command: AdminCommand, _ line: LineDecoder, by access: AdminAccess = .everything,
    answer: @escaping Answer
  ) throws(CommandError) {
    try access.check(command)
    let message: String
    switch command {
    case .status: return answer(.success(status))
    case .players: return answer(.success(players))
    case .matches: return answer(.success(matchList))
    case .accounts: return accounts(like: line.string(0), answer: answer)
    case .account:
      return account(of: try AdminArguments.name(line), answer: answer)
    case .password:
      return setPassword(of: try AdminArguments.name(line), answer: answer)
    case .forget:
      return forget(try AdminArguments.name(line), answer: answer)
    case .compact: return compact(answer: answer)
    case .bans: return answer(.success(bans))
    case .tree: return answer(.success(tree(of: root)))
    case .metrics: return answer(.success(try metrics()))
    case .cluster: return try showCluster(answer: answer)
    case .move:
      let node = try AdminArguments.node(line)
      return group.move(line.requiredString(0), to: node) { answer($0.map(AdminReply.done)) }
    case .rebalance:
      return try rebalance(try AdminArguments.plan(line), answer: answer)
    case .all: return try performAtAll(line.requiredString(0), by: access, answer: answer)
    case .help: return answer(.success(Self.help(for: line.choice(0))))
    case .quit: return
    case .kick:
      let name = try AdminArguments.name(line).text
      let reason = line.string(1)
      guard let kicked = kickHere(name, because: reason) else {
        return kickElsewhere(name, because: reason, answer: answer)
      }
      message = "\(kicked) was disconnected\(reason.map { ": \($0)" } ?? ".")"
    case .announce: return announce(line.requiredString(0), answer: answer)
    case .drain: message = drain(within: try AdminArguments.time(line))
    case .endDrain: message = try endDrain()
    case .reload: message = try reload()
    case .log: message = setLevel(line.choiceIndex(0) ?? 0)
    case .ban: message = ban(try AdminArguments.ban(line))
    case .unban: message = try unban(try AdminArguments.subject(line))
    case .mute: message = mute(try AdminArguments.mute(line))
    case .unmute: message = try unmute(try AdminArguments.mutedName(line))
    case .motd:
      guard let text = line.string(0) else { return answer(.success(.done(greeting))) }
      message = setGreeting(text)
    }
    guard command.isKept else { return answer(.success(.done(message))) }
    moderation.save { failure in
      switch failure {
      case nil: answer(.success(.done(message)))
      case .notKept(let reason):
        answer(
          .failure(CommandError(.full, "\(message) But \(reason), so this ends with the server.")))
      case .overtaken:
        answer(
          .failure(
            CommandError(
              .unavailable,
              "The operator of another node has just changed something, so this does not hold."
                + " Type the command again.")))
      }
    }
  }

  // MARK: - Players

  private func ban(_ ban: (subject: BanSubject, time: Duration?)) -> String {
    let (subject, time) = ban
    moderation.ban(subject, moderation.term(of: time))
    let ended = enforceBans()
    return "\(subject.titled) is banned\(time.map { " for \($0.words)" } ?? " for ever"), and"
      + " \(ended.sentenceEnd)\(isAlone ? "" : " here; the other nodes end theirs")."
      + (subject.includesThisMachine ? " Clients on this machine are kept out too." : "")
  }

  private var isAlone: Bool { (try? group.members()) == nil }

  private func unban(_ subject: BanSubject) throws(CommandError) -> String {
    guard moderation.record.bans.contains(where: { $0.subject == subject }) else {
      throw CommandError(
        .badField, field: "target",
        "There is no ban of \(subject)."
          + (wholeBan(of: subject).map { " The ban of \($0.subject) includes it." } ?? "")
          + " To see all bans, type: bans")
    }
    moderation.unban(subject)
    return wholeBan(of: subject).map { "This ban has ended, but \($0.subject) is still banned." }
      ?? "\(subject) is not banned any more."
  }

  /// Returns the ban of a network that includes an address or a network; `nil` if there is none.
  private func wholeBan(of subject: BanSubject) -> Ban? {
    guard case .network(let part) = subject else { return nil }
    return moderation.record.bans.first { ban in
      guard case .network(let network) = ban.subject else { return false }
      return network.prefix < part.prefix && network.contains(part.first)
    }
  }

  /// Ends the sessions with banned names, and those of banned addresses with their connections.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func enforceBans() -> EndedByBan {
    var ended = EndedByBan()
    for session in lobby.allSessions {
      let isAway = session.outlet == nil
      if let ban = moderation.ban(of: session.name) {
        lobby.kick(session, with: .bye(.kicked, message: lobby.sentence(for: ban)))
      } else if let ban = session.address.flatMap({ moderation.ban(of: $0) }) {
        lobby.kick(session, with: lobby.bye(for: ban))
      } else {
        continue
      }
      if isAway { ended.awaySessions += 1 } else { ended.connections += 1 }
    }
    ended.connections += connections.closeBanned()
    return ended
  }

  private func mute(_ mute: (name: PlayerName, time: Duration?)) -> String {
    moderation.mute(mute.name, moderation.term(of: mute.time))
    return "\(mute.name.text) cannot chat\(mute.time.map { " for \($0.words)" } ?? " any more")."
  }

  private func unmute(_ name: PlayerName) throws(CommandError) -> String {
    guard moderation.mute(of: name) != nil else {
      throw CommandError(
        .badField, field: "name", "\(name.text) is not muted. To see all mutes, type: bans")
    }
    moderation.mute(name, nil)
    return "\(name.text) can chat again."
  }

  // MARK: - Words

  /// Says what is in force, and where it comes from.
  private var greeting: String {
    let source =
      moderation.motd == nil
      ? "That comes from the configuration."
      : "That comes from the admin command motd. To take the greeting of the configuration, type:"
        + " motd default"
    let text = lobby.greeting.map { "Everybody who logs in is greeted with “\($0)”." }
    return "\(text ?? "Nobody is greeted.") \(source)"
  }

  private func setGreeting(_ text: String) -> String {
    switch text {
    case "none": moderation.motd = ""
    case "default": moderation.motd = nil
    default: moderation.motd = text
    }
    guard text != "default" else { return greeting }
    return lobby.greeting.map { "Everybody who logs in is greeted with: \($0)" }
      ?? "Nobody is greeted any more. To take the greeting of the configuration, type: motd default"
  }

  // MARK: - The server

  private func drain(within time: Duration?) -> String {
    let games = serverLog.counters.games.now
    program?.drain(within: time)
    guard games > 0, let left = lobby.timeUntilStop else { return "The server stops now." }
    return "No more games begin. The server stops when the \(Count.of(games, "running game"))"
      + " \(games == 1 ? "has" : "have") ended, in \(left.words) at the latest."
  }

  private func endDrain() throws(CommandError) -> String {
    guard program?.endDrain() == true else {
      throw CommandError(
        .unavailable,
        "There is no drain to take back: the server does not drain, or a signal has told it to"
          + " stop.")
    }
    return "Games begin again."
  }

  private func reload() throws(CommandError) -> String {
    let result = program?.reload()
    let message = result?.sentences.joined(separator: " ") ?? ""
    guard result?.isTaken == true else { throw CommandError(.unavailable, message) }
    return message
  }

  private func setLevel(_ index: Int) -> String {
    serverLog.log.level = AdminCommand.levels[index]
    return "The level of the log is \(AdminCommand.levelNames[index])."
  }
}

/// What a ban has ended.
struct EndedByBan: Equatable {
  var connections = 0
  /// Of players who have lost their connection.
  var awaySessions = 0

  fileprivate var sentenceEnd: String {
    let closed = "\(Count.of(connections, "connection")) closed"
    guard awaySessions > 0 else { return closed }
    let sessions = "\(Count.of(awaySessions, "session")) without a connection ended"
    return connections > 0 ? "\(closed), \(sessions)" : sessions
  }
}
