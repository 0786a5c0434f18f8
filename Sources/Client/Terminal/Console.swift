import RIBs
import Shared

/// Receives the lines that a person types.
protocol ConsoleDelegate: AnyObject {
  /// A line has been read, without its newline.
  func consoleDidRead(_ line: String)
  /// The input has ended. At a terminal, Ctrl-D was pressed, and more input can follow.
  func consoleDidEnd()
  /// The program is about to be suspended, because Ctrl-Z was pressed.
  func consoleWillSuspend()
  func consoleDidContinue()
  /// Ctrl-C was pressed. Returns whether the program ends.
  func consoleDidInterrupt() -> Bool
  /// Reading has failed. The sentence is for the person.
  func consoleDidFail(_ sentence: String)
}

/// Reads and writes plain lines, at a terminal or a pipe.
///
/// At a terminal, each line is delivered as soon as it is typed. From a pipe or a file, a line is
/// delivered only when a question is open. It is written after the question, so that the output
/// looks like a session at a terminal. The end of the input is delivered in the same way. Between
/// questions, a view can listen for certain lines and the end of the input.
///
/// A terminal shows words as a whole: longer lines are broken between them.
final class Console {
  weak var reader: (any ConsoleDelegate)?
  let isInteractive: Bool
  private let characters: CharacterRange
  /// Whether the end of a pipe is a lost connection of the person, who wants to come back.
  private let endIsLoss: Bool
  private let write: (String) -> Bool
  private let later: (@escaping () -> Void) -> Void
  private let keyboard: Keyboard
  private let columns: () -> Int?
  /// Whether the answer to the open question is a secret.
  private var isSecret = false
  /// The open question; `nil` if none is open.
  private var prompt: String?
  /// Whether the question will be shown after this call stack.
  private var isPromptDue = false
  /// The question that stands over the open one until it is answered; `nil` if there is none.
  private var confirmation: (question: String, answer: (String) -> Void)?
  /// Whether that question has not been shown yet.
  private var isConfirmationNew = false
  /// Whether what was typed is on the screen again, although no question is open.
  private var isTypedShown = false
  /// Whether a line is delivered without a question; `nil` if none is.
  private var isWanted: ((TypedLine) -> Bool)?
  /// Whether the question is on the screen, with the cursor after it.
  private var isPromptShown = false
  /// Whether the program has continued after Ctrl-Z, and `showAgain` has not been called since.
  private var hasContinued = false
  /// At a terminal, its beginning of the next line is what was typed before something was written
  /// over the question: it is shown again behind the question, and only Ctrl-C erases it.
  private var lines: LineReader
  /// The question under which that was typed; `nil` if none was open.
  private var typedPrompt: String?
  private var inputs: [Input] = []
  private var hasFailed = false
  /// Whether the lines of a pipe wait, because nothing could carry them out. `quit` and the end of
  /// the input do not wait.
  var isHeld = false {
    didSet {
      if !isHeld, oldValue { later { [weak self] in self?.deliver() } }
    }
  }

  /// Whether the terminal shows the typed text.
  enum Echo {
    case off, on
    /// On, after the terminal has forgotten what was typed: the beginning of a secret.
    case onForgettingInput
  }

  /// What the console asks of the terminal on which a person types.
  struct Keyboard {
    /// Sets whether the terminal shows the typed text.
    var setEcho: (Echo) -> Void = { _ in }
    /// Takes what a person has typed of the next line.
    var takeTyped: () -> [UInt8] = { [] }
  }

  /// Input that has not been delivered yet.
  private enum Input {
    case line(LineReader.Line)
    case end
  }

  /// - Parameters:
  ///   - isInteractive: whether a person types at a terminal, which shows the typed text.
  ///   - characters: those that the terminal shows. If they are only ASCII, only ASCII is read.
  ///   - endIsLoss: whether the end of a pipe is a lost connection of the person, instead of a wish
  ///     to end the program.
  ///   - write: writes text at once. If it returns `false`, it is not called again.
  ///   - later: calls an action after this call stack.
  ///   - keyboard: the terminal on which a person types.
  ///   - columns: the width of the terminal to which the text is written; `nil` for a pipe or a
  ///     file.
  init(
    isInteractive: Bool, characters: CharacterRange = .all, endIsLoss: Bool = false,
    write: @escaping (String) -> Bool,
    later: @escaping (@escaping () -> Void) -> Void,
    keyboard: Keyboard = Keyboard(), columns: @escaping () -> Int? = { nil }
  ) {
    self.columns = columns
    self.keyboard = keyboard
    self.isInteractive = isInteractive
    // A pipe is read as UTF-8 in every locale.
    lines = LineReader(
      isInteractive: isInteractive, readsOnlyASCII: isInteractive && characters == .onlyASCII)
    self.characters = characters
    self.endIsLoss = endIsLoss
    self.write = write
    self.later = later
  }

