#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A poller that uses poll(2), for systems without epoll. Its cost grows with the number of watched
/// descriptors, so it suits a client, and a server with some hundred connections.
package final class PollPoller: Poller {
  private var watched: [pollfd] = []
  // The tokens of `watched`, at the same indices.
  private var tokens: [UInt64] = []
  // Indices into `watched`, by descriptor; -1 for a descriptor that is not watched.
  private var indices: [Int] = []
  private var events: [PollerEvent] = []

  package let maxEvents = Int.max

  package init() {}

  package func add(
    _ descriptor: Int32, for interest: Interest, token: UInt64
  ) throws(SystemError) {
    let missing = Int(descriptor) + 1 - indices.count
    if missing > 0 { indices += repeatElement(-1, count: missing) }
    indices[Int(descriptor)] = watched.count
    watched.append(pollfd(fd: descriptor, events: Self.events(interest), revents: 0))
    tokens.append(token)
  }

  package func modify(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError) {
    let index = indices[Int(descriptor)]
    watched[index].events = Self.events(interest)
    tokens[index] = token
  }

  package func remove(_ descriptor: Int32) {
    let index = indices[Int(descriptor)]
    indices[Int(descriptor)] = -1
    let last = watched.removeLast()
    let token = tokens.removeLast()
    guard index < watched.count else { return }
    watched[index] = last
    tokens[index] = token
    indices[Int(last.fd)] = index
  }

  package func wait(milliseconds: Int32) throws(SystemError) -> Int {
    events.removeAll(keepingCapacity: true)
    let found = watched.withUnsafeMutableBufferPointer {
      poll($0.baseAddress, nfds_t($0.count), milliseconds)
    }
    guard found >= 0 else {
      guard errno == EINTR else { throw SystemError(call: "poll", code: errno) }
      return 0
    }
    for index in watched.indices where watched[index].revents != 0 {
      events.append(
        PollerEvent(token: tokens[index], readiness: Self.readiness(watched[index].revents)))
      if events.count == found { break }
    }
    return events.count
  }

  package func event(at index: Int) -> PollerEvent { events[index] }

  private static func events(_ interest: Interest) -> Int16 {
    var events: Int16 = 0
    if interest.contains(.readable) { events |= Int16(POLLIN) }
    if interest.contains(.writable) { events |= Int16(POLLOUT) }
    return events
  }

  private static func readiness(_ events: Int16) -> Readiness {
    var readiness: Readiness = []
    if events & Int16(POLLIN) != 0 { readiness.insert(.readable) }
    if events & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
    if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.hangUp) }
    return readiness
  }
}
