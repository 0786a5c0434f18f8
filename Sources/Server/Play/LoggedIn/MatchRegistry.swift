import RIBs
import Shared

/// The current matches, by id and in the order in which they began. Each match adds itself when it
/// begins and removes itself when it ends.
final class MatchRegistry {
  /// The maximum number of matches at a time; `nil` means no limit.
  var maxMatches: Int?
  private let store: (any MatchStore)?
  private var matches: [ExactText: any Match] = [:]
  private var order = SlotList<any Match>()

  /// `store` is `nil` if matches are not kept.
  init(maxMatches: Int?, store: (any MatchStore)? = nil) {
    self.maxMatches = maxMatches
    self.store = store
  }

  var count: Int { matches.count }

  /// Whether one more match may begin.
  var hasRoom: Bool { count < maxMatches ?? .max && storeHasRoom }

  /// Whether the store has room for more than the games that run now.
  var storeHasRoom: Bool { store?.hasRoom != false }

  /// The match with an id, compared character by character.
  subscript(id: String) -> (any Match)? { matches[ExactText(id)] }

  /// All matches in the order in which they began.
  var all: [any Match] { order.elements }

  /// Returns the first matches, up to `limit`, for a list.
  func summaries(limit: Int) -> Page<MatchSummary> {
    let first = order.prefix(limit).map(\.summary)
    return Page(first, more: count - first.count)
  }

  func add(_ match: any Match) {
    matches[ExactText(match.id)] = match
    match.position = order.append(match)
  }

  /// Does nothing with a match that was not added.
  func remove(_ match: any Match) {
    guard matches[ExactText(match.id)] === match else { return }
    matches[ExactText(match.id)] = nil
    order.remove(at: match.position) { $0.position = $1 }
  }
}
