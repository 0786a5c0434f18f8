import Foundation

/// Looks a host's addresses up on a thread of its own, because the system's call waits for name
/// servers. The answer comes back as bytes through a pair of sockets that the loop watches: no
/// memory is shared, so no lock is needed.
final class Resolver {
  private unowned let loop: EventLoop
  private let host: String
  private let socket: Socket
  private var completion: ((Result<[SocketAddress], ResolveError>) -> Void)?
  private var watch: Watch?

  /// Looks up at once. The loop holds it until `completion` was called, which is once.
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
    // Not on one of Dispatch's: once it has any, it looks at them every second as long as the program
    // runs, which so would never sleep.
    Thread.detachNewThread {
      let answer = Self.answer(host: host, port: port)
      // It fails only where nobody waits for it any more.
      _ = try? answer.withUnsafeBytes { bytes throws(SystemError) in try far.send(bytes) }
      far.close()
    }
  }

  /// The completion will not be called. The look-up goes on for nobody.
  func cancel() {
    guard let watch else { return }
    self.watch = nil
    completion = nil
    loop.cancel(watch)
    socket.close()
  }

  // An error code, 0 for none, and the addresses, as they lie in memory.
  private static func answer(host: String, port: UInt16) -> [UInt8] {
    do throws(ResolveError) {
      let addresses = try SocketAddress.resolve(host: host, port: port, passive: false)
      let first = addresses.prefix(64)
      return withUnsafeBytes(of: Int32(0), Array.init) + Array(first).withUnsafeBytes(Array.init)
    } catch {
      return withUnsafeBytes(of: error.code, Array.init)
    }
  }

  private func result(
    of answer: UnsafeRawBufferPointer
  ) -> Result<[SocketAddress], ResolveError> {
    let codeSize = MemoryLayout<Int32>.size
    guard answer.count >= codeSize else {
      return .failure(ResolveError(host: host, code: EAI_FAIL))
    }
    let code = answer.loadUnaligned(as: Int32.self)
    guard code == 0 else { return .failure(ResolveError(host: host, code: code)) }
    let stride = MemoryLayout<SocketAddress>.stride
    return .success(
      (0..<(answer.count - codeSize) / stride).map {
        answer.loadUnaligned(fromByteOffset: codeSize + $0 * stride, as: SocketAddress.self)
      })
  }
}

extension Resolver: ReadinessHandler {
  func descriptorIsReady(_ readiness: Readiness) {
    // One send of a few hundred bytes, so it comes in one piece.
    let count = (try? socket.receive(into: loop.receiveBuffer)) ?? 0
    let answer = result(
      of: UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(UnsafeBufferPointer(loop.receiveBuffer))[..<count]))
    let completion = completion
    cancel()
    completion?(answer)
  }

  func loopDidEnd() {
    watch = nil
    completion = nil
    socket.close()
  }
}

/// A host name that has no address.
package struct ResolveError: Error, Equatable, Sendable {
  /// As it was asked for.
  package let host: String
  /// Of `getaddrinfo`: an `EAI_` constant.
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
  /// The addresses of a host, the preferred one first. `passive` addresses are to listen on. A
  /// `host` is a name or a numeric address; `nil` is this machine: where passive all its interfaces,
  /// one address for each of IPv4 and IPv6, else its loopback.
  ///
  /// Waits for name servers, which can take many seconds, unless the host is `nil` or numeric: for
  /// start-up only. A `Connector` asks off the loop.
  package static func resolve(
    host: String?, port: UInt16, passive: Bool
  ) throws(ResolveError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Socket.stream
    if passive { hints.ai_flags |= AI_PASSIVE }
    var list: UnsafeMutablePointer<addrinfo>?
    // Without a host there must be a service, even though the port is put in below.
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
