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
    noting("a", in: workflow).commit()
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
    events.send(.failure(Failure()))
    #expect(journal.take() == ["a 1", "complete"])
  }

  @Test func `an error ends the chain, once`() {
    let workflow = NotingWorkflow(journal)
    let failing: Step<String, Void, Void> = noting("a", in: workflow)
      .onStep { _, _ in .failure(Failure()) }
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
    let token = noting("a", in: workflow)
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

  @Test func `forks share the steps before them, and the end is told once`() {
    let workflow = NotingWorkflow(journal)
    let shared = noting("shared", in: workflow)
    for name in ["one", "two"] {
      let fork: Step<String, Void, Void> = shared.asStream().fork(workflow)
      fork.onStep { [journal] _, _ in
        journal.note(name)
        return .step((), ())
      }.commit()
    }
    _ = workflow.subscribe("root")
    #expect(journal.take() == ["fork", "fork", "shared", "one", "complete", "two"])
  }

  @Test func `a fork made by a running step runs too`() {
    let workflow = NotingWorkflow(journal)
    let first = noting("first", in: workflow)
    _ =
      first
      .onStep { [journal] _, _ -> StepStream<Void, Void> in
        journal.note("second")
        let fork: Step<String, Void, Void> = first.asStream().fork(workflow)
        fork.onStep { _, _ -> StepStream<Void, Void> in
          journal.note("forked")
          return .step((), ())
        }.commit()
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(journal.take() == ["first", "second", "fork", "forked", "complete"])
  }

  @Test func `steps of one workflow lead into another that was subscribed before`() {
    let (one, other) = (NotingWorkflow(journal), NotingWorkflow(journal))
    let step = noting("one", in: one)
    step.commit()
    let fork: Step<String, Void, Void> = step.asStream().fork(other)
    fork.onStep { [journal] _, _ -> StepStream<Void, Void> in
      journal.note("other")
      return .step((), ())
    }.commit()
    _ = other.subscribe("unused")
    _ = one.subscribe("root")
    #expect(journal.take().sorted() == ["complete", "complete", "fork", "one", "other"])
  }

  @Test func `it is freed where it never ran, is done, failed, or was cancelled`() {
    for end in ["never", "done", "failed", "cancelled", "source gone"] {
      weak var gone: NotingWorkflow?
      do {
        let workflow = NotingWorkflow(journal)
        gone = workflow
        let interactor = Interactor()
        let step = noting("a", in: workflow)
          .onStep { _, _ -> StepStream<Interactor, Void> in
            end == "failed" ? .failure(Failure()) : .step(interactor, ())
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

  @Test func `to subscribe what was not committed, or twice, is a programmer error`() async {
    await #expect(processExitsWith: .failure) { _ = Workflow<String>().subscribe("root") }
    await #expect(processExitsWith: .failure) {
      let workflow = Workflow<String>()
      workflow.onStep { _ -> StepStream<Void, Void> in .step((), ()) }.commit()
      _ = workflow.subscribe("root")
      _ = workflow.subscribe("root")
    }
  }

  private func noting(
    _ name: String, in workflow: NotingWorkflow
  ) -> Step<String, Void, Void> {
    workflow.onStep { [journal] _ in
      journal.note(name)
      return .step((), ())
    }
  }
}

private struct Failure: Error {}

private final class NotingWorkflow: Workflow<String> {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  override func didComplete() { journal.note("complete") }
  override func didFork() { journal.note("fork") }
  override func didReceiveError(_ error: any Error) { journal.note("error") }
}
