import Shared

extension Command {
  /// As a person writes it in netcat; `nil` for what nobody does there, and for what has an answer
  /// that is told from other events by its `re` only.
  var words: String? {
    switch self {
    case .start(let opponent, nil): opponent.map { "start \($0)" } ?? "start"
    case .place(let cell, nil): "place \(cell.row) \(cell.column)"
    case .say(let text): "say \(text)"
    case .watch(let match): "watch \(match)"
    case .list(let what): "list \(what)"
    case .sync(nil), .cancel, .resign, .leave, .ping, .quit: type.rawValue
    case .login, .resume, .start, .place, .sync, .help: nil
    }
  }
}
