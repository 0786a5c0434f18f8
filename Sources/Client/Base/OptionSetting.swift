import Shared

/// One option as a person has set it, on the command line or in the configuration file.
struct OptionSetting {
  /// What the setting is a part of.
  enum Source: Equatable {
    case option
    /// `HOST` or `HOST:PORT`.
    case host
    case url
  }

  /// What the value is, as far as other settings depend on it.
  enum Form {
    case on
    /// An option that takes yes or no was set to no.
    case off
    /// The match of `--replay` is a file.
    case file
  }

  let option: ClientOption
  let form: Form
  let source: Source
  /// The option, the host or the URL as the person wrote it, for sentences.
  let name: String
  let apply: (inout ClientOptions) -> Void

  /// Parses a host or a URL.
  ///
  /// - Throws: if it is empty or not valid.
  static func server(_ text: String) throws(UsageError) -> [OptionSetting] {
    guard !text.isEmpty else {
      throw UsageError("HOST is empty. For \(ClientOptions.defaultHost), leave it out.")
    }
    var settings: [OptionSetting] = []
    let isURL = ServerURL.isMeant(by: text)
    func set(_ option: ClientOption, _ apply: @escaping (inout ClientOptions) -> Void) {
      settings.append(
        OptionSetting(
          option: option, form: .on, source: isURL ? .url : .host, name: text, apply: apply))
    }
    let url = isURL ? try ServerURL(text) : nil
    let plain = isURL ? nil : HostPort(text)
    guard let host = url?.host ?? plain?.host else {
      throw UsageError(
        "“\(text)” is not a valid HOST: write HOST, HOST:PORT or [IPV6]:PORT,"
          + " with a port from 1 to 65535.")
    }
    set(.host) { $0.host = host }
    if let port = url?.port ?? plain?.port { set(.port) { $0.port = port } }
    if url?.usesTLS == true { set(.tls) { $0.usesTLS = true } }
    let action = url?.action
    var choice = url?.choice
    switch action {
    case .start(_, let game, let level):
      set(.start) { $0.launchAction = action }
      choice = GameChoice(game: game, level: level)
    case .join: set(.join) { $0.launchAction = action }
    case .watch: set(.watch) { $0.launchAction = action }
    case .replay: set(.replay) { $0.launchAction = action }
    case nil: break
    }
    if let game = choice?.game { set(.game) { $0.choice.game = game } }
    if let level = choice?.level { set(.level) { $0.choice.level = level } }
    return settings
  }
}

/// The settings that contradict each other.
extension OptionSetting {
  /// Throws if one of these settings, all from one source, cannot be combined with another one.
  static func check(
    _ added: [OptionSetting], with others: [OptionSetting]
  ) throws(UsageError) {
    for setting in added {
      for other in others {
        let reason =
          setting.exclusion(of: other) ?? other.exclusion(of: setting)
          ?? setting.repetition(by: other) ?? other.repetition(by: setting)
          ?? setting.uselessness(of: other) ?? other.uselessness(of: setting)
        if let reason { throw UsageError(reason) }
      }
    }
  }

  /// Returns these settings of the command line, and those of the file that they leave as they are.
  static func merge(
    _ commandLine: [OptionSetting], over file: [OptionSetting]
  ) -> [OptionSetting] {
    file.filter { setting in
      !commandLine.contains { given in
        given.option == setting.option || given.exclusion(of: setting) != nil
          || setting.exclusion(of: given) != nil
          // The port of one host says nothing about another host.
          || given.option == .host && setting.source != .option
      }
    } + commandLine
  }

  /// Returns why this setting leaves no room for another; `nil` if it does, or if only the other
  /// one gives the reason.
  private func exclusion(of other: OptionSetting) -> String? {
    /// Whether the other setting is one of these, or a file.
    func bars(_ options: ClientOption..., file: Bool = false) -> Bool {
      switch other.form {
      case .on: options.contains(other.option)
      case .off: false
      case .file: file
      }
    }
    let reason: String
    switch (option, form) {
    case (.local, .on)
    where bars(.host, .port, .watch, .exec, .join, .replay, .tls, .tlsCA):
      reason = "plays without a server"
    case (_, .file) where bars(.host, .port, .name, .local, .exec, .tls, .tlsCA):
      reason = "shows a file without a server"
    case (_, .file) where bars(.start, .join, .watch, .game, .level),
      (.replay, .on) where bars(.game, .level):
      reason = "shows a match that is over"
    case (.kiosk, .on) where bars(.local, .exec, file: true):
      reason = "is for visitors of one server"
    case (.web, .on)
    where bars(
      .local, .exec, .kiosk, .plain, .name, .start, .join, .watch, .replay, file: true):
      reason = "is for browsers"
    case (.sendProxy, .on) where bars(.tls, .tlsCA): reason = "works without TLS only"
    case (.sendProxy, .on) where bars(.exec, .local, file: true):
      reason = "is for people at a server"
    case (.tls, .off) where bars(.tlsCA):
      return "\(name)=no means no TLS, so it cannot be combined with \(other.name)."
    case (.exec, .on) where bars(.name): reason = "leaves the login to the program"
    case (.exec, .on) where bars(.start, .join, .watch, .replay, .game, .level):
      reason = "leaves the start to the program"
    case (.join, .on) where bars(.game, .level): reason = "plays your friend's game"
    case (_, .on) where other.form == .on: return otherBeginning(than: other)
    default: return nil
    }
    return "\(name) \(reason), so it cannot be combined with \(other.name)."
  }

  /// Returns why another setting cannot say how to begin, if both do.
  private func otherBeginning(than other: OptionSetting) -> String? {
    let beginnings: [ClientOption] = [.start, .join, .watch, .replay]
    guard let index = beginnings.firstIndex(of: option),
      let otherIndex = beginnings.firstIndex(of: other.option), index != otherIndex
    else { return nil }
    guard source == other.source, index < otherIndex else { return urlBegins(before: other) }
    let isWatched = option == .start && other.option == .watch
    return "\(name) and \(other.name) cannot be combined: "
      + (isWatched ? "one plays, the other watches." : "each says how to begin.")
  }

  /// Returns why another setting cannot repeat what this host or URL says; `nil` if it does not.
  private func repetition(by other: OptionSetting) -> String? {
    guard option == other.option, other.source == .option else { return nil }
    if option == .tls {
      guard source == .url, form != other.form else { return nil }
      return "The URL means TLS, so it cannot be combined with \(other.name)=no."
    }
    if option == .port, source != .option {
      let server = source == .url ? "The URL" : "HOST"
      return "\(server) already names a port, so it cannot be combined with \(other.name)."
    }
    return urlBegins(before: other)
  }

  private func urlBegins(before other: OptionSetting) -> String? {
    guard source == .url, other.source == .option else { return nil }
    return "The URL already says how to begin, so it cannot be combined with \(other.name)."
  }

  private func uselessness(of other: OptionSetting) -> String? {
    var options = ClientOptions()
    apply(&options)
    guard case .start(let opponent, _, _) = options.launchAction, opponent != .bot,
      other.option == .level
    else { return nil }
    return "\(other.name) is for the bot, so it cannot be combined with \(name)."
  }
}
