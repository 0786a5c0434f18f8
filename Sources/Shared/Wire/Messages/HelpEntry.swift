/// What `help` says of one command.
package struct HelpEntry: Equatable, Sendable {
  package let command: String
  /// The command in words, `place ROW COL [SEQ]`: what stands in brackets may be left out.
  package let usage: String
  /// A line of JSON that is this command.
  package let example: String
  /// A sentence for a person.
  package let about: String

  package init(command: String, usage: String, example: String, about: String) {
    self.command = command
    self.usage = usage
    self.example = example
    self.about = about
  }
}
