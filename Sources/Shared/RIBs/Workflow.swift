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
  let running = CompositeCancellable()

  public init() {}

  /// Called when the last step of a committed chain is done.
  open func didComplete() {}

  /// Called when another workflow forks from a step into this one.
  open func didFork() {}

  /// Called once when a step of a committed chain fails.
  open func didReceiveError(_ error: any Error) {}

  /// Begins the chain with a step on the item that `subscribe` is called with.
  public final func onStep<NextItem, NextValue>(
    _ onStep: @escaping (ActionableItemType) -> StepStream<NextItem, NextValue>
  ) -> Step<ActionableItemType, NextItem, NextValue> {
    Step(workflow: self, results: source.stream.map { .success(($0, ())) })
      .onStep { item, _ in onStep(item) }
  }

  /// Runs the committed chains, once; the token cancels all of them. The workflow stays alive until
  /// they are done or cancelled.
  public final func subscribe(_ actionableItem: ActionableItemType) -> any Cancellable {
    precondition(!chains.isEmpty, "A workflow has to be committed once, then subscribed once.")
    let chains = chains
    self.chains = []
    for connect in chains { connect(self) }
    source.send(actionableItem)
    return running
  }

  final func commit<Item, Value>(_ results: StepStream<Item, Value>) {
    chains.append { [running] workflow in
      running.insert(
        results.first { result in
          switch result {
          case .success: workflow.didComplete()
          case .failure(let error): workflow.didReceiveError(error)
          }
        })
    }
  }
}
