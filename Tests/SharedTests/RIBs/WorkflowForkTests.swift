import Shared
import Testing

@Suite struct WorkflowForkTests {
  private let journal = Journal()

  @Test func `forks share the steps before them, and the end is told once`() {
    let workflow = NotingWorkflow(journal)
    let shared = workflow.noting("shared")
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
    let first = workflow.noting("first")
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
    let step = one.noting("one")
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
}
