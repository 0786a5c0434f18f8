/// The code with which a friend joins a game, and what to send to that friend.
struct FriendCode: Equatable {
  let code: String
  /// The server, as this client reached it.
  let address: ServerAddress
  /// What the friend types, in place of the command and the URL; `nil` if the friend has a client.
  let line: String?

  /// `friendLine` is the line to send, with `CODE` for the code.
  init(code: String, address: ServerAddress, friendLine: String? = nil) {
    self.code = code
    self.address = address
    line = friendLine?.replacing("CODE", with: code)
  }

  /// The command that starts the friend's client.
  var command: String {
    "tictactoe-client \(server)\(address.usesTLS ? " --tls" : "") --join \(code)"
  }

  var url: String {
    let scheme = address.usesTLS ? ServerURL.tlsScheme : ServerURL.scheme
    return "\(scheme)://\(server)/join/\(code)"
  }

  /// Whether the server's name means the friend's own computer to a friend elsewhere.
  var isOnThisHost: Bool {
    address.host == "localhost" || address.host == "::1" || address.host.hasPrefix("127.")
  }

  /// The server as `HOST` or `HOST:PORT`, as the client's command line takes it.
  private var server: String {
    let host = address.host.contains(":") ? "[\(address.host)]" : address.host
    let isDefault = address.port == ClientOptions.defaultPort(usesTLS: address.usesTLS)
    return isDefault ? host : "\(host):\(address.port)"
  }
}
