import Shared

/// Where the operator's socket is.
enum AdminLocation: Equatable {
  /// In the data folder; nowhere if the server keeps nothing.
  case standard
  case nowhere
  case path(String)

  static let fileName = "admin.sock"

  /// Returns the path of the socket; `nil` if there is none.
  func path(inData folder: String?) -> String? {
    switch self {
    case .standard: folder.map { "\($0)/\(Self.fileName)" }
    case .nowhere: nil
    case .path(let path): path
    }
  }

  /// Returns the address of a path.
  ///
  /// - Throws: a sentence for people if it is too long.
  static func address(
    _ path: String, option name: String = "admin"
  ) throws(StartError) -> LocalAddress {
    guard let address = LocalAddress(path) else {
      throw StartError(
        code: .cannotCreate,
        sentence: "The path of the admin socket, \(path), is too long: its last part may have up to"
          + " \(LocalAddress.maxNameLength) bytes."
          + " To name another one, or none, type: tictactoe-server --\(name) PATH")
    }
    return address
  }
}
