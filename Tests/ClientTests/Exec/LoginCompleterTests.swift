import Testing

@testable import Client

/// The password is added to the logins of a program that plays.
@Suite struct LoginCompleterTests {
  private func completed(_ pieces: String..., password: String? = "open sesame") -> String {
    var completer = LoginCompleter(password: password)
    var sent: [UInt8] = []
    for piece in pieces {
      completer.complete(Array(piece.utf8).span) { bytes in
        sent += bytes.withUnsafeBufferPointer { Array($0) }
      }
    }
    return String(decoding: sent, as: UTF8.self)
  }

  @Test func `a login gets the password, in words and as JSON, in any pieces`() {
    let login = #"{"type":"login","name":"ann","password":"open sesame"}"# + "\n"
    #expect(completed("login ann\n") == login)
    #expect(completed("lo", "gin a", "nn\n") == login)
    #expect(
      completed(#"{"type":"login","id":7,"name":"ann"}"#, "\n")
        == #"{"type":"login","id":7,"name":"ann","password":"open sesame"}"# + "\n")
  }

  @Test(arguments: [
    "place 1 1\n", "\n", "nonsense \u{1}\n", "login\n", "login ann \"my own one\"\n",
    #"{"type":"say","text":"login ann"}"# + "\n",
  ])
  func `every other line passes through unchanged`(line: String) {
    #expect(completed(line) == line)
  }

  @Test func `without a password whole lines pass through unchanged`() {
    #expect(completed("login ann\nlogin b", password: nil) == "login ann\n")
  }

  @Test func `a line that is too long is still too long`() {
    #expect(completed(String(repeating: "x", count: 5_000), "\nlogin ann\n").utf8.count > 4_096)
  }
}
