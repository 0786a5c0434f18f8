import Shared
import Testing

@Suite struct InteractorTests {
  private let calls = CallLog()
  private let interactor: RecordingInteractor

  init() {
    interactor = RecordingInteractor("it", calls)
  }

  @Test func `it is inactive at birth`() {
    #expect(!interactor.isActive)
    #expect(calls.take() == [])
  }

  @Test func `up, it is active, then the stream says so, then it is told`() {
    _ = interactor.isActiveStream.subscribe { [calls, weak interactor] in
      calls.record("stream \($0) \(interactor?.isActive == true)")
    }
    interactor.activate()
    #expect(calls.take() == ["stream false false", "stream true true", "it up true"])
  }

  @Test func `down, it is told, then what is bound ends, then the stream says so`() {
    _ = interactor.isActiveStream.subscribe { [calls, weak interactor] in
      calls.record("stream \($0) \(interactor?.isActive == true)")
    }
    interactor.activate()
    Token(calls).disposeOnDeactivate(interactor: interactor)
    _ = calls.take()
    interactor.deactivate()
    #expect(calls.take() == ["it down true", "cancelled", "stream false false"])
  }

  @Test func `activating twice is once, deactivating too`() {
    interactor.activate()
    interactor.activate()
    interactor.deactivate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true"])
  }

  @Test func `what is bound to an inactive interactor ends at once`() {
    Token(calls).disposeOnDeactivate(interactor: interactor)
    #expect(calls.take() == ["cancelled"])
  }

  @Test func `what is bound while it resigns ends at once`() {
    interactor.onResignActive = { [calls, unowned interactor] in
      Token(calls).disposeOnDeactivate(interactor: interactor)
      calls.record("bound")
    }
    interactor.activate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true", "cancelled", "bound"])
  }

  @Test func `it can deactivate itself as it becomes active`() {
    interactor.onBecomeActive = { [unowned interactor] in interactor.deactivate() }
    interactor.activate()
    #expect(calls.take() == ["it up true", "it down true"])
    #expect(!interactor.isActive)
  }

  @Test func `deactivated by a listener before it was told, it is not told at all`() {
    _ = interactor.isActiveStream.filter { $0 }.subscribe { [unowned interactor] _ in
      interactor.deactivate()
    }
    interactor.activate()
    #expect(calls.take() == [])
    #expect(!interactor.isActive)
  }

  @Test func `woken again by a listener, it is told once and stays awake`() {
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

  @Test func `activating and deactivating while it resigns are nothing`() {
    interactor.onResignActive = { [unowned interactor] in
      interactor.activate()
      interactor.deactivate()
    }
    interactor.activate()
    interactor.deactivate()
    #expect(calls.take() == ["it up true", "it down true"])
    #expect(!interactor.isActive)
  }

  @Test func `an active interactor that goes resigns first`() {
    var other: RecordingInteractor? = RecordingInteractor("other", calls)
    var states: [Bool] = []
    _ = other?.isActiveStream.subscribe { states.append($0) }
    other?.activate()
    other = nil
    #expect(calls.take() == ["other up true", "other down true"])
    #expect(states == [false, true, false])
  }

  @Test func `a bound subscription may hold its interactor`() {
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
