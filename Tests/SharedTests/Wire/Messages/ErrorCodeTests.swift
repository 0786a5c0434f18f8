import Shared
import Testing

/// The protocol's codes, and their messages for people.
struct ErrorCodeTests {
  @Test func `error codes are in the order of the protocol`() {
    #expect(
      ErrorCode.allCases.map(\.rawValue).joined(separator: " ")
        == """
        badJSON missingField unknownType badField tooFast shuttingDown full unavailable internal \
        notLoggedIn alreadyLoggedIn badName nameTaken wrongPassword unknownToken alreadyWaiting notWaiting \
        notInvited inMatch notInMatch spectator unknownGame unknownPlayer unknownCode unknownMatch \
        noGame stale notYourTurn outOfBoard cellTaken notOpen
        """)
  }

  @Test func `bye codes are those of the protocol`() {
    #expect(
      ByeCode.allCases.map(\.rawValue).joined(separator: " ")
        == """
        quit idle loginTimeout lineTooLong badProtocol tooSlow flood takenOver full shutdown kicked banned \
        moved
        """)
  }

  @Test func `every code has its own message, which a terminal can show`() {
    let sentences = ErrorCode.allCases.map(\.message) + [LineError(.badField, field: "x").message]
    for sentence in sentences + ByeCode.allCases.map(\.message) {
      #expect(sentence.count > 5 && sentence.count < 120)
      #expect(sentence.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") })
    }
    #expect(Set(sentences).count == sentences.count)
  }

  @Test func `the error of a line names its field`() {
    #expect(LineError(.missingField, field: "col").message.contains("col"))
    #expect(LineError(.badField, field: "seq").message.contains("seq"))
    #expect(LineError(.unknownType).message == ErrorCode.unknownType.message)
  }

  @Test func `a move error has the error code of the same name`() {
    for refusal in MoveError.allCases {
      #expect(ErrorCode(refusal).rawValue == "\(refusal)")
    }
  }

  @Test func `a command that a message tells people to type exists`() throws {
    let sentences = ErrorCode.allCases.map(\.message) + ByeCode.allCases.map(\.message)
    var typed: Set<String> = []
    for sentence in sentences {
      let parts = sentence.split(separator: #/[Tt]ype: /#)
      if parts.count == 2 { typed.insert(String(parts[1])) }
    }
    #expect(typed.count >= 7)
    for line in typed { #expect(try decoded(line) != nil) }
  }
}