  /// Whether the console needs more input. A pipe is not read before its input is needed.
  var wantsInput: Bool { isInteractive || inputs.isEmpty }

  /// Writes text of one or more lines, and repeats the open question after it.
  func say(_ text: String) {
    leaveLine()
    put(fitted(text) + "\n")
    showPromptLater()
  }

  /// Asks for a line. Replaces the open question. The answer to a question for a secret is not
  /// shown. Under a question of `confirm`, it waits. With `takesTyped`, what was typed while no
  /// question was open begins the line.
  func ask(_ prompt: String, isSecret: Bool = false, takesTyped: Bool = false) {
    if self.prompt == prompt, isPromptShown { return }
    isWanted = nil
    guard confirmation == nil else { return self.prompt = prompt }
    leavePrompt()
    endSecret(isAnswered: false)
    // What was meant for another question does not begin the answer to this one.
    _ = takeTyped()
    let isTaken = typedPrompt == prompt || takesTyped && typedPrompt == nil
    if isSecret || !isTaken { forgetLine() }
    self.prompt = prompt
    self.isSecret = isSecret
    showPromptLater()
  }

  /// Withdraws the open question.
  func stopAsking() {
    isWanted = nil
    guard confirmation == nil else { return prompt = nil }
    leavePrompt()
    prompt = nil
    endSecret(isAnswered: false)
  }

  /// Asks before something is lost. The open question waits until the next line has answered this
  /// one, and may change meanwhile. Only for a terminal.
  func confirm(_ question: String, answer: @escaping (String) -> Void) {
    leavePrompt()
    confirmation = (question, answer)
    isConfirmationNew = true
    showPromptLater()
  }

  /// Withdraws the question of `confirm`, and shows the open one again.
  func stopConfirming() {
    guard confirmation != nil else { return }
    confirmation = nil
    leavePrompt()
    showPromptLater()
  }

  /// Withdraws the open question, and delivers wanted lines and the end of the input without one.
  func listen(for isWanted: @escaping (TypedLine) -> Bool) {
    stopAsking()
    self.isWanted = isWanted
    later { [weak self] in self?.deliver() }
  }

  /// Shows the open question again, because another program has used the terminal. Does nothing if
  /// the question was shown after this program had continued.
  func showAgain() {
    defer { hasContinued = false }
    if hasContinued, isPromptShown { return }
    isPromptShown = false
    showPromptLater()
  }

  func receive(_ bytes: Span<UInt8>) {
    collect(bytes)
    deliver()
  }

  private func collect(_ bytes: Span<UInt8>) {
    inputs += lines.read(bytes).map(Input.line)
  }

  /// The input has ended. Bytes after the last newline count as a line.
  func inputDidEnd() {
    if endIsLoss, !isInteractive { return inputDidFail("its other end has closed") }
    if let last = lines.end() { inputs.append(.line(last)) }
    inputs.append(.end)
    deliver()
  }

  /// The terminal has sent SIGINT, for Ctrl-C, and has forgotten what was typed. Returns whether
  /// the program ends: not if there is a shown line to erase.
  func interrupt() -> Bool {
    let hasErased = isInteractive && !lines.beginning.isEmpty
    forgetLine()
    lines.dropsLine = false
    turnEchoOn()
    isPromptShown = false
    put("\n")
    defer { showPromptLater() }
    return hasErased ? false : reader?.consoleDidInterrupt() ?? true
  }

  /// The program is about to be suspended.
  func willSuspend() {
    forgetLine()
    reader?.consoleWillSuspend()
  }

  /// The program continues. The signal that continues it shows the question again.
  func didContinue() {
    (hasContinued, isPromptShown) = (true, false)
    reader?.consoleDidContinue()
  }

  func inputDidFail(_ reason: String) {
    reader?.consoleDidFail("Standard input cannot be read: \(reason).")
  }

