import Shared

/// The commands that wait for their answers, in the order in which they were sent, which is that of
/// the answers.
struct OpenRequests {
  typealias Answer = (Event?) -> Void

  private struct Request {
    let id: RequestID
    let limit: Duration
    let answer: Answer
  }

  private var lastID = 0
  private var requests: [Request] = []

  var count: Int { requests.count }

  /// Until when the first of them is to be answered.
  var limit: Duration? { requests.first?.limit }

  /// Answers the id to send.
  mutating func add(until limit: Duration, answer: @escaping Answer) -> RequestID {
    lastID += 1
    requests.append(Request(id: .integer(lastID), limit: limit, answer: answer))
    return .integer(lastID)
  }

  mutating func take(_ id: RequestID) -> Answer? {
    guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
    return requests.remove(at: index).answer
  }

  mutating func takeAll() -> [Answer] {
    defer { requests = [] }
    return requests.map(\.answer)
  }
}
