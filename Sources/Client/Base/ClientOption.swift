import Shared

/// An option of the client: `--name` on the command line, `name = …` in the configuration file.
enum ClientOption: String, CaseIterable {
  /// On the command line the operand, without a name.
  case host
  case port, tls
  case tlsCA = "tls-ca"
  case name, start, join, game, level, watch, replay, exec
  case local, plain, ascii
  case bell, mouse, colors
  case kiosk
  case friendLine = "friend-line"
  case sendProxy = "send-proxy"
  case web
  case maxTabs = "max-tabs"
  case maxTabsPerAddress = "max-tabs-per-address"
  case webName = "web-name"
  case webMetrics = "web-metrics"
  case trustProxy = "trust-proxy"

  private static let answers = ["yes", "no"]

  /// The options of the configuration file, which programs for visitors do not read.
  static let ofFile = allCases.filter { ![.kiosk, .web].contains($0) }

  /// The option that `--NAME` means on the command line; `nil` if there is none.
  init?(argument: String) {
    guard argument.hasPrefix("--"), let option = Self(rawValue: String(argument.dropFirst(2))),
      option != .host
    else { return nil }
    self = option
  }

  /// Whether the command line may leave out the value, which then is yes.
  var isFlag: Bool {
    let row = row
    if case .optionalWords = row.completion { return true }
    return row.value == nil
  }

  /// What the help and the completions say.
  var row: OptionRow {
    switch self {
    case .host:
      row("HOST", "the server", ClientOptions.defaultHost, completion: .hosts)
    case .port:
      row(
        "PORT", "the server's port",
        "\(ClientOptions.defaultPort), with TLS \(ClientOptions.defaultTLSPort)")
    case .tls: row(nil, "use TLS")
    case .tlsCA: row("FILE", "trust only the certificates in FILE", completion: .files)
    case .name: row("NAME", "log in under this name, without asking")
    case .start:
      row(
        "OPPONENT", "start a game after the login: against bot, a player, or anyone",
        completion: .words(["bot", "anyone"]))
    case .join: row("CODE", "play with the friend who sent that code")
    case .game:
      row(
        "GAME", "choose \(Self.choice(GameInfo.all.map(\.id)))",
        completion: .words(GameInfo.all.map(\.id)))
    case .level:
      row(
        "LEVEL", "choose the level of the bot: \(Self.choice(BotLevel.allCases.map(\.rawValue)))",
        BotLevel.hard.rawValue, completion: .words(BotLevel.allCases.map(\.rawValue)))
    case .watch: row("MATCH", "watch a match")
    case .replay:
      row(
        "MATCH", "show a match that is over, or a file with an exported one", completion: .files)
    case .exec:
      row("COMMAND", "let a program play that speaks the server's protocol", completion: .commands)
    case .local: row(nil, "two people at this keyboard, or one and the bot, without a server")
    case .plain: row(nil, "use plain lines instead of the full screen")
    case .ascii:
      row(
        "YES-OR-NO", "draw the full screen with ASCII characters",
        completion: .optionalWords(Self.answers))
    case .bell: row("YES-OR-NO", "ring the bell", completion: .words(Self.answers))
    case .mouse: row("YES-OR-NO", "use the mouse", completion: .words(Self.answers))
    case .colors: row("YES-OR-NO", "use colours", completion: .words(Self.answers))
    case .kiosk: row(nil, "play for visitors who share an account")
    case .friendLine: row("TEXT", "what a friend types to come here")
    case .sendProxy: row(nil, "send a PROXY header with the person's address")
    case .web: row("[HOST:]PORT", "serve browsers")
    case .maxTabs: row("N", "tabs of browsers in total")
    case .maxTabsPerAddress: row("N", "tabs of browsers of an address")
    case .webName: row("NAME", "further names of this host for browsers, with commas")
    case .webMetrics: row("[HOST:]PORT", "serve metrics of the page for Prometheus")
    case .trustProxy: row("NETWORK", "believe the proxies in front of the page, with commas")
    }
  }

  private func row(
    _ value: String?, _ about: String, _ standard: String? = nil,
    completion: OptionRow.Completion = .nothing
  ) -> OptionRow {
    OptionRow(rawValue, value, about, standard: standard, completion: completion)
  }

  private static func choice(_ words: [String]) -> String {
    "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
  }

