import RIBs
import Testing

@Suite struct StreamTests {
  @Test func `a current value delivers its value, then each value that is sent`() {
    let value = CurrentValue("a")
    var got: [String] = []
    let token = value.stream.subscribe { got.append($0) }
    value.send("b")
    value.send("b")
    token.cancel()
    value.send("c")
    #expect(got == ["a", "b", "b"])
    #expect(value.value == "c")
  }

  @Test func `a current value has changed before it delivers`() {
    let value = CurrentValue(0)
    var seen: [Int] = []
    _ = value.stream.subscribe { _ in seen.append(value.value) }
    value.send(1)
    #expect(seen == [0, 1])
  }

  @Test func `a value that is freed may read the next value`() {
    let value = CurrentValue<Farewell?>(Farewell())
    var seen: [Bool] = []
    value.value?.onEnd = { [unowned value] in seen.append(value.value == nil) }
    value.send(nil)
    #expect(seen == [true])
  }

  @Test func `an event source delivers nothing on subscribe`() {
    var got: [Int] = []
    let events = EventSource<Int>()
    events.send(1)
    _ = events.stream.subscribe { got.append($0) }
    #expect(got == [])
  }

  @Test func `just delivers its element to each subscriber`() {
    var got: [Int] = []
    let stream = Stream.just(7)
    _ = stream.subscribe { got.append($0) }
    stream.subscribe { got.append($0) }.cancel()
    #expect(got == [7, 7])
  }

  @Test func `map and filter can be cancelled`() {
    let value = CurrentValue(1)
    var got: [String] = []
    let token = value.stream.filter { $0 % 2 == 1 }.map { "\($0)" }.subscribe { got.append($0) }
    for number in 2...5 { value.send(number) }
    token.cancel()
    value.send(7)
    #expect(got == ["1", "3", "5"])
  }

  @Test func `compact map leaves nil out`() {
    let value = CurrentValue("a")
    var got: [Int] = []
    let token = value.stream.compactMap { Int($0) }.subscribe { got.append($0) }
    for text in ["1", "b", "2"] { value.send(text) }
    token.cancel()
    value.send("3")
    #expect(got == [1, 2])
  }

  @Test func `a stream retains its source`() {
    weak var source: CurrentValue<Int>?
    var stream: Stream<Int>?
    do {
      let value = CurrentValue(3)
      (source, stream) = (value, value.stream)
    }
    #expect(source != nil)
    stream = nil
    #expect(source == nil)
    #expect(stream == nil)
  }

  @Test func `a confined stream delivers only while the scope is active`() {
    let interactor = Interactor()
    let events = EventSource<Int>()
    var got: [Int] = []
    let token = events.stream.confineTo(interactor).subscribe { got.append($0) }
    events.send(1)
    #expect(got == [])
    interactor.activate()
    #expect(got == [1])
    events.send(2)
    interactor.deactivate()
    events.send(3)
    events.send(4)
    #expect(got == [1, 2])
    interactor.activate()
    #expect(got == [1, 2, 4])
    token.cancel()
    events.send(5)
    #expect(got == [1, 2, 4])
  }

  @Test func `a confined stream repeats its last element at each activation`() {
    let interactor = Interactor()
    var got: [Int] = []
    interactor.activate()
    _ = CurrentValue(9).stream.confineTo(interactor).subscribe { got.append($0) }
    interactor.deactivate()
    interactor.activate()
    #expect(got == [9, 9])
  }

  @Test func `a confined stream delivers nothing if the scope is deactivated while it activates`() {
    let interactor = Interactor()
    var got: [Int] = []
    _ = interactor.isActiveStream.filter { $0 }.subscribe { [unowned interactor] _ in
      interactor.deactivate()
    }
    _ = Stream.just(1).confineTo(interactor).subscribe { got.append($0) }
    interactor.activate()
    #expect(got == [])
  }

  @Test func `a confined stream does not retain the scope`() {
    weak var scope: Interactor?
    let events = EventSource<Int>()
    do {
      let interactor = Interactor()
      scope = interactor
      _ = events.stream.confineTo(interactor).subscribe { _ in }
    }
    #expect(scope == nil)
    events.send(1)
  }

  @Test func `composed tokens are cancelled together, and a late one at once`() {
    let events = EventSource<Int>()
    var got: [Int] = []
    let all = CompositeCancellable()
    all.insert(events.stream.subscribe { got.append($0) })
    all.insert(events.stream.subscribe { got.append($0) })
    all.cancel()
    all.cancel()
    all.insert(events.stream.subscribe { got.append($0) })
    events.send(1)
    #expect(got == [])
  }
}

private final class Farewell {
  var onEnd: () -> Void = {}

  deinit { onEnd() }
}
