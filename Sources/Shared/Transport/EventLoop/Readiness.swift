/// What a watched descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  /// Hung up or failed. Reported whatever the interest is, the empty one too, for as long as it
  /// holds: who can do nothing about it cancels the watch, or the loop spins.
  package static let ended = Readiness(rawValue: 4)
}
