/// A line from a client that could be read.
package struct Request: Equatable, Sendable {
  /// `nil`: the answer carries no `re`.
  package let id: RequestID?
  package let command: Command

  package init(id: RequestID? = nil, _ command: Command) {
    self.id = id
    self.command = command
  }
}
