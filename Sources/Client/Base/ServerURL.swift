import Foundation
import Shared

/// The address of a server with an optional launch action, `tictactoe://HOST:PORT/start/OPPONENT`,
/// `tictactoe://HOST:PORT/join/CODE`, `tictactoe://HOST:PORT/watch/MATCH` or
/// `tictactoe://HOST:PORT/replay/MATCH`, or with a game to choose in the lobby,
/// `tictactoe://HOST:PORT/game/GAME`. `tictactoes` means TLS.
struct ServerURL: Equatable {
  static let scheme = "tictactoe"
  static let tlsScheme = "tictactoes"

  let host: String
  /// `nil` means the default port.
  let port: UInt16?
  /// Without it, the other options decide.
  let usesTLS: Bool
  /// `nil` means that the person chooses.
  let action: LaunchAction?
  /// The game and the bot's level to choose in the lobby; `nil` without `/game`.
  let choice: GameChoice?

  /// Returns whether an operand is meant as a URL, valid or not. No host name contains “//”.
  /// `tictactoe:7777` is not a URL, but a host named `tictactoe` and a port.
  static func isMeant(by operand: String) -> Bool {
    let isURL = ["\(scheme):", "\(tlsScheme):"].contains { prefix in
      operand.lowercased().hasPrefix(prefix)
        && HostPort.port(operand.dropFirst(prefix.count)) == nil
    }
    return isURL || operand.contains("//")
  }

  /// Parses a URL.
  ///
  /// - Throws: if it is not valid, or has parts that the client does not know.
  init(_ text: String) throws(UsageError) {
    guard let parts = URLComponents(string: text, encodingInvalidCharacters: false),
      let scheme = parts.scheme?.lowercased(), [Self.scheme, Self.tlsScheme].contains(scheme),
      let host = Self.host(of: parts)
    else { throw Self.error(text, "a URL is written tictactoe://HOST:PORT/start/OPPONENT") }
    guard parts.user == nil, parts.query == nil, parts.fragment == nil else {
      throw Self.error(
        text, "a URL may contain only a host, a port, and a path such as /start/OPPONENT")
    }
    // They could look like lines of the client.
    guard parts.path.allSatisfy({ $0 == $0.displayable }) else {
      throw Self.error(text, "it has a line break or another character that cannot be shown")
    }
    self.host = host
    usesTLS = scheme == Self.tlsScheme
    port = try Self.port(of: parts, in: text)
    choice = Self.choice(in: parts.percentEncodedPath)
    action = choice == nil ? try Self.action(in: parts.percentEncodedPath, of: text) : nil
  }

  /// Returns the host; an IPv6 address without its brackets.
  private static func host(of parts: URLComponents) -> String? {
    guard let host = parts.host else { return nil }
    let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    return name.isEmpty ? nil : name
  }

  private static func port(
    of parts: URLComponents, in text: String
  ) throws(UsageError) -> UInt16? {
    // A port that is too large for an integer has a range in the text, but no value.
    guard let range = parts.rangeOfPort, !range.isEmpty else { return nil }
    guard let number = parts.port, let port = UInt16(exactly: number), port > 0 else {
      throw error(text, "a port is a number from 1 to 65535")
    }
    return port
  }

  /// Parses `/start/NAME`, `/start/NAME/GAME`, `/start/bot/GAME/LEVEL`, `/join/CODE`,
  /// `/watch/MATCH` or `/replay/MATCH`. Splits the path before decoding it, because a name may
  /// contain a slash.
  private static func action(
    in path: String, of text: String
  ) throws(UsageError) -> LaunchAction? {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (words.first?.lowercased(), words.dropFirst().first) {
    case (nil, _), ("", nil): return nil
    case ("start", nil): return .start(against: .anyone)
    case ("start", let name?) where words.count <= 4:
      let rest = words.dropFirst(2).map { $0.removingPercentEncoding }
      guard let name = name.removingPercentEncoding, !rest.contains(nil), !rest.contains("")
      else { break }
      let opponent = Opponent(argument: name)
      let level = rest.count > 1 ? rest[1].flatMap(BotLevel.init(word:)) : nil
      guard rest.isEmpty || !name.isEmpty, rest.count < 2 || level != nil && opponent == .bot
      else { break }
      return .start(against: opponent, game: rest.first ?? nil, level: level)
    case ("join", let code?) where words.count == 2:
      guard let code = code.removingPercentEncoding, !code.isEmpty else { break }
      return .join(code)
    case ("watch", let match?) where words.count == 2:
      guard let match = match.removingPercentEncoding, !match.isEmpty else { break }
      return .watch(match)
    case ("replay", let match?) where words.count == 2:
      guard let match = match.removingPercentEncoding, !match.isEmpty else { break }
      return .replay(match)
    default: break
    }
    throw error(
      text,
      "after the host only /start/OPPONENT/GAME/LEVEL, /join/CODE, /watch/MATCH,"
        + " /replay/MATCH or /game/GAME/LEVEL may follow")
  }

  /// Parses `/game/GAME` or `/game/GAME/LEVEL`; `nil` for any other path.
  private static func choice(in path: String) -> GameChoice? {
    let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { $0.removingPercentEncoding ?? "" }
    guard words.first?.lowercased() == "game", (2...3).contains(words.count), !words.contains("")
    else {
      return nil
    }
    guard words.count == 3 else { return GameChoice(game: words[1]) }
    return BotLevel(word: words[2]).map { GameChoice(game: words[1], level: $0) }
  }

  private static func error(_ text: String, _ reason: String) -> UsageError {
    UsageError("“\(text)” is not a valid URL: \(reason).")
  }
}
