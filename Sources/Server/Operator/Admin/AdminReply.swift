import Shared

/// The reply to a command of the operator, without the `re` of its first line. A list is one line
/// with the number of its items, and one line for each item.
struct AdminReply {
  /// Puts the fields of a line, after its type.
  typealias Fields = (inout LineWriter) -> Void

  private let type: StaticString
  private let fields: Fields
  private let items: [(type: StaticString, fields: Fields)]
  /// What was done, for people and the log; `nil` for a list and the like.
  private(set) var message: String?

  /// A single line.
  init(_ type: StaticString, _ fields: @escaping Fields) {
    self.type = type
    self.fields = fields
    items = []
  }

  /// A list, with further fields in its first line.
  init(
    _ type: StaticString, items: [(type: StaticString, fields: Fields)],
    _ fields: @escaping Fields = { _ in }
  ) {
    self.type = type
    self.items = items
    self.fields = {
      $0.put("count", items.count)
      fields(&$0)
    }
  }

  /// The command was carried out. The message is for people.
  static func done(_ message: String) -> AdminReply {
    var reply = AdminReply("done") { $0.put("message", message) }
    reply.message = message
    return reply
  }

  /// Appends the lines, each with its LF.
  func append(re: RequestID?, to bytes: inout [UInt8]) {
    Self.append(type, re, fields, to: &bytes)
    for item in items { Self.append(item.type, nil, item.fields, to: &bytes) }
  }

  /// A single line with a secret. The log gets a sentence without it.
  static func secret(
    _ type: StaticString, logged message: String, _ fields: @escaping Fields
  ) -> AdminReply {
    var reply = AdminReply(type, fields)
    reply.message = message
    return reply
  }

  private static func append(
    _ type: StaticString, _ re: RequestID?, _ fields: Fields, to bytes: inout [UInt8]
  ) {
    LineWriter.withLine(
      { line in
        line.put("{\"type\":\"")
        line.put(type)
        line.put("\"")
        line.put("re", re)
        fields(&line)
        line.put("}\n")
      }, { bytes.append($0) })
  }
}
