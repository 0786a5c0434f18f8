import Shared

/// Who is logged in, and what they do.
typealias PlayerList = Page<PlayerSummary>

extension PlayerList {
  /// All of it, for a person.
  var sentence: String {
    var people = items.map { "\($0.name) (\($0.place.phrase))" }
    if more > 0 { people.append("and \(more) more") }
    return "Here: " + people.joined(separator: ", ")
  }
}
