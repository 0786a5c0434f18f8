import Foundation
import Shared

/// Everything that `/metrics` shows. docs/metrics-and-log.md says what each metric means.
struct MetricsPage {
  let games: [GameInfo]
  let serverLog: ServerLog
  let metrics: Metrics
  let isReady: Bool
  let process: ProcessFigures
  let processStart: Date

  private var counters: Counters { serverLog.counters }

  var text: String {
    var text = PrometheusText()
    addPeople(to: &text)
    addGames(to: &text)
    addLines(to: &text)
    addTimes(to: &text)
    let (operation, node) = (metrics.operation(), metrics.clusterFigures())
    if let operation { add(operation, to: &text) }
    if let node { add(node, to: &text) }
    if operation?.data != nil || node != nil {
      text.add(
        .gauge, "tictactoe_last_backup_timestamp_seconds",
        (operation?.data?.lastBackup ?? node?.lastBackup)?.timeIntervalSince1970 ?? 0,
        "When the last backup was made, in Unix time; 0 if there was none.")
    }
    addProcess(to: &text)
    return text.text
  }

  private func addPeople(to text: inout PrometheusText) {
    text.add(
      .gauge, "tictactoe_ready", isReady ? 1 : 0,
      "Whether new games may begin: 1 if /readyz answers 200.")
    text.add(
      .gauge, "tictactoe_connections", counters.connections.now, "Connections that are open now.")
    text.add(
      .counter, "tictactoe_connections_accepted_total", counters.connections.total,
      "Connections that were accepted.")
    text.add(
      .counter, "tictactoe_connections_refused_total", by: "reason",
      count { counters.rejected[$0] },
      "Connections that were refused, by reason.")
    text.add(.gauge, "tictactoe_sessions", counters.sessions.now, "Players who are logged in now.")
    text.add(
      .counter, "tictactoe_sessions_started_total", counters.sessions.total, "Sessions that began.")
    text.add(
      .counter, "tictactoe_resumes_total", counters.resumes,
      "Sessions that went on with another connection.")
    text.add(.gauge, "tictactoe_spectators", counters.spectators, "Spectators of all matches now.")
  }

  private func addGames(to text: inout PrometheusText) {
    func each(_ value: (GameCounters) -> Int) -> [(String, Int)] {
      games.map { ($0.id, value(serverLog.counters.of($0))) }
    }
    text.add(
      .gauge, "tictactoe_matches", by: "game", each(\.matches.now),
      "Matches that go on now, by game.")
    text.add(
      .counter, "tictactoe_matches_started_total", by: "game", each(\.matches.total),
      "Matches that began, by game.")
    text.add(
      .gauge, "tictactoe_games_running", by: "game", each(\.games.now),
      "Games that run now, by game.")
    text.add(
      .counter, "tictactoe_games_started_total", by: "game", each(\.games.total),
      "Games that began, by game.")
    text.add(
      .counter, "tictactoe_moves_total", by: "game", each(\.moves),
      "Moves, also those of bots, by game.")
  }

  private func addLines(to text: inout PrometheusText) {
    text.add(
      .counter, "tictactoe_commands_total", by: "command",
      CommandType.allCases.map { ($0.rawValue, counters.commands($0)) },
      "Commands of clients, carried out or refused, by type.")
    text.add(
      .counter, "tictactoe_refusals_total", by: "code", count { counters.refused[$0] },
      "Lines that got an error, by its code.")
    text.add(
      .counter, "tictactoe_goodbyes_total", by: "code", count { counters.goodbyes[$0] },
      "Connections that the server closed, by the code of bye.")
    text.add(
      .counter, "tictactoe_received_lines_total", counters.linesIn,
      "Lines from clients, also blank ones.")
    text.add(.counter, "tictactoe_received_bytes_total", counters.bytesIn, "Bytes from clients.")
    text.add(
      .counter, "tictactoe_sent_bytes_total", counters.bytesOut, "Bytes of lines for clients.")
  }

  /// Returns the numbers of all cases; those that are absent are 0.
  private func count<Code: CaseIterable & RawRepresentable<String>>(
    _ number: (Code) -> Int?
  ) -> [(String, Int)] {
    Code.allCases.map { ($0.rawValue, number($0) ?? 0) }
  }

  private func addTimes(to text: inout PrometheusText) {
    text.addHistogram(
      "tictactoe_loop_turn_seconds", metrics.turns,
      "Turns of the event loop, without the wait at their beginning.")
    text.addHistogram(
      "tictactoe_reply_seconds", metrics.replies.histogram,
      "From the turn that received a line to the end of the turn that sent its answer.")
    text.addHistogram(
      "tictactoe_bot_move_seconds", metrics.botMoves,
      "From the request for a move that needs a search to the bot's move.")
    text.addHistogram(
      "tictactoe_store_write_seconds", metrics.storeWrites, "Writes of the journal.")
    text.addHistogram(
      "tictactoe_store_sync_seconds", metrics.storeSyncs,
      "Waits until the journal is on the disk.")
    text.addHistogram(
      "tictactoe_archive_transaction_seconds", metrics.archiveTransactions,
      "Transactions that put results and matches into the archive.")
    text.addHistogram(
      "tictactoe_password_check_seconds", metrics.passwordChecks,
      "Hashing passwords, to check them or to keep them.")
  }

