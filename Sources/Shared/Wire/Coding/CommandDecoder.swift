/// Decodes the lines of clients, in JSON and in words. One decoder serves all connections: once its
/// buffers have grown, a line whose strings are short allocates nothing.
package final class CommandDecoder {
  private static let types = CommandType.allCases
  private var lines = LineDecoder(CommandSpec.all, wordsOnly: [.board])

  package init() {}

  /// Decodes a line, without its LF. Returns `nil` for a blank line. The framer has checked the
  /// length.
  ///
  /// - Throws: the first error of the protocol's list that applies.
  package func decode(_ line: Span<UInt8>) throws(LineError) -> Request? {
    guard let range = LineDecoder.trimmed(line) else { return nil }
    let line = line.extracting(range)
    var id: Int?
    if let command = Self.bareCommand(line, id: &id) {
      return Request(id: id.map(RequestID.integer), command)
    }
    let decoded = try lines.decode(trimmed: line)
    guard decoded.spec < Self.types.count else { return Request(.board) }
    return Request(id: decoded.id, command(Self.types[decoded.spec]), hint: decoded.hint)
  }

  /// Makes the command from the values of the last line, which are complete and valid.
  private func command(_ type: CommandType) -> Command {
    switch type {
    case .login: .login(name: lines.string(0), password: lines.string(1))
    case .register: .register(password: lines.requiredString(0), old: lines.string(1))
    case .unregister: .unregister(password: lines.requiredString(0))
    case .resume: .resume(token: lines.requiredString(0), seq: lines.integer(1))
    case .start: .start(opponent: lines.string(0), game: lines.string(1), level: lines.choice(2))
    case .open: .open(game: lines.string(0))
    case .join: .join(code: lines.requiredString(0))
    case .cancel: .cancel
    case .decline: .decline(opponent: lines.string(0))
    case .place:
      .place(
        Cell(row: lines.requiredInteger(0), column: lines.requiredInteger(1)), seq: lines.integer(2)
      )
    case .resign: .resign
    case .leave: .leave
    case .say: .say(lines.requiredString(0))
    case .watch: .watch(match: lines.requiredString(0))
    case .list: .list(lines.choice(0) ?? .players)
    case .history: .history(player: lines.string(0), before: lines.integer(1))
    case .leaderboard: .leaderboard(game: lines.string(0))
    case .replay: .replay(match: lines.requiredString(0), seq: lines.integer(1))
    case .sync: .sync(seq: lines.integer(0))
    case .ping: .ping
    case .help: .help(lines.choice(0))
    case .quit: .quit
    }
  }
}
