/// Who gets what a person types.
protocol ConsoleReader: AnyObject {
  /// A line, without its newline.
  func consoleDidRead(_ line: String)
  /// There will be no more lines.
  func consoleDidEnd()
  /// Reading has failed; the sentence is for the person.
  func consoleDidFail(_ sentence: String)
}

/// Plain lines in and out, for a terminal and for a pipe.
///
/// On a terminal a line is taken whenever it is typed. From a pipe or a file a line is only taken
/// once a view asks, when its turn has come, and it is shown behind the question, so that the
/// output reads like a session; the end of the input is told at its turn, too.
final class Console {
  /// Longest line taken, in bytes.
  static let longestLine = 1_024

  weak var reader: (any ConsoleReader)?
  let isInteractive: Bool
  private let write: (String) -> Void
  private let later: (@escaping () -> Void) -> Void
  /// What the open question is; `nil` where none is.
  private var prompt: String?
  /// Whether the cursor stands behind the question.
  private var isBehindPrompt = false
  private var partial: [UInt8] = []
  private var isOverlong = false
  private var lines: [String] = []
  private var hasEnded = false

  /// - Parameters:
  ///   - isInteractive: a person types at a terminal, which shows what is typed.
  ///   - write: puts text out, at once.
  ///   - later: calls an action once this call stack is done.
  init(
    isInteractive: Bool, write: @escaping (String) -> Void,
    later: @escaping (@escaping () -> Void) -> Void
  ) {
    self.isInteractive = isInteractive
    self.write = write
    self.later = later
  }

  /// Whether more input is of use now; a pipe need not be read before.
  var wantsInput: Bool { isInteractive || (lines.isEmpty && !hasEnded) }

  /// Shows text of one or more lines. A question that is open is asked again behind it.
  func say(_ text: String) {
    if isBehindPrompt { write("\n") }
    isBehindPrompt = false
    write(text.printable + "\n")
    showPrompt()
  }

  /// Asks for a line. A question that is already open is replaced.
  func ask(_ prompt: String) {
    if self.prompt == prompt, isBehindPrompt { return }
    if isBehindPrompt { write("\n") }
    isBehindPrompt = false
    self.prompt = prompt
    showPrompt()
    later { [weak self] in self?.deliver() }
  }

  /// Takes the open question back.
  func stopAsking() {
    guard prompt != nil else { return }
    prompt = nil
    if isBehindPrompt { write("\n") }
    isBehindPrompt = false
  }

  /// Takes in what was typed.
  func receive(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        endLine()
      } else if partial.count < Self.longestLine {
        partial.append(bytes[index])
      } else {
        isOverlong = true
      }
    }
    deliver()
  }

  /// The input is over; what stands behind the last newline is a line as well.
  func inputDidEnd() {
    if !partial.isEmpty { endLine() }
    hasEnded = true
    deliver()
  }

  func inputDidFail(_ reason: String) {
    reader?.consoleDidFail("What you type cannot be read: \(reason).")
  }

  private func endLine() {
    if isOverlong {
      say("That line is too long; a line has at most \(Self.longestLine) bytes.")
    } else {
      lines.append(String(decoding: partial, as: UTF8.self))
    }
    partial = []
    isOverlong = false
  }

  /// Hands on what has its turn: on a terminal everything, else one line for each question.
  private func deliver() {
    while isInteractive || prompt != nil {
      guard !lines.isEmpty else {
        if hasEnded { reader?.consoleDidEnd() }
        return
      }
      let line = lines.removeFirst()
      if !isInteractive, isBehindPrompt { write(line.printable + "\n") }
      prompt = nil
      isBehindPrompt = false
      reader?.consoleDidRead(line)
    }
  }

  private func showPrompt() {
    guard let prompt else { return }
    write(prompt.printable)
    isBehindPrompt = true
  }
}

extension String {
  /// Without white space at the ends.
  var trimmed: String {
    let from = drop { $0.isWhitespace }
    guard let last = from.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(from[...last])
  }
}
