import Shared

/// The target of a fuzzer's input, which its first byte selects. The rest is decoded, or sent
/// to a server.
enum FuzzTarget {
  /// Returns a description of the fault; `nil` if there is none.
  static func fault(of input: Span<UInt8>) -> String? {
    guard input.count > 1 else { return nil }
    let rest = input.extracting(1..<input.count)
    return switch input[0] & 3 {
    case 0: faultOfCommand(rest)
    case 1: faultOfEvent(rest)
    case 2: FuzzedServer.fault(of: rest, isStructured: false)
    default: FuzzedServer.fault(of: rest, isStructured: true)
    }
  }

  private static func faultOfCommand(_ line: Span<UInt8>) -> String? {
    let decoder = CommandDecoder()
    return fault(of: line, read: { try? decoder.decode($0) }) {
      CommandEncoder.append($0.command, id: $0.id, to: &$1)
    }
  }

  private static func faultOfEvent(_ line: Span<UInt8>) -> String? {
    var decoder = EventDecoder()
    func read(_ line: Span<UInt8>) -> ReceivedEvent? {
      guard let read = try? decoder.decode(line) else { return nil }
      if case .unknown = read.event { return nil }
      return read
    }
    return fault(of: line, read: read) { EventEncoder.append($0.event, re: $0.re, to: &$1) }
  }

  /// A line that can be decoded is encoded so that it decodes to the same value.
  private static func fault<Line: Equatable>(
    of line: Span<UInt8>, read: (Span<UInt8>) -> Line?, write: (Line, inout [UInt8]) -> Void
  ) -> String? {
    guard let first = read(line) else { return nil }
    var written: [UInt8] = []
    write(first, &written)
    // The LF.
    written.removeLast()
    guard read(written.span) != first else { return nil }
    return "\(first) is written as \(String(decoding: written, as: UTF8.self))"
  }
}
