import Shared

@testable import Client

/// The workflow, noting what it comes to.
final class NotingStartWorkflow: StartWorkflow {
  enum End: Equatable {
    case done
    case failed(FailedStart?)
  }

  private(set) var ends: [End] = []

  override func didComplete() { ends.append(.done) }
  override func didReceiveError(_ error: any Error) {
    ends.append(.failed(error as? FailedStart))
  }
}
