/// One row of a program's table of options. The help, the completions, the sample configuration and
/// the pages of the documents are made from it.
package struct OptionRow: Equatable, Sendable {
  /// What a shell offers for the value.
  package enum Completion: Equatable, Sendable {
    case nothing, hosts, commands
    case files, filesOrNone, foldersOrNone
    case words([String])
    /// The value may be left out.
    case optionalWords([String])
  }

  /// Without the dashes.
  package let name: String
  /// What stands for the value; `nil` if the option takes none.
  package let value: String?
  /// What it does, without a full stop.
  package let about: String
  /// What holds without the option; `nil` for nothing.
  package let standard: String?
  /// Follows `about` and the default, with the mark before it.
  package let note: String
  package let completion: Completion

  package init(
    _ name: String, _ value: String?, _ about: String, standard: String? = nil,
    note: String = "", completion: Completion = .nothing
  ) {
    self.name = name
    self.value = value
    self.about = about
    self.standard = standard
    self.note = note
    self.completion = completion
  }

  /// An option without a value.
  package init(_ name: String, _ about: String, note: String = "") {
    self.init(name, nil, about, note: note)
  }

  /// The option and its value, as in a help.
  package var usage: String { "--\(name)\(value.map { " \($0)" } ?? "")" }

  /// All that a help says of the option.
  package var text: String {
    "\(about)\(standard.map { " (default: \($0))" } ?? "")\(note)"
  }
}

extension [OptionRow] {
  /// The part of a help with these options. The texts begin at `column`.
  package func help(textsAt column: Int) -> String {
    map { row in
      let head = "  \(row.usage)"
      let space = String(repeating: " ", count: Swift.max(2, column - head.count))
      return row.text.wrapped(head + space, next: String(repeating: " ", count: column))
    }.joined()
  }
}

extension String {
  /// Breaks a text of ASCII characters between words, into lines of up to 100 characters that end
  /// with an LF. The first begins with `first`, and the others with `next`.
  package func wrapped(_ first: String, next: String) -> String {
    var (text, line, isEmpty) = ("", first, true)
    for word in split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > 100 {
        text += "\(line)\n"
        (line, isEmpty) = (next, true)
      }
      line += isEmpty ? "\(word)" : " \(word)"
      isEmpty = false
    }
    return "\(text)\(line)\n"
  }
}
