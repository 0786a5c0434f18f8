/// The read-only end of a `CurrentValue` or an `EventSource`: what a RIB hands to those who may
/// listen but not send. Everything is synchronous, on the caller's thread.
public struct Stream<Element> {
  private let connect: (@escaping (Element) -> Void) -> any Cancellable

  /// A stream that subscribes each of its listeners with `connect`.
  init(_ connect: @escaping (@escaping (Element) -> Void) -> any Cancellable) {
    self.connect = connect
  }

  /// A stream that delivers one element to each listener, on subscribe.
  public static func just(_ element: Element) -> Stream {
    Stream { receive in
      receive(element)
      return EmptyCancellable()
    }
  }

  /// Calls `receive` with each element from now on; a stream of a `CurrentValue` delivers the
  /// present one before it returns.
  public func subscribe(_ receive: @escaping (Element) -> Void) -> any Cancellable {
    connect(receive)
  }

  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Stream<Result> {
    Stream<Result> { receive in connect { receive(transform($0)) } }
  }

  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Stream {
    Stream { receive in connect { if isIncluded($0) { receive($0) } } }
  }

  /// What `transform` makes of each element, without those of which it makes nothing.
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Stream<Result> {
    Stream<Result> { receive in
      connect { element in
        if let result = transform(element) { receive(result) }
      }
    }
  }

  /// Delivers only while the scope is active. When the scope becomes active, the last element that
  /// came meanwhile or before is delivered again, as `confineTo(_:)` of RIBs-iOS does.
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

/// A value that is watched: delivers its present value on subscribe, then each that is sent.
///
/// Sending while sending, subscribing while delivering and cancelling while delivering are all
/// normal; see `Broadcast`.
public final class CurrentValue<Element> {
  /// The value sent last.
  public private(set) var value: Element
  /// There once somebody has subscribed.
  private var broadcast: Broadcast<Element>?

  public init(_ value: Element) {
    self.value = value
  }

  /// Takes over the value at once and delivers it to all subscribers, equal to the last or not.
  public func send(_ value: consuming Element) {
    // The old value goes only after the access has ended: whoever it was may ask for the new one.
    swap(&value, &self.value)
    broadcast?.send(self.value)
  }

  /// The read-only end. It keeps this value alive.
  public var stream: Stream<Element> {
    Stream { receive in
      let broadcast = self.broadcast ?? Broadcast()
      self.broadcast = broadcast
      let token = broadcast.subscribe(receive)
      receive(self.value)
      return token
    }
  }
}

/// A source of events: delivers each to those who have subscribed before it was sent.
///
/// Sending while sending, subscribing while delivering and cancelling while delivering are all
/// normal; see `Broadcast`.
public final class EventSource<Element> {
  private let broadcast = Broadcast<Element>()

  public init() {}

  public func send(_ element: Element) {
    broadcast.send(element)
  }

  /// The read-only end. It keeps this source alive.
  public var stream: Stream<Element> {
    Stream { receive in self.broadcast.subscribe(receive) }
  }
}
