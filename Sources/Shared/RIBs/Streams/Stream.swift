/// The read-only end of a `CurrentValue` or an `EventSource`, for code that may listen but not
/// send. Delivery is synchronous, on the sender's call stack.
public struct Stream<Element> {
  @usableFromInline let connect: (@escaping (Element) -> Void) -> any Cancellable

  /// Makes a stream that calls `connect` for each subscription.
  @inlinable
  init(_ connect: @escaping (@escaping (Element) -> Void) -> any Cancellable) {
    self.connect = connect
  }

  /// A stream that delivers one element to each subscriber, on subscribe.
  public static func just(_ element: Element) -> Stream {
    Stream { receive in
      receive(element)
      return EmptyCancellable()
    }
  }

  /// Calls `receive` with each element from now on. The stream of a `CurrentValue` delivers the
  /// current value before this returns.
  @inlinable
  public func subscribe(_ receive: @escaping (Element) -> Void) -> any Cancellable {
    connect(receive)
  }

  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Stream<Result> {
    Stream<Result> { receive in connect { receive(transform($0)) } }
  }

  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Stream {
    Stream { receive in connect { if isIncluded($0) { receive($0) } } }
  }

  /// The results of `transform` that are not `nil`.
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Stream<Result> {
    Stream<Result> { receive in
      connect { element in
        if let result = transform(element) { receive(result) }
      }
    }
  }

  /// Delivers only while the scope is active. Each time the scope becomes active, the latest
  /// element is delivered again, as by `confineTo(_:)` of RIBs-iOS.
  public func confineTo(_ scope: any InteractorScope) -> Stream {
    let isActive = scope.isActiveStream
    return Stream { [weak scope] receive in
      var last: Element?
      var isOpen = false
      let both = CompositeCancellable()
      both.insert(
        isActive.subscribe { active in
          let opens = active && !isOpen
          isOpen = active
          if opens, let last, scope?.isActive == true { receive(last) }
        })
      both.insert(
        connect { element in
          last = element
          if isOpen, scope?.isActive == true { receive(element) }
        })
      return both
    }
  }

  /// Calls `receive` with the first element and then cancels itself.
  func first(_ receive: @escaping (Element) -> Void) -> any Cancellable {
    let token = CompositeCancellable()
    var isDone = false
    token.insert(
      subscribe { element in
        guard !isDone else { return }
        isDone = true
        token.cancel()
        receive(element)
      })
    return token
  }
}

/// A value that can be observed: delivers the current value on subscribe, and then each new value.
///
/// During a delivery it is allowed to send, to subscribe and to cancel; see `Broadcast`.
public final class CurrentValue<Element> {
  @usableFromInline var latest: Element
  /// Allocated at the first subscription.
  @usableFromInline var broadcast: Broadcast<Element>?

  @inlinable
  public init(_ value: Element) {
    latest = value
  }

  /// The value that was sent last.
  @inlinable public var value: Element { latest }

  /// Sets the value and delivers it to all subscribers, even if it equals the last one.
  @inlinable
  public func send(_ value: consuming Element) {
    // Release the old value only after the access has ended: its deinit may read the new one.
    swap(&value, &latest)
    broadcast?.send(latest)
  }

  /// The read-only end. It keeps this value alive.
  @inlinable public var stream: Stream<Element> {
    Stream { receive in
      let broadcast = self.broadcast ?? Broadcast()
      self.broadcast = broadcast
      let token = broadcast.subscribe(receive)
      receive(self.latest)
      return token
    }
  }
}

/// A source of events: delivers each event to all that subscribed before it was sent.
///
/// During a delivery it is allowed to send, to subscribe and to cancel; see `Broadcast`.
public final class EventSource<Element> {
  @usableFromInline let broadcast = Broadcast<Element>()

  @inlinable public init() {}

  @inlinable
  public func send(_ element: Element) {
    broadcast.send(element)
  }

  /// The read-only end. It keeps this source alive.
  @inlinable public var stream: Stream<Element> {
    Stream { receive in self.broadcast.subscribe(receive) }
  }
}
