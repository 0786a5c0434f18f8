#if os(Linux)
  import CEpoll
  #if canImport(Glibc)
    import Glibc
  #else
    import Musl
  #endif

  /// A poller that uses epoll(7).
  package final class EpollPoller: Poller {
    private let epoll: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var count = 0
    // Regular files and /dev/null are always ready; epoll refuses them with EPERM.
    private var files: [(descriptor: Int32, interest: Interest, token: UInt64)] = []
    private var fileEvents: [PollerEvent] = []

    package var maxEvents: Int { events.count }

    /// - Throws: if there is no descriptor for it.
    package init(maxEvents: Int = 512) throws(SystemError) {
      epoll = try systemCall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
      events = .allocate(capacity: maxEvents)
      events.initialize(repeating: epoll_event())
    }

    deinit {
      close(epoll)
      events.deallocate()
    }

    package func add(
      _ descriptor: Int32, for interest: Interest, token: UInt64
    ) throws(SystemError) {
      do throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token)
      } catch {
        guard error.code == EPERM else { throw error }
        files.append((descriptor, interest, token))
      }
    }

    package func modify(
      _ descriptor: Int32, to interest: Interest, token: UInt64
    ) throws(SystemError) {
      if let index = files.firstIndex(where: { $0.descriptor == descriptor }) {
        files[index] = (descriptor, interest, token)
      } else {
        try control(EPOLL_CTL_MOD, descriptor, interest, token)
      }
    }

    package func remove(_ descriptor: Int32) {
      if let index = files.firstIndex(where: { $0.descriptor == descriptor }) {
        files.remove(at: index)
      } else {
        // This cannot fail for a descriptor that was added and is still open.
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
      }
    }

    package func wait(milliseconds: Int32) throws(SystemError) -> Int {
      if !files.isEmpty || !fileEvents.isEmpty { findReadyFiles() }
      let timeout = fileEvents.isEmpty ? milliseconds : 0
      let found = linux_epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)
      guard found >= 0 || errno == EINTR else {
        throw SystemError(call: "epoll_wait", code: errno)
      }
      count = Int(max(0, found))
      return count &+ fileEvents.count
    }

    package func event(at index: Int) -> PollerEvent {
      guard index < count else { return fileEvents[index - count] }
      let event = events[index]
      var readiness: Readiness = []
      if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
      if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
      if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.hangUp) }
      return PollerEvent(token: event.data.u64, readiness: readiness)
    }

    private func findReadyFiles() {
      fileEvents.removeAll(keepingCapacity: true)
      for file in files where !file.interest.isEmpty {
        let readiness = Readiness(rawValue: file.interest.rawValue)
        fileEvents.append(PollerEvent(token: file.token, readiness: readiness))
      }
    }

    private func control(
      _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
    ) throws(SystemError) {
      // Not EPOLLRDHUP: the peer's end is read as the end of input. A paused connection would get
      // that event in every turn.
      var event = epoll_event()
      if interest.contains(.readable) { event.events |= EPOLLIN.rawValue }
      if interest.contains(.writable) { event.events |= EPOLLOUT.rawValue }
      event.data.u64 = token
      _ = try systemCall("epoll_ctl") { epoll_ctl(epoll, operation, descriptor, &event) }
    }
  }
#endif
