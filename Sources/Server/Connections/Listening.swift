import Foundation
import Shared

/// Where the server listens, as an option says it.
struct Endpoint: Equatable {
  /// `nil` means all interfaces.
  var host: String?
  /// 0 means any free port.
  var port: UInt16
  /// How to take another port: `tictactoe-server --port PORT`.
  let advice: String
}

/// Where the server listens.
enum ListeningSockets {
  /// The server opens its sockets itself.
  case addresses([SocketAddress])
  /// The service manager has opened them.
  case passed([PassedSocket])
}

/// Opens the addresses of an endpoint.
enum Listening {
  /// Returns the addresses to listen on. Nothing listens yet. With `isFree`, no other program may
  /// listen there.
  ///
  /// - Throws: if the host is unknown, or the server cannot listen.
  static func addresses(
    _ endpoint: Endpoint, isFree: Bool = true
  ) throws(StartError) -> [SocketAddress] {
    let addresses: [SocketAddress]
    do throws(ResolveError) {
      addresses = try SocketAddress.resolve(
        host: endpoint.host, port: endpoint.port, passive: true)
    } catch {
      throw StartError(
        code: .noHost,
        sentence: "There is no host called \(error.host). Check the spelling.")
    }
    do throws(SystemError) {
      try forEach(of: addresses) { address throws(SystemError) in try TCPListener.check(address) }
    } catch {
      if isFree || error.code != EADDRINUSE { throw failure(error, endpoint) }
    }
    return addresses
  }

  /// Returns the port of passed sockets; `nil` without any.
  ///
  /// - Throws: if one of them is not for TCP.
  static func port(of passed: [PassedSocket]) throws(PassedSocket.UnusableError) -> UInt16? {
    var ports: [UInt16] = []
    for socket in passed { ports.append(try socket.address().port) }
    return ports.first
  }

  /// Returns one listener for each passed socket, or for each address, all on the same port.
  ///
  /// - Throws: if the server cannot listen.
  static func start(
    on loop: EventLoop, _ sockets: ListeningSockets, _ endpoint: Endpoint,
    accept: @escaping (any Connection) -> Void,
    onShortage: @escaping (SystemError) -> [UInt8] = { _ in [] }
  ) throws(StartError) -> [TCPListener] {
    switch sockets {
    case .addresses(let addresses):
      return try start(on: loop, addresses, endpoint, accept: accept, onShortage: onShortage)
    case .passed(let passed):
      var listeners: [TCPListener] = []
      do throws(SystemError) {
        for socket in passed {
          listeners.append(
            try TCPListener(
              loop: loop, passed: socket, accept: { accept($0) }, onShortage: onShortage))
        }
      } catch {
        throw StartError(
          code: .unavailable, sentence: "The passed sockets cannot be used: \(error).")
      }
      return listeners
    }
  }

  private static func start(
    on loop: EventLoop, _ addresses: [SocketAddress], _ endpoint: Endpoint,
    accept: @escaping (any Connection) -> Void,
    onShortage: @escaping (SystemError) -> [UInt8] = { _ in [] }
  ) throws(StartError) -> [TCPListener] {
    // The port that one address got may be taken at the next address. Then try another port.
    var attempts = endpoint.port == 0 ? 8 : 1
    while true {
      attempts -= 1
      do throws(SystemError) {
        return try open(addresses, on: loop, accept: accept, onShortage: onShortage)
      } catch {
        guard attempts > 0, error.code == EADDRINUSE else { throw failure(error, endpoint) }
      }
    }
  }

  /// Returns the line that says where the server listens and how to try it. The port is the only
  /// number in it, unless the host contains digits.
  static func sentence(
    _ endpoint: Endpoint, _ sockets: ListeningSockets, _ listeners: [TCPListener]
  ) -> String {
    let port = listeners.first?.address.port ?? endpoint.port
    var (host, location) = ("localhost", "with the socket of its service manager")
    if case .addresses = sockets {
      host = endpoint.host ?? host
      location = endpoint.host.map { "on \($0)" } ?? "on all interfaces"
    }
    return "tictactoe-server listens on port \(port) \(location)."
      + " To try it, type: nc \(host) \(port)\n"
  }

  /// Returns a listener on a path, which the option `name` has set. With `isForGroup`, the group of
  /// the process, or of the folder if that hands its group down, may connect too.
  ///
  /// - Throws: if the path is too long, or in use, or nothing can be made there.
  static func onPath(
    _ path: String, _ loop: EventLoop, option name: String = "admin", isForGroup: Bool = false,
    accept: @escaping (any Connection) -> Void
  ) throws(StartError) -> TCPListener {
    let address = try AdminLocation.address(path, option: name)
    do throws(SystemError) {
      let listener = try TCPListener(loop: loop, path: address, accept: { accept($0) })
      if isForGroup, chmod(address.path, 0o660) != 0 {
        throw SystemError(call: "chmod", code: errno)
      }
      return listener
    } catch {
      let advice = " To name another socket, or none, type: tictactoe-server --\(name) PATH"
      switch error.code {
      case EADDRINUSE:
        throw StartError(
          code: .unavailable,
          sentence: "Another process uses the admin socket \(path).\(advice)")
      case EEXIST:
        throw StartError(
          code: .cannotCreate,
          sentence: "The admin socket \(path) cannot be made: there is another file.\(advice)")
      default:
        throw StartError(
          code: .cannotCreate,
          sentence: "The admin socket \(path) cannot be made: \(error.reason).\(advice)")
      }
    }
  }

  private static func open(
    _ addresses: [SocketAddress], on loop: EventLoop, accept: @escaping (any Connection) -> Void,
    onShortage: @escaping (SystemError) -> [UInt8]
  ) throws(SystemError) -> [TCPListener] {
    var listeners: [TCPListener] = []
    do throws(SystemError) {
      try forEach(of: addresses) { address throws(SystemError) in
        let address = listeners.first.map { address.with(port: $0.address.port) } ?? address
        listeners.append(
          try TCPListener(
            loop: loop, address: address, accept: { accept($0) }, onShortage: onShortage))
      }
    } catch {
      for listener in listeners { listener.close() }
      throw error
    }
    return listeners
  }

  /// Calls `body` with each address. A machine without IPv6, or without IPv4, listens only on the
  /// other.
  private static func forEach(
    of addresses: [SocketAddress], _ body: (SocketAddress) throws(SystemError) -> Void
  ) throws(SystemError) {
    var missing: [SystemError] = []
    for address in addresses {
      do throws(SystemError) {
        try body(address)
      } catch {
        guard [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code) else { throw error }
        missing.append(error)
      }
    }
    if missing.count == addresses.count, let first = missing.first { throw first }
  }

  private static func failure(_ error: SystemError, _ endpoint: Endpoint) -> StartError {
    let sentence =
      switch error.code {
      case EADDRINUSE:
        "Port \(endpoint.port) is in use. Is a server already running?"
          + " To take another port, type: \(endpoint.advice)"
      case EACCES:
        "You have no permission to use port \(endpoint.port)."
          + " To take another port, type: \(endpoint.advice)"
      case EADDRNOTAVAIL:
        "\(endpoint.host ?? "That") is not an address of this machine."
      default:
        "The server cannot listen on port \(endpoint.port): \(error)."
      }
    return StartError(code: .unavailable, sentence: sentence)
  }
}
