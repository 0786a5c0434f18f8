extension JSONReader {
  /// Most characters of an `id`.
  private static let longestID = 32

  /// The value of an `id` or `re`; `nil` where it is no good one.
  func requestID(_ node: JSONNode) -> RequestID? {
    switch node {
    case .integer(let integer):
      return .integer(integer)
    case .string(let text):
      let string = string(text)
      return (1...Self.longestID).contains(string.unicodeScalars.count) ? .text(string) : nil
    case .null, .bool, .number, .object, .array:
      return nil
    }
  }
}
