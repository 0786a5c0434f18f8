import Shared
import Testing

@Suite struct WorkflowTests {
  private let journal = Journal()

  @Test func `steps run in order, each with the item and the value of the one before`() {
    let workflow = NotingWorkflow(journal)
    _ =
      workflow
      .onStep { [journal] root in
        journal.note(root)
        return .step("first", 1)
      }
      .onStep { [journal] item, value in
        journal.note("\(item) \(value)")
        return .step("second", 2)
      }
      .commit()
      .subscribe("root")
    #expect(journal.take() == ["root", "first 1", "complete"])
  }

  @Test func `nothing runs before it is subscribed`() {
    let workflow = NotingWorkflow(journal)
    workflow.noting("a").commit()
    #expect(journal.take() == [])
    _ = workflow.subscribe("root")
    #expect(journal.take() == ["a", "complete"])
  }

  @Test func `a step waits until its item is active, and runs once`() {
    let workflow = NotingWorkflow(journal)
    let interactor = Interactor()
    _ =
      workflow
      .onStep { _ in .step(interactor, ()) }
      .onStep { [journal] _, _ in
        journal.note("active \(interactor.isActive)")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(journal.take() == [])
    interactor.activate()
    #expect(journal.take() == ["active true", "complete"])
    interactor.deactivate()
    interactor.activate()
    #expect(journal.take() == [])
  }

  @Test func `a step waits for its stream, of which only the first element counts`() {
    let workflow = NotingWorkflow(journal)
    let events = EventSource<Result<(String, Int), any Error>>()
    _ =
      workflow
      .onStep { _ in events.stream }
      .onStep { [journal] item, value in
        journal.note("\(item) \(value)")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.send(.success(("a", 1)))
    events.send(.success(("b", 2)))
    events.send(.failure(WorkflowFailure()))
    #expect(journal.take() == ["a 1", "complete"])
  }

  @Test func `an error ends the chain, once`() {
    let workflow = NotingWorkflow(journal)
    let failing: Step<String, Void, Void> = workflow.noting("a")
      .onStep { _, _ in .failure(WorkflowFailure()) }
    _ =
      failing
      .onError { [journal] _ in journal.note("on error") }
      .onStep { [journal] _, _ in
        journal.note("never")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(journal.take() == ["a", "on error", "error"])
  }

  @Test func `cancelled half way, it goes no further`() {
    let workflow = NotingWorkflow(journal)
    let interactor = Interactor()
    let events = EventSource<Int>()
    let token = workflow.noting("a")
      .onStep { _, _ in .step(interactor, ()) }
      .onStep { [journal] _, _ in
        journal.note("never")
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.stream.subscribe { [journal] _ in journal.note("never") }
      .disposeWith(workflow: workflow)
    token.cancel()
    interactor.activate()
    events.send(1)
    #expect(journal.take() == ["a"])
  }

  @Test func `cancelled by one of its own steps, it does not complete`() {
    let workflow = NotingWorkflow(journal)
    let events = EventSource<Void>()
    var token: (any Cancellable)?
    token =
      workflow
      .onStep { _ in events.stream.map { .success(((), ())) } }
      .onStep { [journal] _, _ -> StepStream<Void, Void> in
        journal.note("cancel")
        token?.cancel()
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    events.send(())
    #expect(journal.take() == ["cancel"])
  }

  @Test func `it is freed where it never ran, is done, failed, or was cancelled`() {
    for end in ["never", "done", "failed", "cancelled", "source gone"] {
      weak var gone: NotingWorkflow?
      do {
        let workflow = NotingWorkflow(journal)
        gone = workflow
        let interactor = Interactor()
        let step = workflow.noting("a")
          .onStep { _, _ -> StepStream<Interactor, Void> in
            end == "failed" ? .failure(WorkflowFailure()) : .step(interactor, ())
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
    @Test func `to subscribe what was not committed, or twice, is a programmer error`() async {
      await #expect(processExitsWith: .failure) { _ = Workflow<String>().subscribe("root") }
      await #expect(processExitsWith: .failure) {
        let workflow = Workflow<String>()
        workflow.onStep { _ -> StepStream<Void, Void> in .step((), ()) }.commit()
        _ = workflow.subscribe("root")
        _ = workflow.subscribe("root")
      }
    }
  #else
    @Test func `a second subscribe does nothing but return the token of the first`() {
      let workflow = NotingWorkflow(journal)
      let interactor = Interactor()
      workflow.noting("a")
        .onStep { _, _ in .step(interactor, ()) }
        .onStep { [journal] _, _ in
          journal.note("never")
          return .step((), ())
        }
        .commit()
      _ = workflow.subscribe("root")
      workflow.subscribe("root").cancel()
      interactor.activate()
      #expect(journal.take() == ["a"])
    }

    @Test func `to subscribe what was not committed does nothing`() {
      NotingWorkflow(journal).subscribe("root").cancel()
      #expect(journal.take() == [])
    }
  #endif
}
