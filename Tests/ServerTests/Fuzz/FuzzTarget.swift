import Shared

/// What a fuzzer's input is given to: its first byte chooses. The rest is read by a codec, or is said
/// to a server.
enum FuzzTarget {
  /// Answers what has gone wrong; `nil` where nothing has.
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

  /// What can be read is written so that it is read again as the same.
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
