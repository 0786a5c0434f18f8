import Foundation
import Testing

/// Real clients that are killed or lose the server, and a spectator.
@Suite(.serialized) struct ResumeTests {
  @Test func `a client that was killed resumes its game when it is started again`() throws {
    let server = try RunningServer()
    let bob = try server.client(["--name", "bob"])
    try bob.type("start")
    try bob.read(until: "Waiting for an opponent")
    do {
      let ann = try server.client(["--name", "ann"])
      try ann.type("start")
      try ann.read(until: "bob plays X, ann plays O.")
      try bob.type("5")
      try ann.read(until: "ann, put O on (1 to 9): ")
      ann.send(SIGKILL)
      try bob.read(until: "ann is away, 1:00 left.")
    }
    // Only the owner may read the token file.
    let folder = RunningProgram.stateFolder + "/tictactoe"
    let name = "session-127.0.0.1%20\(server.port)%20ann"
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let ann = try server.client(["--name", "ann"])
    try ann.read(until: " 4 |(X)| 6")
    try ann.read(until: "ann, put O on (1 to 9): ")
    try bob.read(until: "ann is back.")
    // A second client of the same name does not take over the session.
    let other = try server.client(["--name", "Ann"])
    #expect(try other.exitCode() == 69)
    let error = try other.errorOutput()
    #expect(error.contains("That name is taken. Choose another."))
    #expect(error.contains("Another client that runs on this computer plays under this name."))
    try ann.type("1")
    try bob.read(until: "ann puts O on 1.")
    // The client reads its pipe again when it has a prompt.
    try bob.type("2")
    try ann.type("quit")
    #expect(try ann.exitCode() == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(name)"))
    try bob.endInput()
    #expect(try bob.exitCode() == 0)
  }

  @Test func `a spectator watches a match and sees its chat`() throws {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    let bob = try server.client(["--name", "bob"])
    try bob.type("matches")
    try bob.read(until: "type: watch ID):\n  ")
    let match = try bob.read(until: "  ann and bot").split(separator: " ").first.map(String.init)
    let eve = try server.client(["--name", "eve", "--watch", try #require(match)])
    try eve.read(until: "It is ann's turn.")
    try ann.type("say hello")
    try eve.read(until: "\"ann\": hello")
    try ann.type("5")
    try eve.read(until: "ann puts X on 5.")
    try ann.endInput()
    try eve.read(until: "ann has left: bot wins.")
    try eve.read(until: "You are in the lobby.")
    #expect(try ann.exitCode() == 0)
  }

  @Test func `a client whose server dies says that it reconnects`() throws {
    let server = try RunningServer()
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    server.program.send(SIGKILL)
    try ann.read(until: "Connection lost. Reconnecting …")
    try ann.type("quit")
    #expect(try ann.exitCode() == 0)
  }
}
