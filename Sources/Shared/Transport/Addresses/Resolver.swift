import Foundation

/// Looks up a host's addresses on a thread of its own, because the system's call waits for name
/// servers. The result returns as bytes through a socket pair that the loop watches. The threads
/// share no memory, so no lock is needed.
final class Resolver {
  private unowned let loop: EventLoop
  private let host: String
  private let socket: Socket
  private var completion: ((Result<[SocketAddress], ResolveError>) -> Void)?
  private var watch: Watch?

  /// Begins at once. The loop holds the resolver until it has called `completion`, once.
  ///
  /// - Throws: if there is no descriptor for the socket pair, or the loop cannot watch it.
  init(
    loop: EventLoop, host: String, port: UInt16,
    completion: @escaping (Result<[SocketAddress], ResolveError>) -> Void
  ) throws(SystemError) {
    let (near, far) = try Socket.pair()
    self.loop = loop
    self.host = host
    socket = near
    self.completion = completion
    do throws(SystemError) {
      watch = try loop.watch(near.descriptor, for: .readable, handler: self)
    } catch {
      near.close()
      far.close()
      throw error
    }
    // Not a Dispatch thread: once a global queue has had a thread, Dispatch wakes up every second
    // for the rest of the program.
    Thread.detachNewThread {
      let reply = Self.lookUp(host: host, port: port)
      // This fails only if the look-up was cancelled.
      _ = try? reply.withUnsafeBytes { bytes throws(SystemError) in try far.send(bytes) }
      far.close()
    }
  }

  /// Releases the completion without calling it. The thread ends with the look-up, whose result is
  /// dropped.
  func cancel() {
    guard let watch else { return }
    self.watch = nil
    completion = nil
    loop.cancel(watch)
    socket.close()
  }

  /// Returns an error code (0 for none) and the addresses, as they are in memory.
  private static func lookUp(host: String, port: UInt16) -> [UInt8] {
    do throws(ResolveError) {
      let addresses = try SocketAddress.resolve(host: host, port: port, passive: false)
      let first = addresses.prefix(64)
      return withUnsafeBytes(of: Int32(0), Array.init) + Array(first).withUnsafeBytes(Array.init)
    } catch {
      return withUnsafeBytes(of: error.code, Array.init)
    }
  }

  private func result(
    of reply: UnsafeRawBufferPointer
  ) -> Result<[SocketAddress], ResolveError> {
    let codeSize = MemoryLayout<Int32>.size
    guard reply.count >= codeSize else {
      return .failure(ResolveError(host: host, code: EAI_FAIL))
    }
    let code = reply.loadUnaligned(as: Int32.self)
    guard code == 0 else { return .failure(ResolveError(host: host, code: code)) }
    let stride = MemoryLayout<SocketAddress>.stride
    return .success(
      (0..<(reply.count - codeSize) / stride).map {
        reply.loadUnaligned(fromByteOffset: codeSize + $0 * stride, as: SocketAddress.self)
      })
  }
}

extension Resolver: ReadinessHandler {
  func descriptorIsReady(_ readiness: Readiness) {
    // The thread sends a few hundred bytes at once, so one call receives all.
    let count = (try? socket.receive(into: loop.receiveBuffer)) ?? 0
    let result = result(
      of: UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(UnsafeBufferPointer(loop.receiveBuffer))[..<count]))
    let completion = completion
    cancel()
    completion?(result)
  }

  func loopDidEnd() {
    watch = nil
    completion = nil
    socket.close()
  }
}

/// The look-up of a host name has failed.
package struct ResolveError: Error, Equatable, Sendable {
  /// The host name that was looked up.
  package let host: String
  /// The result of `getaddrinfo`: an `EAI_` constant.
  package let code: Int32

  init(host: String, code: Int32) {
    self.host = host
    self.code = code
  }
}

extension ResolveError: CustomStringConvertible {
  /// For people: "no-such-host: Name or service not known".
  package var description: String { "\(host): \(String(cString: gai_strerror(code)))" }
}

extension SocketAddress {
  /// Returns the addresses of a host, the preferred one first. With `passive` they are for
  /// listening. `host` is a name or a numeric address. `nil` is this machine: with `passive` all
  /// interfaces, as one address for each of IPv4 and IPv6; otherwise the loopback.
  ///
  /// Waits for name servers, which can take many seconds, unless the host is `nil` or numeric. Use
  /// it only at start-up; a `Connector` looks up hosts on another thread.
  ///
  /// - Throws: if the host has no address, or the look-up fails.
  package static func resolve(
    host: String?, port: UInt16, passive: Bool
  ) throws(ResolveError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Socket.stream
    if passive { hints.ai_flags |= AI_PASSIVE }
    var list: UnsafeMutablePointer<addrinfo>?
    // Without a host there must be a service. The port is set below.
    let code = getaddrinfo(host, host == nil ? "0" : nil, &hints, &list)
    guard code == 0 else { throw ResolveError(host: host ?? "", code: code) }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      if let system = entry.ai_addr, let address = SocketAddress(system) {
        addresses.append(address.with(port: port))
      }
      next = entry.ai_next
    }
    guard !addresses.isEmpty else { throw ResolveError(host: host ?? "", code: EAI_NONAME) }
    return addresses
  }
}
