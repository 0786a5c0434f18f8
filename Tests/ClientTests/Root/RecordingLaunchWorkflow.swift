import RIBs
import Shared

@testable import Client

/// A launch workflow that records how it ends.
final class RecordingLaunchWorkflow: LaunchWorkflow {
  enum End: Equatable {
    case done
    case failed(StartFailure?)
  }

  private(set) var ends: [End] = []

  override func didComplete() { ends.append(.done) }
  override func didReceiveError(_ error: any Error) {
    ends.append(.failed(error as? StartFailure))
  }
}
