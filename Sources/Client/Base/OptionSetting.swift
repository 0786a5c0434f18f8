import Shared

/// One option as a person has set it, on the command line or in the configuration file.
struct OptionSetting: Equatable {
  /// What the setting is a part of.
  enum Source: Equatable {
    case option
    /// `HOST` or `HOST:PORT`.
    case host
    case url
  }

  let option: ClientOption
  let value: OptionValue
  let source: Source
  /// The option, the host or the URL as the person wrote it, for sentences.
  let name: String

  /// Parses a host or a URL.
  ///
  /// - Throws: if it is empty or not valid.
  static func server(_ text: String) throws(UsageError) -> [OptionSetting] {
    guard !text.isEmpty else {
      throw UsageError("HOST is empty. For \(ClientOptions.defaultHost), leave it out.")
    }
    var settings: [OptionSetting] = []
    let isURL = ServerURL.isMeant(by: text)
    func set(_ option: ClientOption, _ value: OptionValue?) {
      guard let value else { return }
      settings.append(
        OptionSetting(option: option, value: value, source: isURL ? .url : .host, name: text))
    }
    guard isURL else {
      guard let host = HostPort(text) else {
        throw UsageError(
          "“\(text)” is not a valid HOST: write HOST, HOST:PORT or [IPV6]:PORT,"
            + " with a port from 1 to 65535.")
      }
      set(.host, .host(host.host))
      set(.port, host.port.map(OptionValue.port))
      return settings
    }
    let url = try ServerURL(text)
    set(.host, .host(url.host))
    set(.port, url.port.map(OptionValue.port))
    set(.tls, url.usesTLS ? .tls(true) : nil)
    switch url.action {
    case .start(let opponent, let game, let level):
      set(.start, .start(opponent))
      set(.game, game.map(OptionValue.game))
      set(.level, level.map(OptionValue.level))
    case .join(let code): set(.join, .join(code))
    case .watch(let match): set(.watch, .watch(match))
    case .replay(let match): set(.replay, .replay(match))
    case nil:
      set(.game, url.choice?.game.map(OptionValue.game))
      set(.level, url.choice?.level.map(OptionValue.level))
    }
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
    switch (value, other.value) {
    case (.local(true), .host), (.local(true), .port), (.local(true), .watch),
      (.local(true), .exec), (.local(true), .join), (.local(true), .replay),
      (.local(true), .tls(true)), (.local(true), .tlsCA):
      "\(name) plays without a server, so it cannot be combined with \(other.name)."
    case (.replayFile, .host), (.replayFile, .port), (.replayFile, .name),
      (.replayFile, .local(true)),
      (.replayFile, .exec), (.replayFile, .tls(true)), (.replayFile, .tlsCA):
      "\(name) shows a file without a server, so it cannot be combined with \(other.name)."
    case (.replayFile, .start), (.replayFile, .join), (.replayFile, .watch), (.replayFile, .game),
      (.replayFile, .level), (.replay, .game), (.replay, .level):
      "\(name) shows a match that is over, so it cannot be combined with \(other.name)."
    case (.kiosk(true), .local(true)), (.kiosk(true), .exec), (.kiosk(true), .replayFile):
      "\(name) is for visitors of one server, so it cannot be combined with \(other.name)."
    case (.web, .local(true)), (.web, .exec), (.web, .replayFile), (.web, .kiosk(true)),
      (.web, .plain(true)), (.web, .name), (.web, .start), (.web, .join), (.web, .watch),
      (.web, .replay):
      "\(name) is for browsers, so it cannot be combined with \(other.name)."
    case (.sendProxy(true), .tls(true)), (.sendProxy(true), .tlsCA):
      "\(name) works without TLS only, so it cannot be combined with \(other.name)."
    case (.sendProxy(true), .exec), (.sendProxy(true), .local(true)),
      (.sendProxy(true), .replayFile):
      "\(name) is for people at a server, so it cannot be combined with \(other.name)."
    case (.tls(false), .tlsCA):
      "\(name)=no means no TLS, so it cannot be combined with \(other.name)."
    case (.exec, .name):
      "\(name) leaves the login to the program, so it cannot be combined with \(other.name)."
    case (.exec, .start), (.exec, .join), (.exec, .watch), (.exec, .replay),
      (.exec, .game), (.exec, .level):
      "\(name) leaves the start to the program, so it cannot be combined with \(other.name)."
    case (.start, .watch) where source == other.source:
      "\(name) and \(other.name) cannot be combined: one plays, the other watches."
    case (.start, .join) where source == other.source, (.join, .watch) where source == other.source,
      (.start, .replay) where source == other.source,
      (.join, .replay) where source == other.source,
      (.watch, .replay) where source == other.source:
      "\(name) and \(other.name) cannot be combined: each says how to begin."
    case (.join, .game), (.join, .level):
      "\(name) plays your friend's game, so it cannot be combined with \(other.name)."
    case (.start, .watch), (.watch, .start), (.start, .join), (.join, .start), (.join, .watch),
      (.watch, .join), (.start, .replay), (.replay, .start), (.join, .replay), (.replay, .join),
      (.watch, .replay), (.replay, .watch):
      urlBegins(before: other)
    default: nil
    }
  }

  /// Returns why another setting cannot repeat what this host or URL says; `nil` if it does not.
  private func repetition(by other: OptionSetting) -> String? {
    guard option == other.option, other.source == .option else { return nil }
    if option == .tls {
      guard source == .url, value != other.value else { return nil }
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
    guard case (.start(let opponent), .level) = (value, other.value), opponent != .bot else {
      return nil
    }
    return "\(other.name) is for the bot, so it cannot be combined with \(name)."
  }
}