  /// Delivers input: at a terminal everything, otherwise one line for each question.
  private func deliver() {
    while let next = inputs.first, canDeliver(next) {
      switch inputs.removeFirst() {
      case .line(.text(let line)):
        if !isInteractive { put((isSecret ? "" : line.printable) + "\n") }
        endSecret(isAnswered: true)
        let hasSeenQuestion = isPromptShown
        (isPromptShown, isTypedShown) = (false, false)
        if let answer = confirmation?.answer {
          confirmation = nil
          // What was pasted together with the command is no answer.
          answer(hasSeenQuestion ? line : "")
        } else {
          prompt = nil
          reader?.consoleDidRead(line)
        }
      case .line(.refused(let sentence)):
        // The terminal has already moved the cursor to a new line.
        if isInteractive { isPromptShown = false }
        turnEchoOn()
        say(sentence)
      case .end:
        if confirmation == nil { reader?.consoleDidEnd() } else { say("Type: yes, or no") }
      }
    }
  }

  private func canDeliver(_ input: Input) -> Bool {
    if isInteractive { return true }
    if isHeld, case .line(.text(let line)) = input, TypedLine(line).onlyCommand != "quit" {
      return false
    }
    if isPromptShown { return true }
    return switch input {
    case .line(.text(let line)):
      isWanted?(TypedLine(line)) ?? false
    case .line(.refused): false
    case .end: isWanted != nil
    }
  }

  /// Shows the question once, after everything that this call stack writes.
  private func showPromptLater() {
    guard confirmation != nil || prompt != nil || !lines.beginning.isEmpty, !isPromptDue else {
      return
    }
    isPromptDue = true
    later { [weak self] in self?.showPrompt() }
  }

  private func showPrompt() {
    isPromptDue = false
    guard let question = confirmation?.question ?? prompt else { return showTyped() }
    if confirmation != nil, isConfirmationNew {
      isConfirmationNew = false
      // What was typed before the question is no answer.
      if isInteractive { _ = keyboard.takeTyped() }
      forgetLine()
    }
    // Before the question, because some people type fast.
    if isSecret { keyboard.setEcho(.off) }
    put(fitted(question) + (isSecret || !isInteractive ? "" : typed))
    isPromptShown = true
    deliver()
  }

  private func fitted(_ text: String) -> String {
    columns().map { text.printable.brokenAtWords(to: $0) } ?? text.printable
  }

  private func put(_ text: String) {
    if !hasFailed { hasFailed = !write(characters == .all ? text : text.map(shown).joined()) }
  }

  /// Plain lines have signs only in sentences.
  private func shown(_ character: Character) -> String {
    character.isNewline ? String(character) : characters.text(for: character)
  }

  private func endSecret(isAnswered: Bool) {
    guard isSecret else { return }
    isSecret = false
    if !isAnswered {
      let isTyped = !(lines.beginning + keyboard.takeTyped()).isEmpty
      forgetLine()
      lines.dropsLine = isInteractive && isTyped
    }
    // The rest of a secret is not shown either.
    if !lines.dropsLine { keyboard.setEcho(isAnswered ? .on : .onForgettingInput) }
  }

  /// Ends the silence after the rest of a secret, unless another secret is asked for.
  private func turnEchoOn() {
    if !isSecret { keyboard.setEcho(.on) }
  }

  private func leavePrompt() {
    guard isPromptShown else { return }
    put("\n")
    isPromptShown = false
    _ = takeTyped()
  }

  /// Begins a line for a text. Without a question a person may be typing too.
  private func leaveLine() {
    guard !isPromptShown else { return leavePrompt() }
    if takeTyped() || isTypedShown { put("\n") }
    isTypedShown = false
  }

  /// Takes over what was typed of a line. The terminal would still have it, but nobody would see it
  /// before what is typed next. Returns whether there was something.
  private func takeTyped() -> Bool {
    guard isInteractive else { return false }
    let typed = keyboard.takeTyped()
    collect(typed.span)
    if !typed.isEmpty { typedPrompt = confirmation?.question ?? prompt }
    if !inputs.isEmpty { later { [weak self] in self?.deliver() } }
    return !typed.isEmpty
  }

  private func showTyped() {
    guard isInteractive, !typed.isEmpty, !isTypedShown else { return }
    put(typed)
    isTypedShown = true
  }

  /// What was typed of the next line, as far as it is shown.
  private var typed: String {
    lines.dropsLine ? "" : String(decoding: lines.beginning, as: UTF8.self).printable
  }

  private func forgetLine() {
    lines.forget()
    isTypedShown = false
  }
}

extension Console: Window {
  func show(_ root: any ViewControllable) {
    reader = root as? any ConsoleDelegate
  }
}
