import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// A client that was killed resumes its session after a restart.
@Suite struct ResumeAfterRestartTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-kept-\(UUID().uuidString)"
  private let ann = TokenOwner(address: .example, name: "ann")

  /// Runs `body` with a client that finds the token of an earlier process, and expects the token
  /// that it leaves. Removes the folder afterwards.
  private func withClient(leaving token: String?, _ body: (RemoteApp) -> Void) {
    TokenFile(folder: folder).keep("kept", for: ann)
    do {
      let client = RemoteApp(name: "ann", tokens: TokenFile(folder: folder))
      client.server.greet()
      body(client)
    }
    #expect(TokenFile(folder: folder).take(for: ann) == token)
    do { try FileManager.default.removeItem(atPath: folder) } catch { /* It was never made. */  }
  }

  @Test func `a restarted client resumes its match and its game`() {
    withClient(leaving: "new") { client in
      #expect(client.server.takeLines() == [#"{"type":"resume","id":1,"token":"kept"}"#])
      client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
      client.server.send(client.server.snapshot())
      #expect(client.app.terminal.takeOutput().contains("ann plays X, bob plays O."))
    }
  }

  @Test func `a match that a server without its data did not know is found by the next client`() {
    withClient(leaving: "third") { client in
      client.server.answer(.didLogin(name: "ann", token: "first", place: .playing))
      client.server.send(client.server.snapshot())
      client.server.cut()
      client.app.clock.advance(by: Backoff.max)
      client.server.greet()
      client.server.answer(.error(.unknownToken))
      client.server.answer(.didLogin(name: "ann", token: "second"))
      client.server.cut()
      // The program is killed, and the server has its data back.
      let next = RemoteApp(
        name: "ann", tokens: TokenFile(folder: folder, takesOver: true))
      next.server.greet()
      next.server.answer(.error(.unknownToken))
      next.server.answer(.error(.nameTaken))
      #expect(next.server.takeLines().last == #"{"type":"resume","id":3,"token":"first"}"#)
      next.server.answerLast(.didLogin(name: "ann", token: "third", place: .playing))
    }
  }

  @Test func `it is found by any later client, too`() {
    TokenFile(folder: folder).keep("second", former: "first", for: ann)
    func start() -> RemoteApp {
      let client = RemoteApp(name: "ann", tokens: TokenFile(folder: folder, takesOver: true))
      client.server.greet()
      client.server.answer(.error(.unknownToken))
      return client
    }
    let second = start()
    second.server.answer(.didLogin(name: "ann", token: "third"))
    second.server.cut()
    let third = start()
    third.server.answer(.error(.nameTaken))
    #expect(third.server.takeLines().last == #"{"type":"resume","id":3,"token":"first"}"#)
    third.app.type("quit")
    do { try FileManager.default.removeItem(atPath: folder) } catch { /* It was never made. */  }
  }

  @Test func `a FIFO in place of the token file is reported, and the player logs in`() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/session-example.org%207777%20ann"
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    withClient(leaving: nil) { client in
      #expect(client.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
      client.server.answer(.didLogin(name: "ann", token: "new"))
      #expect(
        client.app.terminal.takeOutput().hasSuffix(
          "\(path) is not a regular file, so your session cannot be kept there.\n> "))
    }
  }

  @Test func `a session that has expired is replaced by a new login`() {
    withClient(leaving: "new") { client in
      client.server.answer(.error(.unknownToken))
      #expect(client.server.takeLines() == [#"{"type":"login","id":2,"name":"ann"}"#])
      client.server.answer(.didLogin(name: "ann", token: "new"))
      #expect(client.app.currentRouter is OffGameRouter)
    }
  }

  @Test func `a second client with the same name does not take the session of the first`() {
    withClient(leaving: "new") { client in
      client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
      let second = RemoteApp(name: "ann", tokens: TokenFile(folder: folder))
      second.server.greet()
      #expect(second.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
      second.server.answer(.error(.nameTaken))
    }
  }

  @Test func `quitting deletes the token unless the server cannot be reached`() {
    withClient(leaving: nil) { client in
      client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
      client.app.type("quit")
    }
    withClient(leaving: "new") { client in
      client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
      client.server.cut()
      client.app.type("quit")
    }
  }

  @Test func `a session that was only lost in nonsense keeps its token`() {
    withClient(leaving: "new") { client in
      client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
      for _ in 0..<SlidingWindow.damage.max {
        client.server.send(line: "%%%")
        client.app.clock.advance(by: Backoff.max)
        client.server.greet()
        client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
      }
      client.server.send(line: "%%%")
      #expect(client.app.currentRouter is LoggedOutRouter)
    }
  }

  @Test func `a session that the server ends deletes the token`() {
    withClient(leaving: nil) { client in
      client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
      client.server.send(.bye(.shutdown))
    }
  }
}
