import Shared

/// The reply to a command of the operator, without the `re` of its first line. A list is one line
/// with the number of its items, and one line for each item.
struct AdminReply {
  /// Puts the fields of a line, after its type.
  typealias Fields = (inout LineWriter) -> Void

  private let type: StaticString
  private let fields: Fields
  private let items: [(type: StaticString, fields: Fields)]
  /// Further items: lines of other nodes as they are, each with its LF.
  private let lines: [UInt8]
  /// What was done, for people and the log; `nil` for a list and the like.
  private(set) var message: String?

  /// A single line.
  init(_ type: StaticString, _ fields: @escaping Fields) {
    self.type = type
    self.fields = fields
    items = []
    lines = []
  }

  /// A list, with further fields in its first line.
  init(
    _ type: StaticString, items: [(type: StaticString, fields: Fields)],
    _ fields: @escaping Fields = { _ in }
  ) {
    self.type = type
    self.items = items
    lines = []
    self.fields = {
      $0.put("count", items.count)
      fields(&$0)
    }
  }

  /// A list of lines that are encoded already.
  init(
    _ type: StaticString, lines: [UInt8], logged message: String? = nil,
    _ fields: @escaping Fields = { _ in }
  ) {
    self.type = type
    self.message = message
    self.lines = lines
    items = []
    let count = lines.count { $0 == UInt8(ascii: "\n") }
    self.fields = {
      $0.put("count", count)
      fields(&$0)
    }
  }

  /// A refusal, as a line of a list.
  static func refusal(_ error: CommandError) -> AdminReply {
    AdminReply("error") { line in
      line.put("code", error.code.rawValue)
      line.put("message", error.message)
    }
  }

  /// The command was carried out. The message is for people.
  static func done(_ message: String) -> AdminReply {
    var reply = AdminReply("done") { $0.put("message", message) }
    reply.message = message
    return reply
  }

  /// Appends the lines, each with its LF. With a node, each names it as `at`.
  func append(re: RequestID?, at node: String? = nil, to bytes: inout [UInt8]) {
    Self.append(type, re, node, fields, to: &bytes)
    for item in items { Self.append(item.type, nil, node, item.fields, to: &bytes) }
    bytes += lines
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
    _ type: StaticString, _ re: RequestID?, _ node: String?, _ fields: Fields,
    to bytes: inout [UInt8]
  ) {
    LineWriter.withLine(
      { line in
        line.put("{\"type\":\"")
        line.put(type)
        line.put("\"")
        line.put("re", re)
        line.put("at", node)
        fields(&line)
        line.put("}\n")
      }, { bytes.append($0) })
  }
}
