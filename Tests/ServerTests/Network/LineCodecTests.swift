import Shared
import Testing

@testable import Server

@Suite struct LineCodecTests {
  private let codec = LineCodec()

  @Test func `an event is one line`() {
    let events: [(Event, RequestID?, String)] = [
      (.pong, nil, #"{"type":"pong"}"#),
      (.didCancel, .integer(3), #"{"type":"didCancel","re":3}"#),
      (
        .didQueue(game: "four", opponent: nil), .text("x"),
        #"{"type":"didQueue","re":"x","game":"four"}"#
      ),
    ]
    for (event, re, expected) in events {
      codec.withLine(event, re: re) { #expect(text($0) == "\(expected)\n") }
    }
  }

  @Test func `a copy has its receiver's fields behind the type`() {
    let line = Array("{\"type\":\"gameDidStart\",\"match\":\"m\"}\n".utf8)
    let copies: [(RequestID?, Mark?, String)] = [
      (nil, nil, #"{"type":"gameDidStart","match":"m"}"#),
      (nil, .o, #"{"type":"gameDidStart","you":"O","match":"m"}"#),
      (.integer(1), .x, #"{"type":"gameDidStart","re":1,"you":"X","match":"m"}"#),
      (.text("a"), nil, #"{"type":"gameDidStart","re":"a","match":"m"}"#),
    ]
    for (re, you, expected) in copies {
      codec.withCopy(of: line.span, re: re, you: you) { #expect(text($0) == "\(expected)\n") }
    }
  }

  @Test func `lines are read one after another`() throws {
    #expect(try decode(#"{"type":"ping","id":7}"#) == Request(id: .integer(7), .ping))
    #expect(try decode(" \t\r") == nil)
    #expect(throws: LineError(.badJSON)) { try decode("{") }
    #expect(try decode("ping") == Request(.ping))
  }

  private func text(_ line: Span<UInt8>) -> String {
    line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func decode(_ line: String) throws(LineError) -> Request? {
    try codec.decode(Array(line.utf8).span)
  }
}
