/// What the server puts up with.
package struct Limits: Equatable, Sendable {
  /// Longest line accepted, in bytes, newline excluded.
  package let line: Int

  package init(line: Int) {
    self.line = line
  }
}
