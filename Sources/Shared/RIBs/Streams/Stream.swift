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
