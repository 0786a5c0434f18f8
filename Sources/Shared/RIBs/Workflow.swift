/// What a step of a workflow comes to: the item and the value for the next step, or an error. Only
/// the first element counts.
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
  /// What `subscribe` connects: the ends of the committed chains. Nothing in them refers to this
  /// workflow, so one that never runs is freed.
  private var chains: [(Workflow) -> Void] = []
  private var isSubscribed = false
  private var isComplete = false
  let running = CompositeCancellable()

  public init() {}

  /// Called once, when the last step of a committed chain is done for the first time.
  open func didComplete() {}

  /// Called when a step is forked into this workflow.
  open func didFork() {}

  /// Called when a step fails, once for each committed chain that it ends.
  open func didReceiveError(_ error: any Error) {}

  /// Begins the chain with a step on the item that `subscribe` is called with.
  public final func onStep<NextItem, NextValue>(
    _ onStep: @escaping (ActionableItemType) -> StepStream<NextItem, NextValue>
  ) -> Step<ActionableItemType, NextItem, NextValue> {
    Step(workflow: self, results: source.stream.map { .success(($0, ())) })
      .onStep { item, _ in onStep(item) }
  }

  /// Runs the committed chains, once. Returns a token that cancels all of them. The workflow stays
  /// alive until they are done or cancelled.
  ///
  /// A workflow that is not committed yet, or subscribed already, is a programmer error: a debug
  /// build stops, a release build does nothing and returns the same token.
  public final func subscribe(_ actionableItem: ActionableItemType) -> any Cancellable {
    guard !chains.isEmpty, !isSubscribed else {
      assertionFailure("A workflow has to be committed, then subscribed once.")
      return running
    }
    isSubscribed = true
    let chains = chains
    self.chains = []
    for connect in chains { connect(self) }
    source.send(actionableItem)
    return running
  }

  final func commit<Item, Value>(_ results: StepStream<Item, Value>) {
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
  /// Cancels this when the workflow is cancelled; at once where it is already.
  public func disposeWith<ActionableItem>(workflow: Workflow<ActionableItem>) {
    workflow.running.insert(self)
  }
}
