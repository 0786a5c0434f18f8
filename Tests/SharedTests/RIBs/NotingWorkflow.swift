import Shared

/// A workflow that notes what it comes to.
final class NotingWorkflow: Workflow<String> {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  override func didComplete() { journal.note("complete") }
  override func didFork() { journal.note("fork") }
  override func didReceiveError(_ error: any Error) { journal.note("error") }

  /// A first step that notes its name.
  func noting(_ name: String) -> Step<String, Void, Void> {
    onStep { [journal] _ in
      journal.note(name)
      return .step((), ())
    }
  }
}

struct WorkflowFailure: Error {}
