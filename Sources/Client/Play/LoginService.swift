/// Where a form of names is sent.
protocol LoginService: AnyObject {
  /// What to ask for: one name, or those of all who play here.
  var namesAsked: [NameField] { get }
  /// Logs in under the names, blank ones chosen for the person. The answer is the names as they
  /// are now known, or a sentence that says why not; it comes once, unless play closes first.
  func login(as names: [String], answer: @escaping (Result<[String], LoginRefusal>) -> Void)
}

/// A field of the form.
struct NameField: Equatable {
  let prompt: String
}

/// Why a login was refused, as a sentence for a person.
struct LoginRefusal: Error, Equatable {
  let sentence: String
}
