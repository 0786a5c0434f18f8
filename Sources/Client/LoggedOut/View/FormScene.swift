import Shared

/// The login form, or the form of an account, on the screen: a pure value that can be drawn.
struct FormScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case change(field: Int, to: String)
    case submit
    case cancel
  }

  var form: LoginForm { didSet { formDidChange(from: oldValue) } }
  /// The index of the field that gets the keys.
  private(set) var focus: Int
  /// That field's text and cursor.
  private(set) var textField: TextField
  /// The latest one stands in place of the form's note.
  var notices = Notices()

  init(form: LoginForm) {
    self.form = form
    focus = form.firstEmptyField
    textField = Self.textField(for: form.fields[focus])
  }

  var isLoggingIn: Bool { form.state != .editing }

  /// What a person must know who does not see the form.
  var summary: [String] {
    let step: String? = if case .loggingIn(let sentence) = form.state { sentence } else { nil }
    return [form.alert, notices.latest, step].compactMap(\.self)
  }

  /// What a screen reader says: the summary, and the name of the field that gets the keys.
  var spoken: [String] { summary + (isLoggingIn ? [] : [form.fields[focus].label]) }

  /// Whether Tab leads to a further field.
  var isBeforeLastField: Bool { !isLoggingIn && focus + 1 < form.fields.count }

  private mutating func formDidChange(from old: LoginForm) {
    if let field = form.passwordField, old.passwordField == nil {
      move(to: field)
    } else {
      focus = min(focus, form.fields.count - 1)
    }
    let value = form.fields[focus].value
    if textField.text != value { textField.text = value }
  }

  private static func textField(for field: LoginField) -> TextField {
    TextField(
      field.value,
      maxLength: field.kind == .password ? ProtocolLimits.passwordLength.upperBound : nil)
  }
}

/// The keys.
extension FormScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for mouse clicks.
  mutating func press(_ key: Key, in size: Size) -> (action: Action?, isUsed: Bool) {
    if isLoggingIn { return key == .escape ? (.cancel, true) : (nil, key != .character("?")) }
    switch key {
    case .enter: return (submit(), true)
    case .escape where form.canClose: return (.cancel, true)
    case .tab, .down: move(to: focus + 1)
    case .backTab, .up: move(to: focus - 1)
    case .press(let position):
      if let field = field(at: position, in: size) { move(to: field) }
    // A name and a password may contain a question mark. A host and a port may not, so in those
    // fields it shows the keys.
    case .character("?") where [.host, .port].contains(form.fields[focus].kind):
      return (nil, false)
    default: return edit(key)
    }
    return (nil, true)
  }

  private mutating func edit(_ key: Key) -> (action: Action?, isUsed: Bool) {
    let isUsed = textField.press(key)
    guard textField.text != form.fields[focus].value else { return (nil, isUsed) }
    form.fields[focus].value = textField.text
    return (.change(field: focus, to: textField.text), isUsed)
  }

  /// Submits the form, or moves to the first field that has a problem, or else to the first
  /// password that is not typed yet. A password that cannot be used keeps the focus: the refusal
  /// of the form is about it.
  private mutating func submit() -> Action? {
    if let wrong = form.fields.firstIndex(where: { $0.problem != nil }) {
      move(to: wrong)
    } else if let empty = form.fields.firstIndex(where: \.isEmptyPassword), !isFocusUnusable {
      move(to: empty)
      return nil
    }
    return form.canSubmit ? .submit : nil
  }

  private var isFocusUnusable: Bool {
    let field = form.fields[focus]
    return field.kind == .password && !Command.isPassword(field.value)
  }

  private mutating func move(to field: Int) {
    let count = form.fields.count
    focus = (field + count) % count
    textField = Self.textField(for: form.fields[focus])
  }
}

extension LoginField {
  fileprivate var isEmptyPassword: Bool { kind == .password && value.isEmpty }
}
