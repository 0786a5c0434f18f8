import Foundation
import Testing

@testable import Server
@testable import Shared

@Suite struct DataLocationTests {
  @Test func `only a start is told how to do without SQLite`() {
    #expect(!SQLite.hint.contains("--data"))
    let error = StartError.cannotKeep(SystemLibrary.MissingError(sentence: "It is missing."))
    #expect(
      error.sentence == "It is missing. Or keep nothing: tictactoe-server --data none")
  }

  @Test func `the help names each default of the folder`() {
    for name in ["$STATE_DIRECTORY", "$XDG_STATE_HOME", "~/.local/state"] {
      #expect(ServerOptions.help.contains(name))
    }
  }

  @Test(arguments: [
    (["STATE_DIRECTORY": "/var/lib/ttt", "HOME": "/home/ann"], "/var/lib/ttt"),
    (["STATE_DIRECTORY": "/var/lib/ttt:/var/lib/other"], "/var/lib/ttt"),
    (["XDG_STATE_HOME": "/state", "HOME": "/home/ann"], "/state/tictactoe-server/7777"),
    (
      ["XDG_STATE_HOME": "state", "HOME": "/home/ann"],
      "/home/ann/.local/state/tictactoe-server/7777"
    ),
    (["HOME": "/home/ann"], "/home/ann/.local/state/tictactoe-server/7777"),
  ])
  func `the environment names the default folder`(environment: [String: String], path: String) {
    #expect(DataLocation.standard.path(port: 7_777, environment) == path)
  }

  @Test func `without a HOME it is the folder of the user`() {
    let home = FileManager.default.homeDirectoryForCurrentUser.path
    #expect(
      DataLocation.standard.path(port: 7_777, [:]) == "\(home)/.local/state/tictactoe-server/7777")
  }

  @Test func `any free port has no default folder, but can have one by its option`() {
    #expect(DataLocation.standard.path(port: 0, ["STATE_DIRECTORY": "/state"]) == nil)
    #expect(DataLocation.folder("/data").path(port: 0, [:]) == "/data")
    #expect(DataLocation.nowhere.path(port: 7_777, ["STATE_DIRECTORY": "/state"]) == nil)
  }
}
