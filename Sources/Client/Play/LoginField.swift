/// A field of the form.
struct LoginField: Equatable {
  enum Kind {
    case name, host, port
  }

  let kind: Kind
  let label: String
  /// What a blank value stands for; `nil` where it cannot be blank.
  let blank: String?
  var value: String
  /// A sentence that says why the value cannot be used; `nil` where it can.
  var problem: String?

  init(_ kind: Kind, label: String, blank: String? = nil, value: String = "") {
    self.kind = kind
    self.label = label
    self.blank = blank
    self.value = value
  }
}
