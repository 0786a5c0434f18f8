import Foundation
import RIBs
import Shared

/// The program that plays in browsers: it serves the page, and has a tree for each tab.
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
    _ options: ClientOptions, at address: WebAddress, tls: TLSContext?
  ) -> ExitCode {
    signal(SIGPIPE, SIG_IGN)
    do throws(SystemError) {
      return try WebProgram(options, tls: tls, loop: try EventLoop()).serve(at: address)
    } catch {
      StandardOutput.printError("The client cannot continue: \(error).")
      return .ioError
    }
  }

  private func serve(at address: WebAddress) throws(SystemError) -> ExitCode {
    let addresses: [SocketAddress]
    do throws(ResolveError) {
      addresses = try SocketAddress.resolve(host: address.host, port: address.port, passive: true)
    } catch {
      StandardOutput.printError("--web: \(error).")
      return .noHost
    }
    let server = WebServer(timers: loop, limits: options.webLimits, random: RandomSource()) {
      [unowned self] tab, visit in
      component(for: tab, visit)
    }
    var listeners: [TCPListener] = []
    for address in addresses {
      let listener = try TCPListener(loop: loop, address: address) { server.accept($0) }
      listeners.append(listener)
      _ = StandardOutput.write("Open http://\(listener.address)/ in a browser.\n")
    }
    SignalMask.block([SIGINT, SIGTERM])
    let signals = try [SIGINT, SIGTERM].map { number throws(SystemError) in
      try SignalSource(loop: loop, signal: number) { [loop] in loop.stop() }
    }
    try loop.run()
    server.close()
    // Sends the last output.
    try loop.turn(wait: .zero)
    for signal in signals { signal.cancel() }
    return .ok
  }

  private func component(for tab: WebTab, _ visit: WebVisit) -> AppComponent {
    var options = options
    options.isKiosk = true
    options.friendLine = "\(visit.origin)/join/CODE"
    let url = try? ServerURL("\(ServerURL.scheme)://visitor\(visit.path)")
    options.launchAction = url?.action
    if let choice = url?.choice { options.choice = choice }
    // The visitor's address, in the form in which sshd gives it.
    let environment = ["SSH_CONNECTION": "\(visit.address) 0 \(visit.address) 0"]
    return AppComponent(
      options, loop: loop, viewFactory: ScreenViewFactory(screen: tab.screen),
      connectTime: .atLogin, isAttended: true, filePassword: nil, tls: tls,
      environment: environment)
  }
}

extension ClientOptions {
  fileprivate var webLimits: WebServer.Limits {
    var limits = WebServer.Limits()
    if let maxTabs { limits.maxTabs = maxTabs }
    if let maxTabsOfAddress { limits.maxTabsOfAddress = maxTabsOfAddress }
    return limits
  }
}
