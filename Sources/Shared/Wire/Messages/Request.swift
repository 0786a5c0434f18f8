/// The `id` of a command. The line that answers the command carries the same value as `re`.
package enum RequestID: Hashable, Sendable {
  /// From −`maxInteger` to `maxInteger`; see `ProtocolLimits`.
  case integer(Int)
  /// 1 to `maxIDLength` characters.
  case text(String)
}

/// A decoded line of a client.
package struct Request: Equatable, Sendable {
  /// `nil` if the answer carries no `re`.
  package let id: RequestID?
  package let command: Command

  package init(id: RequestID? = nil, _ command: Command) {
    self.id = id
    self.command = command
  }
}

/// A decoded line of the server.
package struct ReceivedEvent: Equatable, Sendable {
  /// The `id` of the command that this answers; `nil` if there is none.
  package let re: RequestID?
  package let event: Event

  package init(re: RequestID? = nil, _ event: Event) {
    self.re = re
    self.event = event
  }
}
