import RIBs
import Testing

@Suite struct WorkerTests {
  private let calls = CallLog()
  private let worker: RecordingWorker
  private let interactor = Interactor()

  init() {
    worker = RecordingWorker(calls)
  }

  @Test(arguments: [false, true], [false, true])
  func `it runs only while it is started and the interactor is active`(
    isStarted: Bool, isActive: Bool
  ) {
    for startsFirst in [true, false] {
      if isStarted, startsFirst { worker.start(interactor) }
      if isActive { interactor.activate() }
      if isStarted, !startsFirst { worker.start(interactor) }
      #expect(calls.take() == (isStarted && isActive ? ["start"] : []))
      #expect(worker.isStarted == isStarted)
      worker.stop()
      interactor.deactivate()
      #expect(calls.take() == (isStarted && isActive ? ["stop"] : []))
    }
  }

  @Test func `it follows its interactor until it is stopped`() {
    worker.start(interactor)
    interactor.activate()
    interactor.deactivate()
    #expect(worker.isStarted)
    interactor.activate()
    worker.stop()
    interactor.deactivate()
    interactor.activate()
    #expect(calls.take() == ["start", "stop", "start", "stop"])
  }

  @Test func `a second start does nothing, and neither does a second stop`() {
    interactor.activate()
    worker.start(interactor)
    worker.start(interactor)
    worker.stop()
    worker.stop()
    #expect(calls.take() == ["start", "stop"])
  }

  @Test func `its stream delivers whether it is started`() {
    var states: [Bool] = []
    _ = worker.isStartedStream.subscribe { states.append($0) }
    worker.start(interactor)
    worker.stop()
    #expect(states == [false, true, false])
  }

  @Test func `it may be stopped while it starts`() {
    interactor.activate()
    worker.onStart = { $0.stop() }
    worker.start(interactor)
    #expect(calls.take() == ["start", "stop"])
    #expect(!worker.isStarted)
    interactor.deactivate()
    interactor.activate()
    #expect(calls.take() == [])
  }

  @Test func `started again while it starts, it follows only the new interactor`() {
    let other = Interactor()
    interactor.activate()
    worker.onStart = {
      $0.onStart = { _ in }
      $0.stop()
      $0.start(other)
    }
    worker.start(interactor)
    other.activate()
    interactor.deactivate()
    #expect(calls.take() == ["start", "stop", "start"])
    other.deactivate()
    #expect(calls.take() == ["stop"])
  }

  @Test func `stopped by a subscriber, it does not run`() {
    interactor.activate()
    _ = worker.isStartedStream.filter { $0 }.subscribe { [unowned worker] _ in worker.stop() }
    worker.start(interactor)
    #expect(calls.take() == [])
    #expect(!worker.isStarted)
  }

  @Test func `it does not run if the interactor is deactivated while it activates`() {
    _ = interactor.isActiveStream.filter { $0 }.subscribe { [unowned interactor] _ in
      interactor.deactivate()
    }
    worker.start(interactor)
    interactor.activate()
    #expect(calls.take() == [])
  }

  @Test func `tokens bound to it are cancelled before didStop, or at once if it does not run`() {
    let events = EventSource<Int>()
    var got: [Int] = []
    let listen = { (worker: Worker) in
      _ = events.stream.subscribe { got.append($0) }.disposeOnStop(worker)
    }
    listen(worker)
    events.send(1)
    interactor.activate()
    worker.onStart = { listen($0) }
    worker.onStop = { events.send(3) }
    worker.start(interactor)
    events.send(2)
    worker.stop()
    #expect(got == [2])
  }

  @Test func `it stops running when its interactor is freed, and does not retain it`() {
    var other: Interactor? = Interactor()
    weak let gone = other
    if let other {
      other.activate()
      worker.start(other)
    }
    other = nil
    #expect(gone == nil)
    #expect(calls.take() == ["start", "stop"])
  }

  @Test func `a running worker stops when it is freed`() {
    interactor.activate()
    var other: RecordingWorker? = RecordingWorker(calls)
    weak let gone = other
    other?.start(interactor)
    other = nil
    #expect(gone == nil)
    #expect(calls.take() == ["start", "stop"])
  }
}

private final class RecordingWorker: Worker {
  private let calls: CallLog
  var onStart: (RecordingWorker) -> Void = { _ in }
  var onStop: () -> Void = {}

  init(_ calls: CallLog) { self.calls = calls }

  override func didStart(_ interactorScope: any InteractorScope) {
    calls.record("start")
    onStart(self)
  }

  override func didStop() {
    calls.record("stop")
    onStop()
  }
}
