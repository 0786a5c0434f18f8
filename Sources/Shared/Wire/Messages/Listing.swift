/// What `list` can list. The raw values are those of the wire.
package enum Listing: String, CaseIterable, Sendable {
  case players, matches, games
}
