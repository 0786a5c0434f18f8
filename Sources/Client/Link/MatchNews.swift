/// What goes on around the board of a match at a server, and how the way to the server is. Moments
/// are on the clock of the program.
struct MatchNews: Equatable {
  /// A line of chat.
  struct Remark: Equatable {
    let from: String
    let text: String

    /// A name holds no quotation mark, and no sentence of the program's begins with one: so nobody
    /// can say what looks like one of those.
    var sentence: String { "\"\(from)\": \(text)" }
  }

  /// A player whose connection is lost.
  struct Absence: Equatable {
    let name: String
    /// Until when the place is kept, where that was told.
    let until: Duration?
  }

  /// How much of the chat is kept.
  static let mostRemarks = 50

  /// When this was told.
  var told: Duration = .zero
  /// Since when the connection is lost; `nil` while it is there.
  var lostSince: Duration?
  /// The id of the match to talk in; `nil` while there is none.
  var match: String?
  var absences: [Absence] = []
  /// When the time for the move is up; `nil` where it is not limited.
  var deadline: Duration?
  /// The latest, in the order in which they were said.
  private(set) var remarks: [Remark] = []
  /// How many were said, also those that are no longer kept.
  private(set) var remarkCount = 0

  var isInMatch: Bool { match != nil }

  mutating func add(_ remark: Remark) {
    remarks = (remarks + [remark]).suffix(Self.mostRemarks)
    remarkCount += 1
  }

  mutating func forgetRemarks() {
    remarks = []
  }

  /// What was said since another state of this.
  func remarks(since old: MatchNews) -> ArraySlice<Remark> {
    remarks.suffix(max(0, remarkCount - old.remarkCount))
  }
}
