/// The form as the screen shows it: a pure value, from which the picture follows.
struct LoggedOutScene: Equatable {
  /// What the person does at the form.
  enum Wish: Equatable {
    case change(field: Int, to: String)
    case submit
    case cancel
  }

  var form: LoginForm { didSet { formDidChange() } }
  /// The field that keys go to.
  private(set) var focus = 0
  /// Before which character of the field the next one is put.
  private(set) var insertion: Int

  init(form: LoginForm) {
    self.form = form
    insertion = form.fields.first?.value.count ?? 0
  }

  var isLoggingIn: Bool { form.phase != .editing }

  private mutating func formDidChange() {
    focus = min(focus, form.fields.count - 1)
    insertion = min(insertion, form.fields[focus].value.count)
  }
}

/// What the keys do.
extension LoggedOutScene {
  /// Answers what the person now wants; `isUsed` tells whether the key means anything here. `size`
  /// is that of the screen, for the mouse.
  mutating func press(_ key: Key, in size: Size) -> (wish: Wish?, isUsed: Bool) {
    if isLoggingIn { return key == .escape ? (.cancel, true) : (nil, key != .character("?")) }
    switch key {
    case .enter: return (submit(), true)
    case .tab, .down: move(to: focus + 1)
    case .backTab, .up: move(to: focus - 1)
    case .press(let position):
      if let field = field(at: position, in: size) { move(to: field) }
    case .left: insertion = max(0, insertion - 1)
    case .right: insertion = min(value.count, insertion + 1)
    case .home, .control("a"): insertion = 0
    case .end, .control("e"): insertion = value.count
    case .backspace: return (insertion > 0 ? replace(insertion - 1..<insertion) : nil, true)
    case .delete: return (insertion < value.count ? replace(insertion..<insertion + 1) : nil, true)
    case .control("u"): return (replace(0..<insertion), true)
    // It is part of some names, but of no host and no port.
    case .character("?") where form.fields[focus].kind != .name: return (nil, false)
    case .character(let character): return (replace(insertion..<insertion, by: character), true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  private var value: String { form.fields[focus].value }

  /// Where it cannot be sent, the first field that is not right gets the keys.
  private mutating func submit() -> Wish? {
    if let wrong = form.fields.firstIndex(where: { $0.problem != nil }) { move(to: wrong) }
    return form.canSubmit ? .submit : nil
  }

  private mutating func move(to field: Int) {
    let count = form.fields.count
    focus = (field + count) % count
    insertion = value.count
  }

  private mutating func replace(_ range: Range<Int>, by character: Character? = nil) -> Wish {
    var characters = Array(value)
    characters.replaceSubrange(range, with: character.map { [$0] } ?? [])
    let value = String(characters)
    // What is put behind a letter may become one with it.
    let end = String(characters.prefix(range.lowerBound + (character == nil ? 0 : 1))).count
    form.fields[focus].value = value
    insertion = min(end, value.count)
    return .change(field: focus, to: value)
  }
}
