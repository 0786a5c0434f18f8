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
