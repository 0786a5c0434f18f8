/// Why a line could not be read; to a client that sent it, answered as an `error`.
package struct LineError: Error, Equatable, Sendable {
  /// `badJSON`, `missingField`, `unknownType` or `badField`.
  package let code: ErrorCode
  /// The field that is missing or bad, where there is one.
  package let field: String?
  /// The `id` of the line, where it has a good one.
  package let id: RequestID?

  package init(_ code: ErrorCode, field: String? = nil, id: RequestID? = nil) {
    self.code = code
    self.field = field
    self.id = id
  }

  /// A sentence for a person that says what to do.
  package var message: String {
    guard let field else { return code.message }
    return switch code {
    case .missingField: "The field \(field) is missing; to see how it is written, type: help"
    case .badField: "The field \(field) is no good as it is; to see how it is written, type: help"
    default: code.message
    }
  }
}
