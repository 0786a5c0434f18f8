#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@testable import Shared

extension Socket {
  /// Two sockets that are connected to each other.
  static func pair() throws(SystemError) -> (Socket, Socket) {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #elseif canImport(Musl)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    var ends: [Int32] = [0, 0]
    _ = try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    let pair = (Socket(descriptor: ends[0]), Socket(descriptor: ends[1]))
    try pair.0.adopt()
    try pair.1.adopt()
    return pair
  }

  /// Returns what has arrived; `nil` at the end. It throws nothing, because that is slow in a test.
  func receiveAll() -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
        return count
      }
      if count > 0 { continue }
      let isEmpty = count < 0 && (errno == EAGAIN || errno == EINTR)
      return bytes.isEmpty && !isEmpty ? nil : bytes
    }
  }
}
