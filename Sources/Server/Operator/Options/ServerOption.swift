import Shared

/// An option of the server: `--name` on the command line, `name = …` in the configuration file.
enum ServerOption: String, CaseIterable {
  case host, port, turn
  case inviteWithin = "invite-within"
  case motd
  case resumeWithin = "resume-within"
  case drain
  case logLevel = "log-level"
  case logFormat = "log-format"
  case metrics, data, admin
  case adminRead = "admin-read"
  case durability, segment, keep
  case cluster
  case clusterFile = "cluster-file"
  case clusterReplicas = "cluster-replicas"
  case clusterKeep = "cluster-keep"
  case node, advertise
  case loginWithin = "login-within"
  case idle
  case perSecond = "per-second"
  case burst
  case maxConnections = "max-connections"
  case maxMatches = "max-matches"
  case maxSpectators = "max-spectators"
  case maxUnsent = "max-unsent"
  case trustProxy = "trust-proxy"
  case maxPerAddress = "max-per-address"
  case matchesPerAddress = "matches-per-address"
  case unsentPerAddress = "unsent-per-address"
  case linesPerAddress = "lines-per-address"
  case loginsPerAddress = "logins-per-address"
  case timePerAddress = "time-per-address"

  /// The option that `--NAME` means on the command line; `nil` if there is none.
  init?(argument: String) {
    guard argument.hasPrefix("--") else { return nil }
    self.init(rawValue: String(argument.dropFirst(2)))
  }

  /// The options that this one replaces, where it wins over them.
  var replaced: [ServerOption] {
    self == .cluster || self == .clusterFile ? [.cluster, .clusterFile] : [self]
  }
}

/// What the help, the documents, the completions and the sample configuration say.
extension ServerOption {
  /// Options that stand together.
  enum Section: CaseIterable {
    case listening, play, log, data, cluster, limits, addresses

    var options: [ServerOption] { ServerOption.allCases.filter { $0.row.section == self } }
  }

  /// A row of the table of options.
  struct Row {
    let section: Section
    let option: OptionRow
    /// The default as it would be written; `nil` if there is none, or it depends on something else.
    let standardValue: String?
    /// A value for the sample configuration, where there is no default.
    let sample: String?
    /// A sentence that stands only in the sample configuration.
    let more: String?
    /// Whether a running server cannot take up another value.
    let needsRestart: Bool
  }

  /// Whether several settings hold together.
  var isRepeatable: Bool { self == .trustProxy }

  var needsRestart: Bool { row.needsRestart }
  var standardValue: String? { row.standardValue }

