import Shared

/// The commands that wait for a reply, in the order in which they were sent. The server replies in
/// the same order.
struct UnansweredCommands {
  typealias Answer = (Event?) -> Void
  typealias Unanswered = (command: Command, answer: Answer)

  private struct Entry {
    let id: RequestID
    let deadline: Duration
    let command: Command
    let answer: Answer
  }

  /// Whether a program has commands on the same connection, most with numbers as their ids.
  var isRelayed = false
  private var lastID = 0
  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// The time by which the first reply must arrive.
  var deadline: Duration? { entries.first?.deadline }

  /// Adds a command and returns its id. `answer` gets the reply.
  mutating func add(
    _ command: Command, until deadline: Duration, answer: @escaping Answer
  ) -> RequestID {
    lastID += 1
    let id = isRelayed ? RequestID.text("link-\(lastID)") : .integer(lastID)
    entries.append(Entry(id: id, deadline: deadline, command: command, answer: answer))
    return id
  }

  /// Removes a command and returns its closure; `nil` if no command has this id.
  mutating func take(_ id: RequestID) -> Answer? {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index).answer
  }

  mutating func takeAll() -> [Unanswered] {
    defer { entries = [] }
    return entries.map { ($0.command, $0.answer) }
  }
}
