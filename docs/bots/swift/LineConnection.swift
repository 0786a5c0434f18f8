import Foundation

/// A host and a port, as `moved` names them: `HOST:PORT` or `[IPV6]:PORT`.
struct Address {
  let host: String
  let port: String

  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    host = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    port = String(text[text.index(after: colon)...])
    if Int(port) == nil { return nil }
  }
}

struct ConnectionError: Error, CustomStringConvertible {
  let description: String
}

/// A TCP connection that sends and reads lines. All calls wait.
final class LineConnection {
  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(to address: Address) throws {
    #if os(Linux)
      let stream = Int32(SOCK_STREAM.rawValue)
      // A write to a connection that is lost is an error, and no signal.
      signal(SIGPIPE, SIG_IGN)
    #else
      let stream = SOCK_STREAM
      signal(SIGPIPE, SIG_IGN)
    #endif
    var hints = addrinfo()
    hints.ai_socktype = stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(address.host, address.port, &hints, &list)
    guard code == 0 else { throw ConnectionError(description: String(cString: gai_strerror(code))) }
    defer { freeaddrinfo(list) }
    var reason = "no address"
    var next = list
    while let info = next?.pointee {
      let descriptor = socket(info.ai_family, info.ai_socktype, info.ai_protocol)
      if descriptor >= 0, connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 {
        self.descriptor = descriptor
        return
      }
      reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      next = info.ai_next
    }
    throw ConnectionError(description: reason)
  }

  deinit { close(descriptor) }

  func send(_ line: Data) throws {
    var bytes = Array(line) + [UInt8(ascii: "\n")]
    while !bytes.isEmpty {
      let count = write(descriptor, bytes, bytes.count)
      guard count > 0 else { throw ConnectionError(description: String(cString: strerror(errno))) }
      bytes.removeFirst(count)
    }
  }

  /// Returns the whole lines that have come, at least one read's worth; `nil` if nothing comes in
  /// time. Bytes after the last LF are no line yet.
  func readLines(within time: Duration) throws -> [Data]? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, Int32(time / .milliseconds(1))) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    guard count >= 0 else { throw ConnectionError(description: String(cString: strerror(errno))) }
    guard count > 0 else { throw ConnectionError(description: "the server has closed it") }
    unread += buffer[..<count]
    guard let end = unread.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    defer { unread.removeFirst(end + 1) }
    return unread[..<end].split(separator: UInt8(ascii: "\n")).map { Data($0) }
  }
}
