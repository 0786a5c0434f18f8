import Foundation
import Shared

/// A session on its way to another node, as it stands in the engine: who the player is, and the
/// command that is carried out there.
struct HandedOverSession: Codable, Equatable {
  let name: String
  /// The hashes of the tokens that are good.
  let tokens: [String]
  /// A line of the protocol; `nil` if nothing is left to do.
  let command: String?

  init(_ session: Session, _ command: Command?) {
    name = session.name.text
    tokens = StoredPlayer(session).tokens
    self.command = command.map {
      var line: [UInt8] = []
      CommandEncoder.append($0, to: &line)
      return String(decoding: line, as: UTF8.self)
    }
  }

  /// Parses a text; `nil` if another version of the server has written it.
  init?(_ text: String) {
    guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else {
      return nil
    }
    self = value
  }

  var text: String { String(decoding: RecordEncoder().payload(self), as: UTF8.self) }
}
