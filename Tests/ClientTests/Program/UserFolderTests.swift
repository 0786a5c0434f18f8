import Testing

@testable import Client

@Suite struct UserFolderTests {
  @Test func `the folder of the state follows the XDG rules`() {
    let folder = UserFolder.state
    #expect(folder.path(in: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/tictactoe")
    #expect(folder.path(in: ["HOME": "/h"]) == "/h/.local/state/tictactoe")
    #expect(folder.path(in: ["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/tictactoe")
    #expect(folder.path(in: ["XDG_STATE_HOME": "", "HOME": ""]) == nil)
    #expect(folder.path(in: [:]) == nil)
  }

  @Test func `the folder of the configuration has a variable of its own`() {
    let folder = UserFolder.configuration
    #expect(folder.path(in: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/tictactoe")
    #expect(folder.path(in: ["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/h/.config/tictactoe")
  }
}
