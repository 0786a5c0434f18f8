import Foundation
import Testing

@Suite struct TranscriptTests {
  @Test func `a session over a socket matches the transcript`() throws {
    try replay { try SocketSession(port: $0) }
  }

  @Test(.enabled(if: NetcatSession.executable != nil, "there is no nc on this machine"))
  func `a session in the real netcat matches the transcript`() throws {
    let executable = try #require(NetcatSession.executable)
    try replay { try NetcatSession(executable: executable, port: $0) }
  }

  @Test func `an ellipsis stands for any text, and nothing else does`() {
    #expect(Transcript.matches(#"{"a":"xyz","b":1}"#, #"{"a":"…","b":1}"#))
    #expect(!Transcript.matches(#"{"a":"xyz","b":2}"#, #"{"a":"…","b":1}"#))
    #expect(!Transcript.matches("ab", "a…b…b"))
    #expect(!Transcript.matches("abc", "ab"))
  }

  private func replay(_ connect: (_ port: String) throws -> any LineSession) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("netcat.txt")
    let transcript = try Transcript(contentsOf: file)
    try #require(transcript.steps.count > 50)
    let server = try RunningServer()
    var sessions: [String: any LineSession] = [:]
    for (person, step) in transcript.steps {
      if step == .connect { sessions[person] = try connect(server.port) }
      let session = try #require(sessions[person])
      switch step {
      case .connect: break
      case .type(let line): try session.type(line)
      case .expect(let expected):
        let line = try #require(try session.readLine(), "\(person) waits for \(expected)")
        try #require(Transcript.matches(line, expected), "\(line) is not \(expected)")
      case .end:
        try session.endInput()
        #expect(try session.readLine() == nil)
      }
    }
  }
}
