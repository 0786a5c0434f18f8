/// The news of a match besides its board (chat, absent players, the time for a move), and of the
/// connection. Times are on the clock of the event loop.
struct MatchNews: Equatable {
  /// A chat message.
  struct Remark: Equatable {
    let from: String
    var isFromSpectator = false
    let text: String

    /// Names contain no quotation mark, and the program's own sentences never begin with one, so no
    /// message can be mistaken for one of them.
    var sentence: String { "\"\(from)\"\(isFromSpectator ? " (watching)" : ""): \(text)" }
  }

  /// A player whose connection is lost.
  struct Absence: Equatable {
    let name: String
    /// When the server stops keeping the player's place; `nil` if unknown.
    let until: Duration?
  }

  /// The number of chat messages kept.
  static let maxRemarks = 500

  /// The time for a move is shown from here on. Longer times need nobody's attention.
  static let maxShownTime = Duration.seconds(60)

  /// When the news last changed.
  var updated: Duration = .zero
  /// When the connection was lost; `nil` while there is one.
  var lostSince: Duration?
  /// Whether a command was lost with the connection and may have to be sent again. Until then, what
  /// a script says next waits.
  var isRepeating = false
  /// Why the server that was reached does not serve this client, as a sentence without its end;
  /// `nil` if it was not reached, or has given no reason.
  var obstacle: String?
  /// The server to which the session has moved; `nil` if it has not.
  var server: ServerAddress?
  /// The id of the match; `nil` without a match.
  var match: String?
  var absences: [Absence] = []
  /// When the time for the move ends; `nil` without a limit.
  var deadline: Duration?
  var spectatorCount = 0
  /// When the server stops at the latest; `nil` unless it has announced that.
  var serverEnd: Duration?
  /// The latest messages of the match, or of the last one, oldest first.
  private(set) var remarks: [Remark] = []
  /// The number of all messages, including those no longer kept.
  private(set) var remarkCount = 0

  var isInMatch: Bool { match != nil }

  mutating func add(_ remark: Remark) {
    remarks = (remarks + [remark]).suffix(Self.maxRemarks)
    remarkCount += 1
  }

  mutating func forgetRemarks() {
    remarks = []
  }

  func remarks(since old: MatchNews) -> ArraySlice<Remark> {
    remarks.suffix(max(0, remarkCount - old.remarkCount))
  }
}
