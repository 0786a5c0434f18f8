import Shared
import Testing

@testable import Client

/// Instructions to type a command are removed from the server's sentences on the full screen.
@Suite struct StringTypingTests {
  @Test(arguments: [
    ("You are waiting already. To stop waiting, type: cancel", "You are waiting already."),
    (
      "This match is against bob. For its next game type: start; to get out, type: leave",
      "This match is against bob."
    ),
    ("Nobody. Type: list", "Nobody."),
    ("bob has gone.", "bob has gone."),
    (
      "You did not log in in time. Connect again and type: login YOURNAME",
      "You did not log in in time."
    ),
    ("First log in, type: login YOURNAME", "First log in, type: login YOURNAME"),
    ("", ""),
    ("Here. (Type: list)", "Here. (Type: list)"), ("Here. (type: list", "Here."),
    ("Here. Type: list; type: start BOB;", "Here."),
  ])
  func `only instructions to type a command are left out`(_ sentence: String, _ rest: String) {
    #expect(sentence.withoutTyping == rest)
  }

  @Test(arguments: [
    "Not sent, because there is no connection to the server now: “first. Type: start”",
    "x; type: start has gone.", "Here. Type: a has withdrawn the invitation.",
    "Your match with x; type: y is over: you were away for too long.",
    "Here. Prototype: list", "Here. Type: Bob", "Here. Type: list of all", "Here. Type: list  all",
    "Here. type:", "Here. Type: wörter", "Here. Type: list 2",
  ])
  func `names and quoted text are kept`(_ sentence: String) {
    #expect(sentence.withoutTyping == sentence)
  }

  @Test func `every error message keeps its first sentence`() {
    for message in ErrorCode.allCases.map(\.message) + ByeCode.allCases.map(\.message) {
      #expect(message.hasPrefix(message.withoutTyping.dropLast()))
      #expect(!message.withoutTyping.isEmpty)
      // An instruction within a sentence is kept.
      #expect(!message.withoutTyping.contains("type:") || !message.contains("; "))
    }
  }
}
