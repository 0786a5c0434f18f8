import RIBs
import Testing

/// The rules that both kinds of source follow.
@Suite struct StreamRulesTests {
  /// A source of either kind, and what its subscribers get on subscribe.
  struct Source: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let present: [Int]
    let make: @Sendable () -> (send: (Int) -> Void, stream: Stream<Int>)

    static let both = [
      Source(testDescription: "CurrentValue", present: [0]) {
        let source = CurrentValue(0)
        return (source.send, source.stream)
      },
      Source(testDescription: "EventSource", present: []) {
        let source = EventSource<Int>()
        return (source.send, source.stream)
      },
    ]
  }

  @Test(arguments: Source.both)
  func `subscribers get each element in the order of subscription`(kind: Source) {
    let (send, stream) = kind.make()
    var got: [String] = []
    _ = stream.filter { $0 > 0 }.subscribe { got.append("a\($0)") }
    _ = stream.filter { $0 > 0 }.subscribe { got.append("b\($0)") }
    send(1)
    send(2)
    #expect(got == ["a1", "b1", "a2", "b2"])
  }

  @Test(arguments: Source.both)
  func `an element sent during a delivery is delivered after it`(
    kind: Source
  ) {
    let (send, stream) = kind.make()
    var got: [String] = []
    _ = stream.filter { $0 > 0 }.subscribe {
      got.append("a\($0)")
      if $0 == 1 {
        send(2)
        send(3)
        got.append("sent")
      }
    }
    _ = stream.filter { $0 > 0 }.subscribe { got.append("b\($0)") }
    send(1)
    #expect(got == ["a1", "sent", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test(arguments: Source.both)
  func `a new subscriber does not get the element in delivery`(
    kind: Source
  ) {
    let (send, stream) = kind.make()
    var events: [Int] = []
    var isFirst = true
    _ = stream.filter { $0 > 0 }.subscribe { _ in
      guard isFirst else { return }
      isFirst = false
      _ = stream.subscribe { events.append($0) }
    }
    send(1)
    // A current value delivers its value on subscribe, which is no event.
    #expect(events == kind.present.map { _ in 1 })
    send(2)
    #expect(events == kind.present.map { _ in 1 } + [2])
  }

  @Test(arguments: Source.both)
  func `a new subscriber gets what is sent later in the same delivery`(
    kind: Source
  ) {
    let (send, stream) = kind.make()
    var events: [Int] = []
    _ = stream.filter { $0 == 1 }.subscribe { _ in
      send(2)
      _ = stream.subscribe { events.append($0) }
      send(3)
    }
    send(1)
    #expect(events == kind.present.map { _ in 2 } + [3])
  }

  @Test(arguments: Source.both)
  func `a subscriber cancelled during a delivery does not get the element`(
    kind: Source
  ) {
    let (send, stream) = kind.make()
    var got: [Int] = []
    var victim: (any Cancellable)?
    _ = stream.filter { $0 > 0 }.subscribe { _ in victim?.cancel() }
    victim = stream.filter { $0 > 0 }.subscribe { got.append($0) }
    send(1)
    #expect(got == [])
  }

  @Test(arguments: Source.both)
  func `a subscriber that cancels itself gets nothing more`(kind: Source) {
    let (send, stream) = kind.make()
    var got: [Int] = []
    var token: (any Cancellable)?
    token = stream.filter { $0 > 0 }.subscribe {
      got.append($0)
      send($0 + 1)
      token?.cancel()
      token?.cancel()
    }
    send(1)
    send(5)
    #expect(got == [1])
  }

  @Test(arguments: Source.both)
  func `releasing a token does not cancel its subscription`(kind: Source) {
    let (send, stream) = kind.make()
    var got: [Int] = []
    do { _ = stream.subscribe { got.append($0) } }
    send(1)
    #expect(got == kind.present + [1])
  }

  @Test(arguments: Source.both)
  func `the objects that a subscription retains are freed when it is cancelled`(
    kind: Source
  ) {
    let (send, stream) = kind.make()
    weak var held: Held?
    let token = subscribe(stream, holding: &held)
    send(1)
    #expect(held != nil)
    token.cancel()
    #expect(held == nil)
  }

  @Test(arguments: Source.both)
  func `a freed source frees what its subscriptions retain`(
    kind: Source
  ) {
    weak var held: Held?
    var token: (any Cancellable)?
    do { token = subscribe(kind.make().stream, holding: &held) }
    #expect(held == nil)
    token?.cancel()
  }

  @Test(arguments: Source.both)
  func `an object freed with a subscription may cancel it again`(
    kind: Source
  ) {
    let (_, stream) = kind.make()
    weak var held: Held?
    let token = subscribe(stream, holding: &held)
    held?.token = token
    token.cancel()
    #expect(held == nil)
  }

  private func subscribe(_ stream: Stream<Int>, holding held: inout Held?) -> any Cancellable {
    let object = Held()
    held = object
    return stream.subscribe { _ in withExtendedLifetime(object) {} }
  }
}

/// Cancels its token when it is freed.
private final class Held {
  var token: (any Cancellable)?

  deinit { token?.cancel() }
}
