/// Writes the lines of clients.
package enum CommandEncoder {
  /// Appends a command as one line of JSON, its LF included.
  package static func append(_ command: Command, id: RequestID? = nil, to line: inout [UInt8]) {
    line.append(type: command.type.rawValue)
    line.append("id", id)
    switch command {
    case .login(let name, let password):
      line.append("name", name)
      line.append("password", password)
    case .resume(let token, let seq):
      line.append("token", token)
      line.append("seq", seq)
    case .start(let opponent, let game):
      line.append("opponent", opponent)
      line.append("game", game)
    case .place(let cell, let seq):
      line.append("row", cell.row)
      line.append("col", cell.column)
      line.append("seq", seq)
    case .say(let text):
      line.append("text", text)
    case .watch(let match):
      line.append("match", match)
    case .list(let listing):
      line.append("what", listing.rawValue)
    case .sync(let seq):
      line.append("seq", seq)
    case .help(let command):
      line.append("command", command?.rawValue)
    case .cancel, .resign, .leave, .ping, .quit:
      break
    }
    line.append(json: "}\n")
  }
}
