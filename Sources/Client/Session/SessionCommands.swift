import RIBs
import Shared

/// Sends a logged-in person's commands to the server, and turns refusals into notices. Owned by
/// `RemoteSession`.
final class SessionCommands {
  weak var delegate: (any GameServiceDelegate)?
  /// Whether commands may be sent. Without this check, commands that are typed during a reconnect
  /// could reach the server before the session's token.
  var isOnline = true
  private let link: ServerLink
  private let notices: EventSource<String>
  private var unanswered = 0
  private(set) var lostStart: Command?
  /// The last request for a game.
  private(set) var lastStart: Command?
  /// Notices that wait for the reply to a command.
  private var heldNotices: [String] = []

  init(link: ServerLink, notices: EventSource<String>) {
    self.link = link
    self.notices = notices
  }

  /// Sends a command that asks for a game. After `onRefusal` the delegate hears of a refusal.
  func sendStart(_ command: Command, onRefusal: @escaping () -> Void = {}) {
    (lostStart, lastStart) = (nil, command)
    send(
      command,
      onRefusal: { [weak self] in
        onRefusal()
        self?.delegate?.gameServiceDidNotStart(.refused)
      }, onLoss: { [weak self] in self?.lostStart = command })
  }

  /// Returns the request for a game whose reply was lost with the connection; `nil` if there is
  /// none. The next call returns `nil`.
  func takeLostStart() -> Command? {
    defer { lostStart = nil }
    return lostStart
  }

  /// Sends what the program itself says in the chat. Without a connection, and if it may be lost
  /// with the connection, calls `onLoss`.
  func mention(_ text: String, onLoss: @escaping () -> Void) {
    guard isOnline else { return onLoss() }
    link.send(.say(text)) { if $0 == nil { onLoss() } }
  }

  /// Sends a chat message. A message that may be lost is quoted in a notice, so that the person can
  /// send it again.
  func say(_ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return }
    guard text.unicodeScalars.count <= ProtocolLimits.maxMessageLength else {
      return notices.send(
        "That message is too long. It may have up to \(ProtocolLimits.maxMessageLength) characters."
      )
    }
    let loss = "because there is no connection to the server now: “\(text)”"
    guard isOnline else { return notices.send("Not sent, \(loss)") }
    let doubt = link.isOpen ? "Perhaps not sent" : "Not sent"
    link.send(.say(text)) { [weak self] answer in
      guard let self else { return }
      switch answer {
      case .error(_, let message, _, let retry): notices.send(message.naming(retry))
      case nil: notices.send("\(doubt), \(loss)")
      default: break
      }
    }
  }

  /// Asks for something that one caller gets. `read` returns it from the reply.
  func request<Value>(
    _ command: Command, _ answer: @escaping RequestAnswer<Value>, read: @escaping (Event) -> Value?
  ) {
    guard isOnline else { return answer(.failure(Self.noConnection)) }
    link.send(command) { event in
      if let value = event.flatMap(read) { return answer(.success(value)) }
      let error =
        switch event {
        case .error(.unknownType, _, _, _): RequestError(sentence: Self.isOlder)
        case .error(_, let message, _, let retry): RequestError(sentence: message.naming(retry))
        default: Self.noConnection
        }
      answer(.failure(error))
    }
  }

  /// The reason why a command had no effect.
  static let noAnswer = "There is no connection to the server now. Wait until it is back."

  private static let noConnection = RequestError(sentence: noAnswer, isTemporary: true)

  /// The notice for a command of this client that the server does not know.
  static let isOlder = "This server is older than this client and cannot do that."

  /// Shows a notice as soon as no command waits for its reply. A notice shows a prompt in plain
  /// lines, and a script would read its next line there, before the game that it asked for begins.
  /// Of many notices, the last ones are shown.
  func hold(_ notice: String) {
    guard !heldNotices.contains(notice) else { return }
    if heldNotices.count == Self.maxHeldNotices { heldNotices.removeFirst() }
    heldNotices.append(notice)
    sendHeldNotices()
  }

  private static let maxHeldNotices = 20

  /// `RemoteSession` calls this after each event, because a reply is an event, too.
  func sendHeldNotices() {
    guard unanswered == 0, lostStart == nil, !heldNotices.isEmpty else { return }
    let held = heldNotices
    heldNotices = []
    for notice in held { notices.send(notice) }
  }

  /// Sends a command. A refusal becomes a notice, and then calls `onRefusal`; so does the loss of
  /// the connection before the reply, unless `onLoss` takes care of it.
  func send(
    _ command: Command, onRefusal: @escaping () -> Void = {}, onLoss: (() -> Void)? = nil
  ) {
    guard isOnline else {
      notices.send(Self.noAnswer)
      return onRefusal()
    }
    unanswered += 1
    var isSent = false
    link.send(command) { [weak self] answer in
      guard let self else { return }
      unanswered -= 1
      switch answer {
      case .error(let code, let message, _, let retry):
        notices.send(code == .unknownType ? Self.isOlder : message.naming(retry))
        onRefusal()
      case nil:
        // Without a connection, the answer has come at once.
        if isSent, let onLoss { return onLoss() }
        notices.send(Self.noAnswer)
        onRefusal()
      default: return
      }
      sendHeldNotices()
    }
    isSent = true
  }
}
