/// Encodes the lines of clients.
package enum CommandEncoder {
  /// Appends a command as one line of JSON, with its LF.
  package static func append(_ command: Command, id: RequestID? = nil, to line: inout [UInt8]) {
    LineWriter.withLine({ put(command, id, to: &$0) }, { line.append($0) })
  }

  private static func put(_ command: Command, _ id: RequestID?, to line: inout LineWriter) {
    line.put("{\"type\":")
    line.put(plain: command.type.rawValue)
    line.put("id", id)
    switch command {
    case .login(let name, let password):
      line.put("name", name)
      line.put("password", password)
    case .register(let password, let old):
      line.put("password", password)
      line.put("old", old)
    case .unregister(let password):
      line.put("password", password)
    case .resume(let token, let seq):
      line.put("token", token)
      line.put("seq", seq)
    case .start(let opponent, let game, let level):
      line.put("opponent", opponent)
      line.put("game", game)
      line.put("level", plain: level?.rawValue)
    case .open(let game):
      line.put("game", game)
    case .join(let code):
      line.put("code", code)
    case .decline(let opponent):
      line.put("opponent", opponent)
    case .place(let cell, let seq):
      line.put("row", cell.row)
      line.put("col", cell.column)
      line.put("seq", seq)
    case .say(let text):
      line.put("text", text)
    case .watch(let match):
      line.put("match", match)
    case .list(let listing):
      line.put("what", plain: listing.rawValue)
    case .history(let player, let before):
      line.put("player", player)
      line.put("before", before)
    case .leaderboard(let game):
      line.put("game", game)
    case .replay(let match, let seq):
      line.put("match", match)
      line.put("seq", seq)
    case .sync(let seq):
      line.put("seq", seq)
    case .help(let topic):
      line.put("command", plain: topic?.name)
    // The board is part of the whole state of a match.
    case .cancel, .resign, .leave, .board, .ping, .quit:
      break
    }
    line.put("}\n")
  }
}