  private func add(_ figures: OperationFigures, to text: inout PrometheusText) {
    text.add(
      .gauge, "tictactoe_draining", figures.isDraining ? 1 : 0,
      "Whether no more games begin because the server stops.")
    if let limit = figures.maxConnections {
      text.add(.gauge, "tictactoe_max_connections", limit, "The limit on connections.")
    }
    if let limit = figures.maxMatches {
      text.add(.gauge, "tictactoe_max_matches", limit, "The limit on matches.")
    }
    text.add(
      .gauge, "tictactoe_configuration_good", figures.hasGoodConfiguration ? 1 : 0,
      "Whether the start or the last reload has found no mistake in the configuration.")
    text.add(
      .gauge, "tictactoe_configuration_read_timestamp_seconds",
      figures.configurationRead.timeIntervalSince1970,
      "When the configuration was last read, in Unix time.")
    text.add(
      .counter, "tictactoe_log_dropped_lines_total", figures.droppedLines,
      "Lines of the log that were lost, because its reader was too slow.")
    guard let data = figures.data else { return }
    text.add(.gauge, "tictactoe_journal_bytes", data.journal, "What the journal takes up.")
    text.add(.gauge, "tictactoe_archive_bytes", data.archive, "What the archive takes up.")
    text.add(
      .gauge, "tictactoe_disk_free_bytes", data.free, "Free room on the disk of the data folder.")
    text.add(.gauge, "tictactoe_disk_size_bytes", data.size, "The size of that disk.")
    text.add(
      .gauge, "tictactoe_archive_lag_seconds", data.archiveLag.inSeconds,
      "How long the oldest record has waited to be put into the archive.")
  }

  private func add(_ figures: ClusterFigures, to text: inout PrometheusText) {
    text.add(
      .gauge, "tictactoe_cluster_alive", figures.isAlive ? 1 : 0,
      "Whether the engine has confirmed in the last 4 seconds that this node is alive.")
    text.add(
      .gauge, "tictactoe_cluster_nodes", figures.nodes, "Nodes that are alive, as this one sees it."
    )
    text.add(
      .counter, "tictactoe_cluster_claimed_matches_total", figures.claimedMatches,
      "Matches that this node has taken over.")
    text.add(
      .counter, "tictactoe_cluster_fenced_matches_total", figures.fencedMatches,
      "Matches of this node that another one has taken over.")
    text.add(
      .counter, "tictactoe_cluster_moved_sessions_total", figures.movedSessions,
      "Sessions that were sent to another node.")
    text.add(
      .counter, "tictactoe_cluster_stand_downs_total", figures.standDowns,
      "How often this node has given up everything, because the engine did not answer.")
    text.add(
      .gauge, "tictactoe_cluster_clock_skew_seconds", figures.clockSkew / .seconds(1),
      "By how much the clock of this host is ahead of the engine's.")
    text.add(
      .gauge, "tictactoe_cluster_last_archive_timestamp_seconds",
      figures.lastArchive?.timeIntervalSince1970 ?? 0,
      "When the matches of the cluster were last archived, in Unix time; 0 if they never were.")
    text.add(
      .gauge, "tictactoe_cluster_follower_timestamp_seconds",
      figures.lastFollowerWord?.timeIntervalSince1970 ?? 0,
      "When archive --follow gave its last word, in Unix time; 0 if it never did.")
    text.add(
      .gauge, "tictactoe_cluster_archive_lag_seconds", figures.archiveLag.inSeconds,
      "How long the oldest finished match has waited for archive --follow.")
    text.add(
      .gauge, "tictactoe_engine_commands", figures.waitingCommands,
      "Commands that the engine has not answered.")
    text.add(
      .counter, "tictactoe_engine_disconnections_total", figures.disconnections,
      "Connections to the engine that ended, or could not be made.")
    if let engine = figures.engine { add(engine, to: &text) }
    text.addHistogram(
      "tictactoe_engine_write_seconds", metrics.engineWrites,
      "From sending matches' entries to the engine until its replicas have them.")
  }

  private func add(_ figures: EngineFigures, to text: inout PrometheusText) {
    text.add(
      .gauge, "tictactoe_engine_memory_bytes", figures.memory, "Memory that the engine uses.")
    text.add(
      .gauge, "tictactoe_engine_max_memory_bytes", figures.maxMemory,
      "The engine's limit on memory; 0 for none.")
    text.add(
      .gauge, "tictactoe_engine_replicas", figures.replicas, "Replicas that follow the primary.")
    text.add(
      .gauge, "tictactoe_engine_needed_replicas", figures.neededReplicas,
      "Replicas that have to confirm what this node writes.")
  }

  private func addProcess(to text: inout PrometheusText) {
    text.add(
      .gauge, "tictactoe_build_info", by: "version", [(Version.current, 1)],
      "The version of the server, always 1.")
    text.add(
      .counter, "process_cpu_seconds_total", process.cpuTime.inSeconds,
      "Processor time of the process, in user and system mode.")
    text.add(
      .gauge, "process_start_time_seconds", processStart.timeIntervalSince1970,
      "When the process was started, in Unix time.")
    for (name, value, help) in [
      ("process_resident_memory_bytes", process.memory?.resident, "Memory of the process in RAM."),
      ("process_virtual_memory_bytes", process.memory?.virtual, "Address space of the process."),
      ("process_open_fds", process.openDescriptors, "Open file descriptors."),
      ("process_max_fds", process.maxDescriptors, "The limit on open file descriptors."),
    ] {
      if let value { text.add(.gauge, name, value, help) }
    }
  }
}
