import Foundation
import RIBs
import Shared

/// The program that plays in browsers: it serves the page, and starts a process for each tab, which
/// has a tree.
final class WebProgram {
  private let loop: EventLoop
  private let options: ClientOptions
  private let tls: TLSContext?

  private init(_ options: ClientOptions, tls: TLSContext?, loop: EventLoop) {
    self.loop = loop
    self.options = options
    self.tls = tls
  }

  /// Serves browsers at an address until a signal ends the program.
  static func run(
    _ options: ClientOptions, at address: ServingAddress, tls: TLSContext?
  ) -> ExitCode {
    signal(SIGPIPE, SIG_IGN)
    do {
      return try WebProgram(options, tls: tls, loop: try EventLoop()).serve(at: address)
    } catch let report as ExitReport {
      report.sentence.map(StandardOutput.printError)
      return report.code
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }

  private func serve(at address: ServingAddress) throws -> ExitCode {
    // Here and in all tabs, which end with this program.
    SignalMask.block([SIGINT, SIGTERM])
    let tabs = try ChildProcesses(loop: loop) { [unowned self] in
      // If it fails, tabs only take more memory.
      try? rehearse()
    } body: { [unowned self] loop, connection in
      play(on: connection, loop: loop)
    }
    let server = WebServer(
      timers: loop, settings: options.webSettings(at: address), random: RandomSource()
    ) { try tabs.start() }
    let metrics = HTTPServer(timers: loop) { request in
      request.path == "/metrics"
        ? HTTPResponse(server.metrics, contentType: PrometheusText.contentType)
        : HTTPResponse(.notFound, sentence: "There is only /metrics.")
    }
    let listeners = try listen(at: address, "--web") { server.accept($0) }
    let others = try options.webMetrics.map { address in
      try listen(at: address, "--web-metrics") { metrics.accept($0) }
    }
    for listener in listeners {
      _ = StandardOutput.write("Open http://\(listener.address)/ in a browser.\n")
    }
    for listener in others ?? [] {
      _ = StandardOutput.write("Metrics are at http://\(listener.address)/metrics.\n")
    }
    let signals = try [SIGINT, SIGTERM].map { number throws(SystemError) in
      try SignalSource(loop: loop, signal: number) { [loop] in loop.stop() }
    }
    let notifier = ServiceNotifier(in: ProcessInfo.processInfo.environment)
    notifier?.send("READY=1")
    if let notifier { giveSignsOfLife(to: notifier) }
    try loop.run()
    notifier?.send("STOPPING=1")
    server.close()
    metrics.close()
    tabs.end()
    // Sends the last output.
    try loop.turn(wait: .zero)
    for signal in signals { signal.cancel() }
    return .ok
  }

  /// Without signs of life the service manager starts the program again, and the pages come back.
  private func giveSignsOfLife(to notifier: ServiceNotifier) {
    guard
      let interval = ServiceNotifier.watchdogInterval(in: ProcessInfo.processInfo.environment)
    else { return }
    loop.schedule(after: interval / 2) { [weak self] in
      notifier.send("WATCHDOG=1")
      self?.giveSignsOfLife(to: notifier)
    }
  }

  private func listen(
    at address: ServingAddress, _ option: String, accept: @escaping (any Connection) -> Void
  ) throws(ExitReport) -> [TCPListener] {
    let addresses: [SocketAddress]
    do throws(ResolveError) {
      addresses = try SocketAddress.resolve(host: address.host, port: address.port, passive: true)
    } catch {
      throw ExitReport(code: .noHost, sentence: "\(option): \(error).")
    }
    return try addresses.map { address throws(ExitReport) in
      do throws(SystemError) {
        return try TCPListener(loop: loop, address: address, accept: accept)
      } catch {
        throw ExitReport(
          code: .unavailable,
          sentence: "\(option) cannot listen on \(address): \(error). Choose another port.")
      }
    }
  }

  /// Opens the window of a tab, in its process.
  private func play(on connection: any Connection, loop: EventLoop) {
    let window = WebWindow(connection, timers: loop) { [unowned self] window, visit in
      component(for: window, visit, loop: loop)
    } didEnd: {
      loop.whenLastConnectionCloses { loop.stop() }
    }
    connection.retainDelegate(window)
  }

  private func rehearse() throws(SystemError) {
    let rehearsal = WebRehearsal()
    try rehearsal.play { page, port in
      WebWindow(page, timers: rehearsal.loop) { window, visit in
        self.component(for: window, visit, loop: rehearsal.loop, rehearsalPort: port)
      } didEnd: {
      }
    }
  }

  private func component(
    for window: WebWindow, _ visit: WebVisit, loop: EventLoop, rehearsalPort: UInt16? = nil
  ) -> AppComponent {
    var options = options
    if let rehearsalPort {
      (options.host, options.port, options.usesTLS) = ("::1", rehearsalPort, false)
    }
    options.isKiosk = true
    options.name = visit.kept?.name
    options.friendLine = "\(visit.origin)/join/CODE"
    let url = visit.url
    options.launchAction = url?.action
    if let choice = url?.choice { options.choice = choice }
    // The visitor's address, in the form in which sshd gives it.
    let environment = ["SSH_CONNECTION": "\(visit.address) 0 \(visit.address) 0"]
    return AppComponent(
      ClientContext(
        options: options, environment: environment, tls: rehearsalPort == nil ? tls : nil,
        tokens: window.tokens),
      loop: loop, viewFactory: ScreenViewFactory(screen: window.screen), connectTime: .atLogin,
      isAttended: true)
  }
}

extension WebVisit {
  /// What the path names, as a URL of the client does; `nil` if it names nothing.
  var url: ServerURL? { try? ServerURL("\(ServerURL.scheme)://visitor\(path)") }
}

extension ClientOptions {
  fileprivate func webSettings(at address: ServingAddress) -> WebSettings {
    var settings = WebSettings()
    if let maxTabs { settings.maxTabs = maxTabs }
    if let maxTabsOfAddress { settings.maxTabsOfAddress = maxTabsOfAddress }
    settings.names =
      (webNames + [address.host]).map { $0.lowercased() } + WebSettings.namesOfMachine
    settings.proxies = webProxies
    return settings
  }
}
