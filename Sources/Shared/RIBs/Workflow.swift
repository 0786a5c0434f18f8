/// The result of a step of a workflow: the item and the value for the next step, or an error. Only
/// the first element of the stream counts.
public typealias StepStream<ActionableItem, Value> = Stream<
  Result<(ActionableItem, Value), any Error>
>

/// The base class of workflows: a chain of steps down the RIB tree, such as a deep link.
///
/// ```swift
/// Workflow<any RootActionableItem>()
///   .onStep { root in root.waitForLogin() }
///   .onStep { offGame, name in offGame.start(against: name) }
///   .commit()
///   .subscribe(rootInteractor)
/// ```
/// Each step waits until its item's interactor is active. An error ends the chain.
open class Workflow<ActionableItemType> {
  private let source = EventSource<ActionableItemType>()
  /// The committed chains, which `subscribe` runs. They do not refer to this workflow, so that one
  /// that never runs is freed.
  private var chains: [(Workflow) -> Void] = []
  private var isSubscribed = false
  private var isComplete = false
  fileprivate let running = CompositeCancellable()

  public init() {}

  /// Called once, when the first of the committed chains is done.
  open func didComplete() {}

  /// Called when a step is forked into this workflow.
  open func didFork() {}

  /// Called when a step fails, once for each committed chain that it ends.
  open func didReceiveError(_ error: any Error) {}

  /// Adds the first step. It gets the item that `subscribe` is called with.
  public final func onStep<NextItem, NextValue>(
    _ onStep: @escaping (ActionableItemType) -> StepStream<NextItem, NextValue>
  ) -> Step<ActionableItemType, NextItem, NextValue> {
    Step(workflow: self, results: source.stream.map { .success(($0, ())) })
      .onStep { item, _ in onStep(item) }
  }

  /// Runs the committed chains, once. Returns a token that cancels all of them. The workflow stays
  /// alive until they are done or cancelled.
  ///
  /// It is a programmer error to subscribe a workflow before it is committed, or a second time: a
  /// debug build stops, a release build does nothing and returns the same token.
  public final func subscribe(_ actionableItem: ActionableItemType) -> any Cancellable {
    guard !chains.isEmpty, !isSubscribed else {
      assertionFailure("A workflow must be committed first and subscribed only once.")
      return running
    }
    isSubscribed = true
    let chains = chains
    self.chains = []
    for connect in chains { connect(self) }
    source.send(actionableItem)
    return running
  }

  fileprivate final func commit<Item, Value>(_ results: StepStream<Item, Value>) {
    let connect = { [running] (workflow: Workflow) in
      running.insert(
        results.first { result in
          switch result {
          case .success: workflow.completeOnce()
          case .failure(let error): workflow.didReceiveError(error)
          }
        })
    }
    // A step may fork, and commit, while the workflow runs.
    if isSubscribed { connect(self) } else { chains.append(connect) }
  }

  private func completeOnce() {
    guard !isComplete else { return }
    isComplete = true
    didComplete()
  }
}

extension Cancellable {
  /// Cancels this when the workflow is cancelled, or at once if it is cancelled already.
  public func disposeWith<ActionableItem>(workflow: Workflow<ActionableItem>) {
    workflow.running.insert(self)
  }
}

/// One step of a workflow. `commit` completes the chain.
public final class Step<WorkflowActionableItem, ActionableItem, Value> {
  private let workflow: Workflow<WorkflowActionableItem>
  private let results: StepStream<ActionableItem, Value>

  fileprivate init(
    workflow: Workflow<WorkflowActionableItem>, results: StepStream<ActionableItem, Value>
  ) {
    self.workflow = workflow
    self.results = results
  }

  /// Adds a step, which runs when this one is done and the interactor of its item is active.
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

  /// Calls `onError` when this step or one before it fails. The error is passed on down the chain.
  public func onError(_ onError: @escaping (any Error) -> Void) -> Step {
    then { result, deliver in
      if case .failure(let error) = result { onError(error) }
      deliver(result)
    }
  }

  /// Completes the chain with this step and adds it to the workflow.
  @discardableResult
  public func commit() -> Workflow<WorkflowActionableItem> {
    workflow.commit(results)
    return workflow
  }

  /// The result of this step, for `fork`.
  public func asStream() -> StepStream<ActionableItem, Value> { results }

  /// Makes a step that does its work once, even if several chains continue from it.
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
  /// Continues from this result with steps of a workflow, the same one or another. The chain runs
  /// when that workflow is subscribed.
  public func fork<WorkflowActionableItem, ActionableItem, Value>(
    _ workflow: Workflow<WorkflowActionableItem>
  ) -> Step<WorkflowActionableItem, ActionableItem, Value>
  where Element == Result<(ActionableItem, Value), any Error> {
    workflow.didFork()
    return Step(workflow: workflow, results: self)
  }

  /// The result of a step that succeeds at once.
  public static func step<ActionableItem, Value>(
    _ item: ActionableItem, _ value: Value
  ) -> Stream where Element == Result<(ActionableItem, Value), any Error> {
    .just(.success((item, value)))
  }

  /// The result of a step that fails at once.
  public static func failure<ActionableItem, Value>(_ error: any Error) -> Stream
  where Element == Result<(ActionableItem, Value), any Error> {
    .just(.failure(error))
  }
}
