import Shared

/// Who gets what a person types.
protocol ConsoleDelegate: AnyObject {
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
/// once a question is shown, when its turn has come, and it is shown behind the question, so that
/// the output reads like a session; the end of the input is told at its turn, too. While somebody is
/// waited for, only some words and the end have theirs.
final class Console {
  /// Longest line taken, in bytes.
  static let maxLineLength = 1_024

  weak var reader: (any ConsoleDelegate)?
  let isInteractive: Bool
  private let write: (String) -> Bool
  private let later: (@escaping () -> Void) -> Void
  /// What the open question is; `nil` where none is.
  private var prompt: String?
  /// Whether the question is to be shown once this call stack is done.
  private var isPromptDue = false
  /// The words that have their turn without a question; `nil` where nothing has.
  private var words: Set<String>?
  /// Whether the cursor stands behind the question.
  private var isBehindPrompt = false
  private var partial: [UInt8] = []
  private var isOverlong = false
  private var inputs: [Input] = []
  private var hasFailed = false

  /// What has come and has not had its turn.
  private enum Input {
    case line(String)
    case overlongLine
    case end
  }

  /// - Parameters:
  ///   - isInteractive: a person types at a terminal, which shows what is typed.
  ///   - write: puts text out, at once; answers `false` where that fails, and is not called again.
  ///   - later: calls an action once this call stack is done.
  init(
    isInteractive: Bool, write: @escaping (String) -> Bool,
    later: @escaping (@escaping () -> Void) -> Void
  ) {
    self.isInteractive = isInteractive
    self.write = write
    self.later = later
  }

  /// Whether more input is of use now; a pipe need not be read before.
  var wantsInput: Bool { isInteractive || inputs.isEmpty }

  /// Shows text of one or more lines. A question that is open is asked again behind it.
  func say(_ text: String) {
    leavePrompt()
    put(text.printable + "\n")
    showPromptLater()
  }

  /// Asks for a line. A question that is already open is replaced.
  func ask(_ prompt: String) {
    if self.prompt == prompt, isBehindPrompt { return }
    words = nil
    leavePrompt()
    self.prompt = prompt
    showPromptLater()
  }

  /// Takes the open question back.
  func stopAsking() {
    prompt = nil
    words = nil
    leavePrompt()
  }

  /// Takes the open question back, and takes these words without one, and the end of the input.
  func listen(for words: Set<String>) {
    stopAsking()
    self.words = words
    later { [weak self] in self?.deliver() }
  }

  /// Somebody else had the terminal meanwhile: an open question is shown again.
  func showAgain() {
    isBehindPrompt = false
    showPromptLater()
  }

  /// Takes in what was typed.
  func receive(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        endLine()
      } else if partial.count < Self.maxLineLength {
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
    inputs.append(.end)
    deliver()
  }

  func inputDidFail(_ reason: String) {
    reader?.consoleDidFail("Standard input cannot be read: \(reason).")
  }

  private func endLine() {
    inputs.append(isOverlong ? .overlongLine : .line(String(decoding: partial, as: UTF8.self)))
    partial = []
    isOverlong = false
  }

  /// Hands on what has its turn: on a terminal everything, else one line for each question.
  private func deliver() {
    while let next = inputs.first, hasTurn(next) {
      switch inputs.removeFirst() {
      case .line(let line):
        if !isInteractive { put(line.printable + "\n") }
        prompt = nil
        isBehindPrompt = false
        reader?.consoleDidRead(line)
      case .overlongLine:
        // A terminal has moved the cursor to a new line already.
        if isInteractive { isBehindPrompt = false }
        say("That line is too long. A line may have up to \(Self.maxLineLength) bytes.")
      case .end:
        reader?.consoleDidEnd()
      }
    }
  }

  private func hasTurn(_ input: Input) -> Bool {
    if isInteractive || isBehindPrompt { return true }
    return switch input {
    case .line(let line): words?.contains(line.trimmed) ?? false
    case .overlongLine: false
    case .end: words != nil
    }
  }

  /// The question waits for all that is said in one go, so that it stands behind it, once.
  private func showPromptLater() {
    guard prompt != nil, !isPromptDue else { return }
    isPromptDue = true
    later { [weak self] in self?.showPrompt() }
  }

  private func showPrompt() {
    isPromptDue = false
    guard let prompt else { return }
    put(prompt.printable)
    isBehindPrompt = true
    deliver()
  }

  private func put(_ text: String) {
    if !hasFailed { hasFailed = !write(text) }
  }

  private func leavePrompt() {
    if isBehindPrompt { put("\n") }
    isBehindPrompt = false
  }
}
