import Shared

/// The reply to a command of the operator, without the `re` of its first line. A list is one line
/// with the number of its items, and one line for each item.
struct AdminReply {
  /// Puts the fields of a line, after its type.
  typealias Fields = (inout LineWriter) -> Void

  private let type: StaticString
  private let fields: Fields
  private let items: [(type: StaticString, fields: Fields)]
  /// What was done, for people; `nil` for a list and the like.
  private(set) var message: String?

  /// A single line.
  init(_ type: StaticString, _ fields: @escaping Fields) {
    self.type = type
    self.fields = fields
    items = []
  }

  /// A list.
  init(_ type: StaticString, items: [(type: StaticString, fields: Fields)]) {
    self.type = type
    self.items = items
    fields = { $0.put("count", items.count) }
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
