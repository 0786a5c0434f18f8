import Foundation
import Shared

/// Encodes the payloads of records. Those of one kind always look the same.
struct RecordEncoder {
  private let encoder = JSONEncoder()

  init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

  func payload(_ record: some Encodable) -> [UInt8] {
    do {
      return [UInt8](try encoder.encode(record))
    } catch {
      preconditionFailure("A record cannot be encoded: \(error).")
    }
  }

  /// Calls `body` with the payload of a record `q`. It is written by hand, because it happens in
  /// each game.
  static func withRematch(
    _ isAsked: Bool, by mark: Mark, in match: String, _ body: (Span<UInt8>) -> Void
  ) {
    LineWriter.withLine { line in
      line.put("{\"match\":")
      line.put(quoted: match)
      line.put(",\"mark\":")
      line.put(quoted: mark.letter)
      if isAsked { line.put(",\"asked\":true}") } else { line.put(",\"asked\":false}") }
    } _: {
      body($0)
    }
  }
}
