import Shared

/// Where browsers find the page.
struct WebAddress: Equatable {
  let host: String
  let port: UInt16

  /// Parses `PORT`, for this computer only, or `HOST:PORT`. Port 0 takes a free one.
  ///
  /// - Throws: if it is neither.
  init(_ text: String, of name: String) throws(UsageError) {
    if let port = UInt16(text), String(port) == text {
      (host, self.port) = ("127.0.0.1", port)
      return
    }
    let operand = try HostOperand(text)
    guard let port = operand.port else {
      throw UsageError("\(name) must be PORT or HOST:PORT, not “\(text)”.")
    }
    (host, self.port) = (operand.host, port)
  }
}
