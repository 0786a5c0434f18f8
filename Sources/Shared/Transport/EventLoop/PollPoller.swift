#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// poll(2), for systems without epoll. Its cost grows with the number of watched descriptors: fit
/// for a client, and for a server of some hundred connections.
package final class PollPoller: Poller {
  private var watched: [pollfd] = []
  // Beside `watched`, place for place.
  private var tokens: [UInt64] = []
  // By descriptor; -1 where it is not watched.
  private var places: [Int] = []
  private var events: [PollerEvent] = []

  package let maxEvents = Int.max

  package init() {}

  package func add(
    _ descriptor: Int32, for interest: Interest, token: UInt64
  ) throws(SystemError) {
    let missing = Int(descriptor) + 1 - places.count
    if missing > 0 { places += repeatElement(-1, count: missing) }
    places[Int(descriptor)] = watched.count
    watched.append(pollfd(fd: descriptor, events: Self.events(interest), revents: 0))
    tokens.append(token)
  }

  package func change(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError) {
    let place = places[Int(descriptor)]
    watched[place].events = Self.events(interest)
    tokens[place] = token
  }

  package func remove(_ descriptor: Int32) {
    let place = places[Int(descriptor)]
    places[Int(descriptor)] = -1
    let last = watched.removeLast()
    let token = tokens.removeLast()
    guard place < watched.count else { return }
    watched[place] = last
    tokens[place] = token
    places[Int(last.fd)] = place
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
    for place in watched.indices where watched[place].revents != 0 {
      events.append(
        PollerEvent(token: tokens[place], readiness: Self.readiness(watched[place].revents)))
      if events.count == found { break }
    }
    return events.count
  }

  package func event(at index: Int) -> PollerEvent { events[index] }

  private static func events(_ interest: Interest) -> Int16 {
    var events: Int16 = 0
    if interest.contains(.reading) { events |= Int16(POLLIN) }
    if interest.contains(.writing) { events |= Int16(POLLOUT) }
    return events
  }

  private static func readiness(_ events: Int16) -> Readiness {
    var readiness: Readiness = []
    if events & Int16(POLLIN) != 0 { readiness.insert(.readable) }
    if events & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
    if events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.ended) }
    return readiness
  }
}
