/// One step of a workflow; `commit` makes a chain of them runnable.
public final class Step<WorkflowActionableItem, ActionableItem, Value> {
  private let workflow: Workflow<WorkflowActionableItem>
  private let results: StepStream<ActionableItem, Value>

  init(
    workflow: Workflow<WorkflowActionableItem>, results: StepStream<ActionableItem, Value>
  ) {
    self.workflow = workflow
    self.results = results
  }

  /// Adds a step, which runs once this one is done and the item's interactor is active.
  public func onStep<NextItem, NextValue>(
    _ onStep: @escaping (ActionableItem, Value) -> StepStream<NextItem, NextValue>
  ) -> Step<WorkflowActionableItem, NextItem, NextValue> {
    let running = workflow.running
    return then { result, deliver in
      switch result {
      case .failure(let error):
        deliver(.failure(error))
      case .success(let (item, value)):
        running.insert(
          Self.activity(of: item).filter { $0 }.first { _ in
            running.insert(onStep(item, value).first(deliver))
          })
      }
    }
  }

  /// Calls `onError` when this step or one before it fails; the error goes on down the chain.
  public func onError(_ onError: @escaping (any Error) -> Void) -> Step {
    then { result, deliver in
      if case .failure(let error) = result { onError(error) }
      deliver(result)
    }
  }

  /// Ends the chain here.
  @discardableResult
  public func commit() -> Workflow<WorkflowActionableItem> {
    workflow.commit(results)
    return workflow
  }

  /// What this step comes to, for a `fork`.
  public func asStream() -> StepStream<ActionableItem, Value> { results }

  /// A step whose work is done once, however many chains go on from it.
  private func then<NextItem, NextValue>(
    _ work:
      @escaping (
        Result<(ActionableItem, Value), any Error>,
        @escaping (Result<(NextItem, NextValue), any Error>) -> Void
      ) -> Void
  ) -> Step<WorkflowActionableItem, NextItem, NextValue> {
    let output = CurrentValue<Result<(NextItem, NextValue), any Error>?>(nil)
    var isConnected = false
    return Step<WorkflowActionableItem, NextItem, NextValue>(
      workflow: workflow,
      results: Stream { [running = workflow.running, results] receive in
        let token = output.stream.subscribe { if let result = $0 { receive(result) } }
        if !isConnected {
          isConnected = true
          running.insert(results.first { work($0, output.send) })
        }
        return token
      })
  }

  private static func activity(of item: ActionableItem) -> Stream<Bool> {
    (item as? any InteractorScope)?.isActiveStream ?? .just(true)
  }
}

extension Stream {
  /// Goes on from here with steps of a workflow, the same or another. The chain runs once that
  /// workflow is subscribed.
  public func fork<WorkflowActionableItem, ActionableItem, Value>(
    _ workflow: Workflow<WorkflowActionableItem>
  ) -> Step<WorkflowActionableItem, ActionableItem, Value>
  where Element == Result<(ActionableItem, Value), any Error> {
    workflow.didFork()
    return Step(workflow: workflow, results: self)
  }

  /// A step that is done at once.
  public static func step<ActionableItem, Value>(
    _ item: ActionableItem, _ value: Value
  ) -> Stream where Element == Result<(ActionableItem, Value), any Error> {
    .just(.success((item, value)))
  }

  /// A step that fails at once.
  public static func failure<ActionableItem, Value>(_ error: any Error) -> Stream
  where Element == Result<(ActionableItem, Value), any Error> {
    .just(.failure(error))
  }
}
