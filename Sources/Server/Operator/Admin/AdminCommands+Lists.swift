import RIBs
import Shared

/// What the operator sees.
extension AdminCommands {
  var status: AdminReply {
    let (counters, level) = (serverLog.counters, serverLog.log.level.map { "\($0)" } ?? "off")
    return AdminReply("status") { [self] line in
      line.put("version", Version.current)
      line.put("uptime", timers.now - start)
      line.put("connections", counters.connections.now)
      line.put("sessions", counters.sessions.now)
      line.put("matches", counters.matches.now)
      line.put("games", counters.games.now)
      line.put("memory", ProcessMemory.current?.resident)
      line.put("data", program?.dataFolder)
      line.put("hasRoom", matches.hasRoom)
      line.put("notReady", program?.whyNotReady)
      line.put("draining", lobby.isShuttingDown)
      line.put("left", lobby.timeUntilStop)
      group.putStatus(to: &line)
      line.put("mistake", program?.configurationMistakes.first)
      let options = program?.optionsForRestart ?? []
      line.put("restart", options.isEmpty ? nil : options.joined(separator: ", "))
      line.put("bans", moderation.record.bans.count)
      line.put("motd", lobby.greeting)
      line.put("log", level)
    }
  }

  var players: AdminReply {
    AdminReply(
      "players",
      items: lobby.allSessions.map { session in
        ("player", { [self] line in put(session, to: &line) })
      })
  }

  private func put(_ session: Session, to line: inout LineWriter) {
    line.put("name", session.name.text)
    line.put("address", session.address?.description)
    line.put("place", session.place.listed.rawValue)
    switch session.place {
    case .playing(let match), .watching(let match): line.put("match", match.id)
    case .lobby, .waiting: break
    }
    line.put("since", timers.now - session.begin)
    line.put("away", session.outlet == nil)
    line.put("registered", lobby.directory.account(of: session.name) != nil)
    line.put("muted", moderation.mute(of: session.name) != nil)
  }

  var matchList: AdminReply {
    AdminReply(
      "matches",
      items: matches.all.map { match in
        ("match", { [self] line in put(match, to: &line) })
      })
  }

  private func put(_ match: any Match, to line: inout LineWriter) {
    let summary = match.summary
    line.put("match", match.id)
    line.put("game", match.game)
    line.put(summary.players)
    if let score = summary.score { line.put(score) }
    line.put("seq", match.seq)
    line.put("spectators", match.spectatorCount)
    line.put("running", summary.isRunning)
    line.put("since", timers.now - match.begin)
  }

  var bans: AdminReply {
    let record = moderation.record
    let bans = record.bans.map { ban in
      item("ban", of: ban.subject.kind, ban.subject.description, ban.term)
    }
    return AdminReply(
      "bans", items: bans + record.mutes.map { item("mute", of: "name", $0.name.text, $0.term) })
  }

  private func item(
    _ type: StaticString, of kind: String, _ target: String, _ term: Term
  ) -> (StaticString, AdminReply.Fields) {
    (
      type,
      { [moderation] line in
        line.put("kind", kind)
        line.put("target", target)
        line.put("left", moderation.timeLeft(of: term))
      }
    )
  }

  /// The report that SIGUSR1 writes to the log.
  func tree(of root: any Routing) -> AdminReply {
    let tree = RIBTree(root, maxLines: ServerLog.maxTreeLines)
    let more = tree.more > 0 ? ["and \(tree.more) more"] : []
    let counters = serverLog.counters.fields.compactMap { name, value in
      value.text.map { "\(name)=\($0)" }
    }
    return AdminReply(
      "tree",
      items: (tree.lines + more + [counters.joined(separator: " ")]).map { text in
        ("line", { $0.put("text", text) })
      })
  }

  /// What Prometheus gets.
  func metrics() throws(CommandError) -> AdminReply {
    guard let text = program?.metricsText else {
      throw CommandError(.unavailable, "The server measures nothing. Set: metrics = 9100")
    }
    return AdminReply(
      "metrics",
      items: text.split(separator: "\n").map { line in
        ("line", { $0.put("text", String(line)) })
      })
  }

  static func help(for command: AdminCommand?) -> AdminReply {
    AdminReply(
      "help",
      items: (command.map { [$0] } ?? AdminCommand.allCases).map { command in
        (
          "command",
          { line in
            let help = command.spec.help
            line.put("command", help.command)
            line.put("usage", help.usage)
            line.put("example", help.example)
            line.put("about", help.about)
          }
        )
      })
  }
}

extension LogValue {
  /// `nil` for a field that is omitted.
  fileprivate var text: String? {
    switch self {
    case .number(let number): number.map { "\($0)" }
    case .text(let text): text
    case .words(let words): words
    }
  }
}