  /// Parses a value. `name` is the option as the person wrote it. A host can contain further
  /// settings, such as a port.
  ///
  /// - Throws: if the value is not allowed.
  func settings(for text: String, named name: String) throws(UsageError) -> [OptionSetting] {
    if self == .host { return try OptionSetting.server(text) }
    var form = OptionSetting.Form.on
    if isFlag || row.completion == .words(Self.answers) {
      form = try Self.answer(text, to: name) ? .on : .off
    } else if self == .replay, text.contains(where: { "/.".contains($0) }) {
      form = .file
    }
    let isOn = form == .on
    func set<Value>(
      _ path: WritableKeyPath<ClientOptions, Value>, _ value: Value
    ) -> (inout ClientOptions) -> Void {
      { $0[keyPath: path] = value }
    }
    let apply: (inout ClientOptions) -> Void =
      switch self {
      case .host: set(\.host, text)
      case .port: set(\.port, try ArgumentReader.port(text, of: name, in: 1...65_535))
      case .tls: set(\.usesTLS, isOn)
      case .tlsCA: set(\.caFile, try Self.filled(text, else: "\(name) needs a file."))
      case .name: set(\.name, text)
      case .start: set(\.launchAction, .start(against: Opponent(argument: text)))
      case .join: set(\.launchAction, .join(try Self.id(text, of: name, "a friend's code")))
      case .game: set(\.choice.game, try Self.game(text, of: name))
      case .level: set(\.choice.level, try Self.level(text, of: name))
      case .watch: set(\.launchAction, .watch(try Self.id(text, of: name, "the id of a match")))
      case .replay where form == .file: set(\.replayFile, text)
      case .replay:
        set(\.launchAction, .replay(try Self.id(text, of: name, "the id of a match, or a file")))
      case .exec: set(\.command, try Self.filled(text, else: "\(name) needs a command."))
      case .local: set(\.isLocal, isOn)
      case .plain: set(\.wantsPlain, isOn)
      case .ascii: set(\.isASCII, isOn)
      case .bell: set(\.hasBell, isOn)
      case .mouse: set(\.hasMouse, isOn)
      case .colors: set(\.hasColors, isOn)
      case .kiosk: set(\.isKiosk, isOn)
      case .sendProxy: set(\.sendsProxy, isOn)
      case .friendLine: set(\.friendLine, try Self.id(text, of: name, "a text"))
      case .web: set(\.web, try ServingAddress(text, of: name))
      case .maxTabs: set(\.maxTabs, try Self.count(text, of: name))
      case .maxTabsPerAddress: set(\.maxTabsOfAddress, try Self.count(text, of: name))
      case .webName:
        set(\.webNames, try Self.filled(Self.list(text), else: "\(name) needs a host name."))
      case .webMetrics: set(\.webMetrics, try ServingAddress(text, of: name))
      case .trustProxy: set(\.webProxies, try Self.networks(text, of: name))
      }
    return [OptionSetting(option: self, form: form, source: .option, name: name, apply: apply)]
  }

  /// Returns a text or a list that has something in it.
  private static func filled<Value: Collection>(
    _ value: Value, else sentence: String
  ) throws(UsageError) -> Value {
    guard !value.isEmpty else { throw UsageError(sentence) }
    return value
  }

  /// Returns a text without the spaces around it.
  private static func id(
    _ text: String, of name: String, _ what: String
  ) throws(UsageError) -> String {
    try filled(text.trimmed, else: "\(name) needs \(what).")
  }

  private static func game(_ text: String, of name: String) throws(UsageError) -> String {
    let game = try id(text, of: name, "the id of a game")
    let ids = GameInfo.all.map(\.id)
    guard ids.contains(game.lowercased()) else {
      throw UsageError(
        "\(name): there is no game “\(game)”. The games are: \(ids.joined(separator: ", ")).")
    }
    return game
  }

  private static func level(_ text: String, of name: String) throws(UsageError) -> BotLevel {
    guard let level = BotLevel(word: text) else {
      throw UsageError("\(name) must be easy, medium or hard, not “\(text)”.")
    }
    return level
  }

  /// Returns the words of a list with commas.
  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  private static func networks(
    _ text: String, of name: String
  ) throws(UsageError) -> [IPNetwork] {
    var networks: [IPNetwork] = []
    for word in try filled(list(text), else: "\(name) needs a network.") {
      guard let network = IPNetwork(word) else {
        throw UsageError(
          "\(name) takes addresses or networks such as 10.0.0.0/8, not “\(word)”.")
      }
      networks.append(network)
    }
    return networks
  }

  private static func count(_ text: String, of name: String) throws(UsageError) -> Int {
    guard let count = Int(text), (1...100_000).contains(count) else {
      throw UsageError("\(name) must be a number from 1 to 100000, not “\(text)”.")
    }
    return count
  }

  private static func answer(_ text: String, to name: String) throws(UsageError) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on": return true
    case "no", "false", "off": return false
    default: throw UsageError("\(name) takes yes or no, not “\(text)”.")
    }
  }
}
