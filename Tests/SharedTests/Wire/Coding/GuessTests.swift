import Testing

@testable import Shared

/// What a refusal or a hint says about words and fields that are probably misspelled.
@Suite struct GuessTests {
  private let decoder = CommandDecoder()

  private func refusal(_ line: String) -> LineError? {
    do throws(LineError) {
      _ = try decoder.decode(Array(line.utf8).span)
      return nil
    } catch {
      return error
    }
  }

  private func hint(_ line: String) -> String? {
    do throws(LineError) {
      return try decoder.decode(Array(line.utf8).span)?.hint
    } catch {
      return error.hint
    }
  }

  @Test(arguments: [
    (#"{"type":"login","nmae":"x"}"#, "nmae", "name"),
    (#"{"type":"login","name":"ann","pasword":"x"}"#, "pasword", "password"),
    (#"{"type":"login","Name":"ann"}"#, "Name", "name"),
    (#"{"type":"join","cdoe":"k7w2mx"}"#, "cdoe", "code"),
    (#"{"type":"place","row":1,"column":1}"#, "column", "col"),
    (#"{"type":"place","rwo":1,"col":1}"#, "rwo", "row"),
    (#"{"type":"place","row":1,"col":1,"sequence":3}"#, "sequence", "seq"),
    (#"{"type":"start","oponent":"bot"}"#, "oponent", "opponent"),
    (#"{"type":"list","waht":"games","what":null}"#, "waht", "what"),
    (#"{"type":"ping","ID":7}"#, "ID", "id"),
    (#"{"tpye":"ping"}"#, "tpye", "type"),
    (#"{"type":"register","password":"short","ol":"x"}"#, "ol", "old"),
  ])
  func `a field that is probably a misspelling gets a hint`(
    line: String, field: String, meant: String
  ) {
    #expect(hint(line) == "The field “\(field)” was ignored. Did you mean \(meant)?")
  }

  @Test func `each of several misspellings gets its sentence`() {
    #expect(
      hint(#"{"type":"start","oppponent":"bot","gmae":"four","levle":"easy"}"#)
        == "The field “oppponent” was ignored. Did you mean opponent?"
        + " The field “gmae” was ignored. Did you mean game?"
        + " The field “levle” was ignored. Did you mean level?")
    #expect(
      hint(#"{"type":"login","nmae":"x","naem":"x"}"#)
        == "The field “nmae” was ignored. Did you mean name?")
  }

  @Test(arguments: [
    // Nothing is like it, or the line does not lack it.
    #"{"type":"login","client":"x","v":1}"#, #"{"type":"login","name":"ann","nmae":"x"}"#,
    #"{"type":"place","row":1,"col":1,"foo":1}"#, #"{"type":"ping","note":1}"#,
    // A field of another command, a field without a value, a field of an inner object.
    #"{"type":"start","name":"ann"}"#, #"{"type":"login","nmae":null}"#,
    #"{"type":"login","data":{"nmae":"x"}}"#, #"{"type":"open","player":"x","token":"y"}"#,
    // What may not be shown, or is too long.
    #"{"type":"login","na\u202eme":"x"}"#, #"{"type":"login","name_of_the_player_here":"x"}"#,
    // Not an object that can be read, and no fields at all.
    #"{"type":"login","nmae":"x""#, #"{"type":"ping"}"#, "login", "place 1 1", "nmae",
  ])
  func `other lines get no hint`(line: String) {
    #expect(hint(line) == nil)
  }

  @Test func `a line full of fields is read in time`() {
    let fields = (0..<300).map { #""nam\#($0)":1"# }.joined(separator: ",")
    #expect(hint(#"{"type":"login",\#(fields)}"#)?.contains("“nam0”") == true)
  }

  @Test(arguments: [
    (
      "plcae 1 1",
      "There is no command “plcae”. Did you mean place? To see all commands, type: help"
    ),
    (
      "strat bot",
      "There is no command “strat”. Did you mean start? To see all commands, type: help"
    ),
    ("hist", "There is no command “hist”. Did you mean history? To see all commands, type: help"),
    ("baord", "There is no command “baord”. Did you mean board? To see all commands, type: help"),
    ("b2", "There is no command “b2”. Did you mean place b2? To see all commands, type: help"),
    ("5", "There is no command “5”. Did you mean place 5? To see all commands, type: help"),
    ("exit", "There is no command “exit”. Did you mean quit? To see all commands, type: help"),
    ("?", "There is no command “?”. Did you mean help? To see all commands, type: help"),
    ("xyzzy", "There is no command “xyzzy”. To see all commands, type: help"),
    (
      #"{"type":"PLACE"}"#,
      "There is no command “PLACE”. Did you mean place? To see all commands, type: help"
    ),
    (
      #"{"type":"resing","id":3}"#,
      "There is no command “resing”. Did you mean resign? To see all commands, type: help"
    ),
    // Too long to be repeated, as a secret would be; and what may not be shown.
    ("5qGeU6j-bkV1pVUMLv_c-w", "There is no such command. To see all commands, type: help"),
    ("a\u{202E}b", "There is no such command. To see all commands, type: help"),
  ])
  func `a command that there is not is repeated, and guessed`(line: String, message: String) {
    #expect(refusal(line)?.code == .unknownType)
    #expect(refusal(line)?.message == message)
  }

  @Test(arguments: [
    (
      "place five", "missingField", "col",
      "row must be a whole number, or a cell such as b2, not “five”. Type: help place"
    ),
    ("place", "missingField", "row", "row is missing. Type: help place"),
    ("place 1", "missingField", "col", "col is missing. Type: help place"),
    (
      "place one 1", "badField", "row",
      "row must be a whole number, or a cell such as b2, not “one”. Type: help place"
    ),
    ("place 1 one", "badField", "col", "col must be a whole number, not “one”. Type: help place"),
    (
      "place h8 x", "badField", "seq",
      "seq must be a whole number, at least 0, not “x”. Type: help place"
    ),
    (
      "start bot tictactoe eazy", "badField", "level",
      "level must be one of: easy, medium, hard, not “eazy”. Did you mean easy? Type: help start"
    ),
    (
      "list game", "badField", "what",
      "what must be one of: players, matches, games, not “game”. Did you mean games?"
        + " Type: help list"
    ),
    (
      "list foo", "badField", "what",
      "what must be one of: players, matches, games, not “foo”. Type: help list"
    ),
    (
      "sync -1", "badField", "seq",
      "seq must be a whole number, at least 0, not “-1”. Type: help sync"
    ),
    // No part of a password is repeated.
    (
      "register short", "badField", "password",
      "password must have 8 to 128 characters, none of them a control character."
        + " Type: help register"
    ),
  ])
  func `words that cannot be read are repeated with what was meant`(
    line: String, code: String, field: String, message: String
  ) {
    let error = refusal(line)
    #expect(error?.code.rawValue == code)
    #expect(error?.field == field)
    #expect(error?.message == message)
  }

  @Test(
    arguments: [
      ("place a1", 0, 0, nil), ("place h8", 7, 7, nil), ("PLACE H8", 7, 7, nil),
      ("place o15 7", 14, 14, 7), ("  place\t\"b2\"  ", 1, 1, nil), ("place 7 7", 7, 7, nil),
      // No board has these, which the game says.
      ("place z99", 98, 25, nil), ("place a0", -1, 0, nil), ("place a100", 99, 0, nil),
      ("place b2 0", 1, 1, 0),
    ] as [(String, Int, Int, Int?)])
  func `a cell in words is also a letter and a number`(
    line: String, row: Int, column: Int, seq: Int?
  ) throws {
    let request = try decoder.decode(Array(line.utf8).span)
    #expect(request?.command == .place(Cell(row: row, column: column), seq: seq))
  }

  @Test(arguments: [
    "place 8h", "place h", "place hh8", "place h8.0", "place h-1", "place h08", "place h+1",
    "place b2 c3", "place b2 1 1", "place h 8", "place b2 ", "place ä1", "place h1234567890",
    #"place b"2""#, #"{"type":"place","row":"b2"}"#, #"{"type":"place","row":"b2","col":1}"#,
    #"{"type":"place","cell":"b2"}"#,
  ])
  func `other words are no cell`(line: String) {
    // The space at the end is not part of the line.
    #expect((refusal(line) != nil) == (line != "place b2 "))
  }

  @Test func `board is a command in words only`() throws {
    for line in ["board", " BOARD\r", "\"board\""] {
      #expect(try decoder.decode(Array(line.utf8).span) == Request(.board))
    }
    #expect(refusal("board 1") == LineError(.badField))
    #expect(refusal(#"{"type":"board"}"#) == LineError(.unknownType))
    #expect(refusal(#"{"type":"board","id":1}"#) == LineError(.unknownType, id: .integer(1)))
    #expect(try decoder.decode(Array("help board".utf8).span) == Request(.help(.board)))
    #expect(HelpTopic.board.help.usage == "board")
  }
}