  var row: Row {
    switch self {
    case .host:
      row(
        .listening, "HOST", "listen only on the addresses of HOST", or: "all, IPv4 and IPv6",
        sample: "play.example.org", completion: .hosts, needsRestart: true)
    case .port:
      row(
        .listening, "PORT", "listen on PORT", "\(ServerOptions.defaultPort)",
        note: "; 0 takes a free port", more: "A socket unit has its own.", needsRestart: true)
    case .turn:
      row(
        .play, "TIME", "the time for a move between two people", "5m", note: "; 0 means no limit")
    case .inviteWithin:
      row(.play, "TIME", "how long an invitation stands", "2m", note: "; 0 means no limit")
    case .motd:
      row(
        .play, "TEXT", "greet everyone who logs in with TEXT, of up to 200 characters",
        sample: #""Welcome!""#)
    case .resumeWithin:
      row(.play, "TIME", "the time for a lost player to reconnect", "60s", note: "; 0 means none")
    case .drain:
      row(.play, "TIME", "let running games continue for TIME after SIGTERM", "30s")
    case .logLevel:
      row(
        .log, "LEVEL", "off, warning, info, debug (moves) or trace (all lines)", "info",
        more: "What goes to standard error.",
        completion: .words(["off"] + Log.Level.allCases.map { "\($0)" }))
    case .logFormat:
      row(
        .log, "FORMAT", "log in text, or in json, one object on each line", "text",
        completion: .words(LogLine.Format.allCases.map(\.rawValue)), needsRestart: true)
    case .metrics:
      row(
        .log, "HOST:PORT", "serve Prometheus metrics, /healthz, /readyz, or none", "none",
        note: "; PORT alone is one of 127.0.0.1", needsRestart: true)
    case .data:
      row(
        .data, "FOLDER", "keep matches in FOLDER, or none",
        or: "$STATE_DIRECTORY, or tictactoe-server/PORT in $XDG_STATE_HOME or ~/.local/state",
        sample: "/var/lib/tictactoe-server",
        completion: .foldersOrNone, needsRestart: true)
    case .admin:
      row(
        .data, "PATH", "the operator's socket, or none",
        or: "\(AdminLocation.fileName) in FOLDER", sample: "/run/tictactoe-server/admin.sock",
        completion: .filesOrNone, needsRestart: true)
    case .adminRead:
      row(
        .data, "PATH", "a socket for a group that may only look, or none", "none",
        completion: .filesOrNone, needsRestart: true)
    case .durability:
      row(
        .data, "WHAT", "what matches outlive: process, power (slower) or none", "process",
        completion: .words(Durability.allCases.map(\.rawValue)), needsRestart: true)
    case .segment:
      row(
        .data, "SIZE", "the largest file of the journal, from 64k to 4095m", "64m",
        needsRestart: true)
    case .keep:
      row(
        .data, "DAYS", "keep moves of finished matches for DAYS", "0",
        note: "; 0 means for ever",
        needsRestart: true)
    case .cluster:
      row(
        .cluster, "URL", "be a node of a cluster, with the Redis or Valkey at URL",
        note: ": redis://HOST or redis+sentinel://HOST,HOST,HOST/NAME; with TLS, rediss instead",
        sample: "redis+sentinel://a.example.org,b.example.org,c.example.org/main",
        needsRestart: true)
    case .clusterFile:
      row(
        .cluster, "FILE", "read the URL of --cluster from FILE, for a URL with a password",
        sample: "/etc/tictactoe-server.cluster",
        more: "With TLS it may end with ?ca=FILE&cert=FILE&key=FILE&sentinel-password=PASSWORD.",
        completion: .files, needsRestart: true)
    case .clusterReplicas:
      row(
        .cluster, "N", "how many replicas confirm a move, from 0 to 5", "1", needsRestart: true)
    case .clusterKeep:
      row(
        .cluster, "TIME",
        "wait TIME for archive --follow before matches expire",
        "1h", needsRestart: true)
    case .node:
      row(
        .cluster, "NAME", "this node's name", or: "the first part of the host's name",
        sample: "node-1", needsRestart: true)
    case .advertise:
      row(
        .cluster, "HOST:PORT", "where clients reach this node", or: "the host's name and PORT",
        sample: "node-1.example.org:7777", needsRestart: true)
    case .loginWithin:
      row(.limits, "TIME", "close a connection without a login after TIME", "30s")
    case .idle: row(.limits, "TIME", "close a connection that sends nothing for TIME", "0")
    case .perSecond:
      row(.limits, "COUNT", "lines that a connection may send each second", "1000")
    case .burst: row(.limits, "COUNT", "lines that a connection may send at once", "4000")
    case .maxConnections: row(.limits, "COUNT", "connections at a time", "20000")
    case .maxMatches: row(.limits, "COUNT", "matches at a time", "50000")
    case .maxSpectators: row(.limits, "COUNT", "spectators of one match", "100")
    case .maxUnsent:
      row(
        .limits, "SIZE", "unread output of all clients", "64m", note: "; k is 1024 bytes; also m, g"
      )
    case .trustProxy:
      row(
        .limits, "NETWORK", "connections from NETWORK begin with a PROXY header",
        note: "; may be repeated", sample: "127.0.0.1")
    case .maxPerAddress:
      row(
        .addresses, "COUNT", "connections of an address", "1000",
        note: "; 0 lifts all of these limits")
    case .matchesPerAddress:
      row(.addresses, "COUNT", "players, also those whose connection is lost", "1000")
    case .unsentPerAddress: row(.addresses, "SIZE", "unread output of an address", "8m")
    case .linesPerAddress:
      row(
        .addresses, "COUNT", "lines of an address each second", "20000", or: "20 x --per-second",
        note: "; 4 times as many at once; list counts as 10, help, watch, sync, login and resume"
          + " as 5, start, open, join, decline and say as 2")
    case .loginsPerAddress:
      row(
        .addresses, "COUNT", "logins and resumes a second", "100",
        note: "; 20 times as many at once")
    case .timePerAddress:
      row(
        .addresses, "PERCENT", "processor share of an address; beyond it lines wait", "25")
    }
  }

  private func row(
    _ section: Section, _ value: String, _ about: String, _ standard: String? = nil,
    or words: String? = nil, note: String = "", sample: String? = nil, more: String? = nil,
    completion: OptionRow.Completion = .nothing, needsRestart: Bool = false
  ) -> Row {
    Row(
      section: section,
      option: OptionRow(
        rawValue, value, about, standard: words ?? standard, note: note, completion: completion),
      standardValue: standard, sample: sample, more: more, needsRestart: needsRestart)
  }
}
