import Foundation
import Shared

/// The programs that a shell has started as one job, this one among them.
enum ProcessGroup {
  /// Stops the job as Ctrl-Z does, and returns once it goes on. Where nobody could wake it again,
  /// as without a shell, the system does not stop it.
  static func stop() {
    // First the others: this one would stop half-way through.
    let handler = signal(SIGTSTP, SIG_IGN)
    // Dispatch takes this signal otherwise.
    SignalMask.unblock([SIGTSTP])
    kill(0, SIGTSTP)
    signal(SIGTSTP, SIG_DFL)
    // To this thread, as Dispatch reads what is sent to the process.
    pthread_kill(pthread_self(), SIGTSTP)
    signal(SIGTSTP, handler)
  }
}
