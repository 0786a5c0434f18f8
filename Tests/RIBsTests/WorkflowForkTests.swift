import RIBs
import Testing

@Suite struct WorkflowForkTests {
  private let calls = CallLog()

  @Test func `forks share the steps before them, and the workflow completes once`() {
    let workflow = RecordingWorkflow(calls)
    let shared = workflow.recording("shared")
    for name in ["one", "two"] {
      let fork: Step<String, Void, Void> = shared.asStream().fork(workflow)
      fork.onStep { [calls] _, _ in
        calls.record(name)
        return .step((), ())
      }.commit()
    }
    _ = workflow.subscribe("root")
    #expect(calls.take() == ["fork", "fork", "shared", "one", "complete", "two"])
  }

  @Test func `a fork made by a running step runs too`() {
    let workflow = RecordingWorkflow(calls)
    let first = workflow.recording("first")
    _ =
      first
      .onStep { [calls] _, _ -> StepStream<Void, Void> in
        calls.record("second")
        let fork: Step<String, Void, Void> = first.asStream().fork(workflow)
        fork.onStep { _, _ -> StepStream<Void, Void> in
          calls.record("forked")
          return .step((), ())
        }.commit()
        return .step((), ())
      }
      .commit()
      .subscribe("root")
    #expect(calls.take() == ["first", "second", "fork", "forked", "complete"])
  }

  @Test func `steps of one workflow lead into another that was subscribed before`() {
    let (one, other) = (RecordingWorkflow(calls), RecordingWorkflow(calls))
    let step = one.recording("one")
    step.commit()
    let fork: Step<String, Void, Void> = step.asStream().fork(other)
    fork.onStep { [calls] _, _ -> StepStream<Void, Void> in
      calls.record("other")
      return .step((), ())
    }.commit()
    _ = other.subscribe("unused")
    _ = one.subscribe("root")
    #expect(calls.take().sorted() == ["complete", "complete", "fork", "one", "other"])
  }
}
