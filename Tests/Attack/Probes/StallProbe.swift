import Foundation
import Shared
import TestSupport

/// Clients that meet a deadline while the server is stopped: the server must accept all of them.
final class StallProbe: Probe {
  /// What the clients must do within 2.5 s.
  enum Deadline: CaseIterable {
    case login, idle, turn, resume
  }

  /// How long the server is stopped.
  private static let stall = Duration.seconds(3)
  /// When the clients act, counted from the stop.
  private static let delay = Duration.milliseconds(500)
  /// Time for the server to see that the clients have begun.
  private static let preparation = Duration.milliseconds(200)
  private static let retryDelay = Duration.seconds(10)

  private let deadline: Deadline
  private let context: HonestContext
  private var clients: [StallClient] = []
  private var end: Duration?

  init(_ deadline: Deadline, context: HonestContext) {
    self.deadline = deadline
    self.context = context
    let count = deadline == .resume ? 500 : 3_000
    for number in 0..<count {
      clients.append(StallClient(deadline, number: number, context: context))
    }
  }

  static func arguments(for deadline: Deadline) -> [String] {
    switch deadline {
    case .login: ["--login-within", "2500ms"]
    case .idle: ["--idle", "2500ms"]
    case .turn: ["--turn", "2500ms"]
    case .resume: ["--resume-within", "2500ms"]
    }
  }

  var isReady: Bool { clients.allSatisfy(\.isReady) }

  func attackDidBegin() {
    for client in clients { client.prepare() }
    context.loop.schedule(after: Self.preparation) { [self] in stop(attempts: 10) }
  }

  /// Stops the server once all clients have begun, on a slow machine after some more attempts.
  private func stop(attempts: Int) {
    guard attempts == 0 || clients.allSatisfy(\.hasBegun) else {
      context.loop.schedule(after: Self.preparation / 2) { [self] in stop(attempts: attempts - 1) }
      return
    }
    context.server.send(SIGSTOP)
    end = context.loop.now + Self.stall + Self.retryDelay
    context.loop.schedule(after: Self.delay) { [self] in
      for client in clients { client.act() }
    }
    context.loop.schedule(after: Self.stall) { [self] in context.server.send(SIGCONT) }
  }

  var isDone: Bool {
    guard let end else { return false }
    return context.loop.now >= end || clients.allSatisfy { $0.result != .waiting }
  }

  var summary: String {
    "\(count(.accepted)) of \(clients.count) accepted\(reasons.isEmpty ? "" : ": \(reasons)")"
  }

  var failures: [String] {
    let refused = clients.count - count(.accepted)
    guard refused > 0 else { return [] }
    return ["\(refused) of \(clients.count) clients that acted in time were refused (\(reasons))"]
  }

  private func count(_ result: StallClient.Result) -> Int {
    clients.count { $0.result == result }
  }

  private var reasons: String {
    var counts: [String: Int] = [:]
    for client in clients {
      switch client.result {
      case .accepted: break
      case .waiting: counts["no answer", default: 0] += 1
      case .refused(let reason): counts[reason, default: 0] += 1
      }
    }
    return counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      .joined(separator: ", ")
  }
}

extension StallProbe.Deadline {
  /// What the clients do, for a person.
  var about: String {
    switch self {
    case .login: "3,000 connections log in"
    case .idle: "3,000 idle clients send a line"
    case .turn: "3,000 players move"
    case .resume: "500 players reconnect"
    }
  }
}
