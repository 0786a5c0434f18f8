import Shared
import Testing

@Suite struct __NAME__EventTests {
  @Test func `__name__ is one line, which is decoded again`() throws {
    var line: [UInt8] = []
    EventEncoder.append(.__name__(text: "a"), to: &line)
    #expect(String(decoding: line, as: UTF8.self) == "{\"type\":\"__name__\",\"text\":\"a\"}\n")
    var decoder = EventDecoder()
    let bytes = Array(line.dropLast())
    let received = try decoder.decode(bytes.span)
    #expect(received == ReceivedEvent(.__name__(text: "a")))
  }
}
