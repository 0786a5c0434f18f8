import RIBs
import Testing

@Suite struct InteractorTests {
  private let calls = CallLog()
  private let interactor: RecordingInteractor

  init() {
    interactor = RecordingInteractor("it", calls)
  }

  @Test func `a new interactor is inactive`() {
    #expect(!interactor.isActive)
    #expect(calls.take() == [])
  }

  @Test func `activation sets isActive, delivers, then calls didBecomeActive`() {
    _ = interactor.isActiveStream.subscribe { [calls, weak interactor] in
      calls.record("stream \($0) \(interactor?.isActive == true)")
    }
    interactor.activate()
    #expect(calls.take() == ["stream false false", "stream true true", "it up true"])
  }

  @Test func `deactivation calls willResignActive, cancels bound tokens, then delivers`() {
    _ = interactor.isActiveStream.subscribe { [calls, weak interactor] in
      calls.record("stream \($0) \(interactor?.isActive == true)")
    }
    interactor.activate()
    Token(calls).disposeOnDeactivate(interactor: interactor)
    _ = calls.take()
    interactor.deactivate()
    #expect(calls.take() == ["it down true", "cancelled", "stream false false"])
  }

  @Test func `a second activation does nothing, and neither does a second deactivation`() {
    interactor.activate()
    interactor.activate()
    interactor.deactivate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true"])
  }

  @Test func `a token bound to an inactive interactor is cancelled at once`() {
    Token(calls).disposeOnDeactivate(interactor: interactor)
    #expect(calls.take() == ["cancelled"])
  }

  @Test func `a token bound while it resigns is cancelled at once`() {
    interactor.onResignActive = { [calls, unowned interactor] in
      Token(calls).disposeOnDeactivate(interactor: interactor)
      calls.record("bound")
    }
    interactor.activate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true", "cancelled", "bound"])
  }

  @Test func `it can deactivate itself while it becomes active`() {
    interactor.onBecomeActive = { [unowned interactor] in interactor.deactivate() }
    interactor.activate()
    #expect(calls.take() == ["it up true", "it down true"])
    #expect(!interactor.isActive)
  }

  @Test func `deactivated by a subscriber, it does not get didBecomeActive`() {
    _ = interactor.isActiveStream.filter { $0 }.subscribe { [unowned interactor] _ in
      interactor.deactivate()
    }
    interactor.activate()
    #expect(calls.take() == [])
    #expect(!interactor.isActive)
  }

  @Test func `activated again by a subscriber, it becomes active once and stays so`() {
    var isFirst = true
    _ = interactor.isActiveStream.filter { $0 }.subscribe { [unowned interactor] _ in
      guard isFirst else { return }
      isFirst = false
      interactor.deactivate()
      interactor.activate()
    }
    interactor.activate()
    #expect(calls.take() == ["it up true"])
    #expect(interactor.isActive)
  }

  @Test func `activating or deactivating it while it resigns does nothing`() {
    interactor.onResignActive = { [unowned interactor] in
      interactor.activate()
      interactor.deactivate()
    }
    interactor.activate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true"])
    #expect(!interactor.isActive)
  }

  @Test func `an active interactor resigns before it is freed`() {
    var other: RecordingInteractor? = RecordingInteractor("other", calls)
    var states: [Bool] = []
    _ = other?.isActiveStream.subscribe { states.append($0) }
    other?.activate()
    other = nil
    #expect(calls.take() == ["other up true", "other down true"])
    #expect(states == [false, true, false])
  }

  @Test func `a bound subscription may retain its interactor`() {
    var other: RecordingInteractor? = RecordingInteractor()
    weak let gone = other
    let events = EventSource<Int>()
    if let other {
      other.activate()
      events.stream.subscribe { _ in _ = other.name }.disposeOnDeactivate(interactor: other)
    }
    other?.deactivate()
    other = nil
    #expect(gone == nil)
  }
}

private final class Token: Cancellable {
  private let calls: CallLog

  init(_ calls: CallLog) { self.calls = calls }

  func cancel() { calls.record("cancelled") }
}
