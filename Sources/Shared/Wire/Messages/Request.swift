/// The `id` that a command may carry; the line that answers it carries the same value as `re`.
package enum RequestID: Hashable, Sendable {
  /// At most 2^53 − 1 in size.
  case integer(Int)
  /// 1 to `ProtocolLimits.maxIDLength` characters.
  case text(String)
}

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

/// A line from the server that could be read.
package struct ReceivedEvent: Equatable, Sendable {
  /// The `id` of the command that this answers.
  package let re: RequestID?
  package let event: Event

  package init(re: RequestID? = nil, _ event: Event) {
    self.re = re
    self.event = event
  }
}
