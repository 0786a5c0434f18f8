#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that this one has started.
package final class ChildProcess {
  /// How long the process may run after the connection has closed.
  static let exitTimeout = Duration.seconds(15)

  /// The connection to the process. It ends with the process.
  package let connection: any Connection
  fileprivate let id: pid_t
  fileprivate var limit: LoopTimer?
  /// Whether its number still is its own.
  fileprivate var isRunning = true

  fileprivate init(_ id: pid_t, _ connection: any Connection) {
    (self.id, self.connection) = (id, connection)
  }

  /// Ends the process at once, whatever it does.
  package func kill() {
    if isRunning { send(SIGKILL, to: id) }
  }
}

/// Starts processes that do one and the same thing. Each is a copy of a `TemplateProcess`.
package final class ChildProcesses {
  private unowned let loop: EventLoop
  private let makeTemplate: () throws(SystemError) -> TemplateProcess
  /// `nil` after it has failed.
  private var template: TemplateProcess?
  private var running: [pid_t: ChildProcess] = [:]
  private var signals: SignalSource?

  /// `prepare` runs once, before there is a process: what it leaves in memory, all of them share.
  /// In each process, `body` is called with a loop of its own and a connection to this process.
  /// Then the loop runs, and the process ends when it stops.
  ///
  /// This process must have no other thread, which might hold a lock.
  ///
  /// - Throws: if the system has no descriptor or no room for a process.
  package init(
    loop: EventLoop, prepare: @escaping () -> Void,
    body: @escaping (EventLoop, any Connection) -> Void
  ) throws(SystemError) {
    self.loop = loop
    makeTemplate = { () throws(SystemError) in try TemplateProcess(prepare: prepare, body: body) }
    SignalMask.block([SIGCHLD])
    template = try makeTemplate()
    signals = try SignalSource(loop: loop, signal: SIGCHLD) { [unowned self] in reap(WNOHANG) }
  }

  /// - Throws: if the system has no descriptor or no room for it.
  package func start() throws(SystemError) -> ChildProcess {
    let (near, far) = try Socket.pair()
    let id: pid_t
    do throws(SystemError) {
      let template = if let template { template } else { try makeTemplate() }
      self.template = template
      id = try template.copy(with: far)
    } catch {
      near.close()
      far.close()
      if error.code != EAGAIN { endTemplate() }
      throw error
    }
    far.close()
    // If this throws, the process ends, because its connection does.
    let connection = try TCPConnection(loop: loop, socket: near, peer: .local, isTCP: false)
    let process = ChildProcess(id, connection)
    running[id] = process
    connection.onClose = { [weak self, weak process] in
      guard let self, let process, process.isRunning else { return }
      process.limit = loop.schedule(after: ChildProcess.exitTimeout) { process.kill() }
    }
    return process
  }

  private func endTemplate() {
    template?.end()
    template = nil
  }

  /// Takes note of processes that have ended.
  private func reap(_ options: Int32) {
    while case let id = waitpid(-1, nil, options), id > 0 {
      if id == template?.id { template = nil }
      let process = running.removeValue(forKey: id)
      process?.isRunning = false
      process?.limit?.cancel()
    }
  }

  /// Ends all processes, and waits until they have ended.
  package func end() {
    signals?.cancel()
    endTemplate()
    for process in running.values { process.kill() }
    reap(0)
  }
}

// Inside a class its own methods hide the system functions of the same names.
private func send(_ signal: Int32, to process: pid_t) { kill(process, signal) }
