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

  /// A command that can be read is written so that it is read again as the same.
  private static func faultOfCommand(_ line: Span<UInt8>) -> String? {
    let decoder = CommandDecoder()
    guard let request = try? decoder.decode(line) else { return nil }
    var written: [UInt8] = []
    CommandEncoder.append(request.command, id: request.id, to: &written)
    written.removeLast()
    guard let again = try? decoder.decode(written.span), again == request else {
      return "\(request) is written as \(String(decoding: written, as: UTF8.self))"
    }
    return nil
  }

  private static func faultOfEvent(_ line: Span<UInt8>) -> String? {
    var decoder = EventDecoder()
    guard let read = try? decoder.decode(line) else { return nil }
    if case .unknown = read.event { return nil }
    var written: [UInt8] = []
    EventEncoder.append(read.event, re: read.re, to: &written)
    written.removeLast()
    guard let again = try? decoder.decode(written.span), again == read else {
      return "\(read) is written as \(String(decoding: written, as: UTF8.self))"
    }
    return nil
  }
}
