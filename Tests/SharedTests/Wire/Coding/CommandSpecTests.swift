import Shared
import Testing

/// The table of commands, as `help` shows it.
struct CommandSpecTests {
  @Test func `commands are in the order of the protocol`() {
    #expect(
      CommandType.allCases.map(\.help.command) == [
        "login", "register", "unregister", "resume", "start", "open", "join", "cancel", "decline",
        "place", "resign", "leave", "say", "watch", "list", "history", "leaderboard", "replay",
        "sync", "ping", "help", "quit",
      ])
  }

  @Test func `usage is the command in words`() {
    #expect(
      CommandType.allCases.map(\.help.usage) == [
        "login [NAME] [PASSWORD]", "register PASSWORD [OLD]", "unregister PASSWORD",
        "resume TOKEN [SEQ]", "start [OPPONENT] [GAME] [LEVEL]",
        "open [GAME]", "join CODE", "cancel", "decline [OPPONENT]",
        "place ROW COL [SEQ]", "resign", "leave", "say TEXT", "watch MATCH", "list [WHAT]",
        "history [PLAYER] [BEFORE]", "leaderboard [GAME]", "replay MATCH [SEQ]", "sync [SEQ]",
        "ping", "help [COMMAND]", "quit",
      ])
  }

  @Test(arguments: CommandType.allCases)
  func `an example is a line of its own command`(type: CommandType) throws {
    #expect(type.help.example.hasPrefix("{"))
    #expect(try decoded(type.help.example)?.command.type == type)
    #expect(type.help.about.hasSuffix("."))
  }
}
