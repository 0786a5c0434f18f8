import Foundation
import Shared

/// The process group of this program: the programs that the shell has started as one job.
enum ProcessGroup {
  /// Stops the job as Ctrl-Z does, and returns when it continues. Without a shell that could
  /// continue it, the system does not stop it.
  static func stop() {
    // The other programs first, because this one would stop before it has signalled them.
    let handler = signal(SIGTSTP, SIG_IGN)
    // Otherwise Dispatch consumes the signal.
    SignalMask.unblock([SIGTSTP])
    kill(0, SIGTSTP)
    signal(SIGTSTP, SIG_DFL)
    // Sent to this thread, because Dispatch reads the signals that are sent to the process.
    pthread_kill(pthread_self(), SIGTSTP)
    signal(SIGTSTP, handler)
  }
}
