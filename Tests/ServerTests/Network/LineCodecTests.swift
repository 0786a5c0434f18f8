import Shared
import Testing

@testable import Server

@Suite struct LineCodecTests {
  private let codec = LineCodec()
  private let connection = ConnectionMock()

  @Test func `an event is one line`() {
    codec.send(.pong, re: nil, on: connection)
    codec.send(.didCancel, re: .integer(3), on: connection)
    codec.send(.didQueue(game: "four", opponent: nil), re: .text("x"), on: connection)
    #expect(
      connection.takeLines() == [
        #"{"type":"pong"}"#, #"{"type":"didCancel","re":3}"#,
        #"{"type":"didQueue","re":"x","game":"four"}"#,
      ])
  }

  @Test func `a copy has its receiver's fields behind the type`() {
    let line = Array("{\"type\":\"gameDidStart\",\"match\":\"m\"}\n".utf8)
    codec.send(copyOf: line.span, re: nil, you: nil, on: connection)
    codec.send(copyOf: line.span, re: nil, you: .o, on: connection)
    codec.send(copyOf: line.span, re: .integer(1), you: .x, on: connection)
    codec.send(copyOf: line.span, re: .text("a"), you: nil, on: connection)
    #expect(
      connection.takeLines() == [
        #"{"type":"gameDidStart","match":"m"}"#, #"{"type":"gameDidStart","you":"O","match":"m"}"#,
        #"{"type":"gameDidStart","re":1,"you":"X","match":"m"}"#,
        #"{"type":"gameDidStart","re":"a","match":"m"}"#,
      ])
  }

  @Test func `lines are read one after another`() throws {
    #expect(try decode(#"{"type":"ping","id":7}"#) == Request(id: .integer(7), .ping))
    #expect(try decode(" \t\r") == nil)
    #expect(throws: LineError(.badJSON)) { try decode("{") }
    #expect(try decode("ping") == Request(.ping))
  }

  private func decode(_ line: String) throws(LineError) -> Request? {
    try codec.decode(Array(line.utf8).span)
  }
}
