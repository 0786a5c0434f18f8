import RIBs
import Testing

@Suite struct WorkflowTests {
  private let calls = CallLog()

  @Test func `steps run in order, each with the item and the value of the step before`() {
    let workflow = RecordingWorkflow(calls)
    _ =
      workflow
      .onStep { [calls] root in
        calls.record(root)
        return .step("first", 1)
      }
      .onStep { [calls] item, value in
        calls.record("\(item) \(value)")
        return .step("second", 2)
      }
      .commit()
      .subscribe("root")
    #expect(calls.take() == ["root", "first 1", "complete"])
  }

  @Test func `nothing runs before it is subscribed`() {
    let workflow = RecordingWorkflow(calls)
    workflow.recording("a").commit()
    #expect(calls.take() == [])
    _ = workflow.subscribe("root")
    #expect(calls.take() == ["a", "complete"])
  }

  @Test func `a step waits until its item is active, and runs once`() {
    let workflow = RecordingWorkflow(calls)
    let interactor = Interactor()
    _ =
      workflow
      .onStep { _ in .step(interactor, ()) }
      .onStep { [calls] _, _ in
        calls.record("active \(interactor.isActive)")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(calls.take() == [])
    interactor.activate()
    #expect(calls.take() == ["active true", "complete"])
    interactor.deactivate()
    interactor.activate()
    #expect(calls.take() == [])
  }

  @Test func `a step waits for its stream, of which only the first element counts`() {
    let workflow = RecordingWorkflow(calls)
    let events = EventSource<Result<(String, Int), any Error>>()
    _ =
      workflow
      .onStep { _ in events.stream }
      .onStep { [calls] item, value in
        calls.record("\(item) \(value)")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.send(.success(("a", 1)))
    events.send(.success(("b", 2)))
    events.send(.failure(WorkflowError()))
    #expect(calls.take() == ["a 1", "complete"])
  }

  @Test func `an error ends the chain once`() {
    let workflow = RecordingWorkflow(calls)
    let failing: Step<String, Void, Void> = workflow.recording("a")
      .onStep { _, _ in .failure(WorkflowError()) }
    _ =
      failing
      .onError { [calls] _ in calls.record("on error") }
      .onStep { [calls] _, _ in
        calls.record("never")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(calls.take() == ["a", "on error", "error"])
  }

  @Test func `a workflow that is cancelled halfway stops there`() {
    let workflow = RecordingWorkflow(calls)
    let interactor = Interactor()
    let events = EventSource<Int>()
    let token = workflow.recording("a")
      .onStep { _, _ in .step(interactor, ()) }
      .onStep { [calls] _, _ in
        calls.record("never")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.stream.subscribe { [calls] _ in calls.record("never") }
      .disposeWith(workflow: workflow)
    token.cancel()
    interactor.activate()
    events.send(1)
    #expect(calls.take() == ["a"])
  }

  @Test func `a workflow that is cancelled by its own step does not complete`() {
    let workflow = RecordingWorkflow(calls)
    let events = EventSource<Void>()
    var token: (any Cancellable)?
    token =
      workflow
      .onStep { _ in events.stream.map { .success(((), ())) } }
      .onStep { [calls] _, _ -> StepStream<Void, Void> in
        calls.record("cancel")
        token?.cancel()
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.send(())
    #expect(calls.take() == ["cancel"])
  }

  @Test func `a workflow is freed if it never ran, is done, failed or was cancelled`() {
    for end in ["never", "done", "failed", "cancelled", "source gone"] {
      weak var gone: RecordingWorkflow?
      do {
        let workflow = RecordingWorkflow(calls)
        gone = workflow
        let interactor = Interactor()
        let step = workflow.recording("a")
          .onStep { _, _ -> StepStream<Interactor, Void> in
            end == "failed" ? .failure(WorkflowError()) : .step(interactor, ())
          }
          .onStep { _, _ -> StepStream<Void, Void> in
            end == "source gone" ? EventSource().stream : .step((), ())
          }
        step.commit()
        guard end != "never" else { continue }
        let token = workflow.subscribe("root")
        if end == "cancelled" { token.cancel() } else { interactor.activate() }
      }
      #expect(gone == nil, "\(end)")
    }
  }

  #if DEBUG
    @Test func `subscribing before the commit, or twice, is a programmer error`() async {
      await #expect(processExitsWith: .failure) { _ = Workflow<String>().subscribe("root") }
      await #expect(processExitsWith: .failure) {
        let workflow = Workflow<String>()
        workflow.onStep { _ -> StepStream<Void, Void> in .step((), ()) }.commit()
        _ = workflow.subscribe("root")
        _ = workflow.subscribe("root")
      }
    }
  #else
    @Test func `a second subscribe only returns the token of the first`() {
      let workflow = RecordingWorkflow(calls)
      let interactor = Interactor()
      workflow.recording("a")
        .onStep { _, _ in .step(interactor, ()) }
        .onStep { [calls] _, _ in
          calls.record("never")
          return .step((), ())
        }
        .commit()
      _ = workflow.subscribe("root")
      workflow.subscribe("root").cancel()
      interactor.activate()
      #expect(calls.take() == ["a"])
    }

    @Test func `subscribing before the commit does nothing`() {
      RecordingWorkflow(calls).subscribe("root").cancel()
      #expect(calls.take() == [])
    }
  #endif
}
