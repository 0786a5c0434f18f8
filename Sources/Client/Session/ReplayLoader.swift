import Shared

/// Gets a stored match from the server, page by page. Owned by `RemoteSession`.
final class ReplayLoader {
  /// A match with more events is not loaded. A server could otherwise send events without end.
  static let maxEvents = 200_000

  typealias Answer = RequestAnswer<Replay>

  private let commands: SessionCommands
  /// The match that is being loaded; `nil` if there is none.
  private var loading: (match: String, last: Int?, events: [Event], answer: Answer)?
  /// Whether the events of a page are still to come.
  private var isInPage = false

  init(commands: SessionCommands) {
    self.commands = commands
  }

  /// Loads a match. `answer` is called once.
  func load(_ match: String, answer: @escaping Answer) {
    guard loading == nil else {
      return answer(.failure(RequestError(sentence: "Another replay is being loaded. Wait.")))
    }
    loading = (match, nil, [], answer)
    requestPage(after: nil)
  }

  /// Takes an event of the server. Returns whether it belongs to the match that is being loaded.
  func receive(_ event: Event) -> Bool {
    guard let loading, let last = loading.last else { return false }
    switch event {
    case .match, .unknown:
      guard let place = event.place, place.match == loading.match else { return false }
      guard loading.events.count < min(last, Self.maxEvents) else {
        finish(with: .failure(RequestError(sentence: "The match is too long for this client.")))
        return true
      }
      self.loading?.events.append(event)
      return true
    case .replayDidEnd(loading.match, let next):
      pageDidEnd(next: next)
      return true
    default:
      return false
    }
  }

  /// The session continues at another server, which is asked for the rest of the page.
  func sessionDidMove() {
    guard isInPage else { return }
    isInPage = false
    requestPage(after: loading?.events.last?.place?.seq)
  }

  /// The rest of the match will not come.
  func connectionDidEnd() {
    finish(with: .failure(RequestError(sentence: SessionCommands.noAnswer)))
  }

  private func requestPage(after seq: Int?) {
    guard let match = loading?.match else { return }
    commands.request(.replay(match: match, seq: seq)) {
      [weak self] (result: Result<ReplayHeader, RequestError>) in
      switch result {
      case .success(let header):
        // The server may write the id in another way than the person.
        self?.loading?.match = header.match
        self?.loading?.last = header.last
        self?.isInPage = true
      case .failure(let error): self?.finish(with: .failure(error))
      }
    } read: {
      if case .replayDidStart(let header) = $0 { header } else { nil }
    }
  }

  private func pageDidEnd(next: Int?) {
    guard let loading else { return }
    isInPage = false
    guard !loading.events.isEmpty else {
      return finish(with: .failure(RequestError(sentence: "The server's replay has no events.")))
    }
    guard let next else {
      let replay = Replay(match: loading.match, events: loading.events, last: loading.last)
      return finish(with: .success(replay))
    }
    // Otherwise the pages would never end.
    guard next == loading.events.last?.place?.seq else {
      let sentence = "The server's replay is damaged after event \(loading.events.count)."
      return finish(with: .failure(RequestError(sentence: sentence)))
    }
    requestPage(after: next)
  }

  private func finish(with result: Result<Replay, RequestError>) {
    guard let answer = loading?.answer else { return }
    loading = nil
    isInPage = false
    answer(result)
  }
}
