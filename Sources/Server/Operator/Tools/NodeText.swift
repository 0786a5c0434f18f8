import Foundation
import Shared

/// The replies of several nodes as text for people.
enum NodeText {
  private struct Head: Decodable {
    let type: String
    let at: String?
    let message: String?
    /// The number of items that follow, in a list.
    let count: Int?
  }

  private static func head(_ line: String) throws -> Head {
    try AdminTool.reply(Head.self, line)
  }

  /// Returns what each node has replied: a sentence on one line, and anything else below the name
  /// of the node.
  static func all(_ lines: ArraySlice<String>) throws -> String {
    var text = ""
    var rest = lines
    while let first = rest.popFirst() {
      let head = try head(first)
      var reply = [first]
      for _ in 0..<(head.count ?? 0) { if let item = rest.popFirst() { reply.append(item) } }
      let node = (head.at ?? "").printable
      switch head.type {
      case "done", "error", "missing":
        text += "\(node): \(AdminTool.inShell((head.message ?? head.type).printable))\n"
      default:
        let separator = text.isEmpty ? "" : "\n"
        text += "\(separator)\(node):\n\(try AdminText.text(reply))"
      }
    }
    return text
  }

  /// Returns a table of the nodes, and one of the replicas.
  static func cluster(_ first: String, _ lines: ArraySlice<String>) throws -> String {
    var nodes = [
      [
        "NODE", "ADDRESS", "LIFE", "STATE", "VERSION", "UPTIME", "PLAYERS", "MATCHES", "ENGINE",
        "CLOCK",
      ]
    ]
    var replicas = [["REPLICA", "STATE", "BEHIND", "LAST REPLY"]]
    var notes = ""
    for line in lines {
      let head = try head(line)
      switch head.type {
      case "status":
        let node = try AdminTool.reply(Node.self, line)
        nodes.append(node.row)
        if let problem = node.problem { notes += "\(node.at.printable): \(problem.printable)\n" }
      case "replica":
        replicas.append(try AdminTool.reply(Replica.self, line).row)
      default:
        nodes.append([head.at ?? "", "", "", "does not answer"])
        if let message = head.message, head.type == "error" {
          notes += "\((head.at ?? "").printable): \(message.printable)\n"
        }
      }
    }
    nodes = nodes.map { $0 + Array(repeating: "", count: nodes[0].count - $0.count) }
    let engine = try AdminTool.reply(Engine.self, first)
    return AdminText.text(of: nodes) + notes + "\n" + engine.text
      + (replicas.count > 1 ? AdminText.text(of: replicas) : "")
  }

  private struct Node: Decodable {
    let at: String
    let advertise: String?
    let incarnation: Int?
    let version: String
    let uptime: Int
    let sessions: Int
    let matches: Int
    let draining: Bool
    let problem: String?
    let engineTime: Int?
    let skew: Int?

    var row: [String] {
      let state = draining ? "draining" : problem == nil ? "serving" : "not ready"
      let engine = engineTime.map { $0 == 0 ? "<1 ms" : "\($0) ms" }
      return [
        at, advertise ?? "", incarnation.map(String.init) ?? "", state, version,
        AdminText.span(uptime), Count.text(sessions), Count.text(matches), engine ?? "away",
        skew.map { "\($0 > 0 ? "+" : "")\($0) ms" } ?? "",
      ]
    }
  }

  private struct Replica: Decodable {
    let address: String
    let state: String
    let behind: Int
    let lag: Int

    var row: [String] {
      [address, state, "\(Count.text(behind)) bytes", "\(AdminText.span(lag)) ago"]
    }
  }

  private struct Engine: Decodable {
    let engine: Bool
    let used: Int?
    let limit: Int?

    var text: String {
      guard engine, let used, let limit else { return "The engine does not answer.\n" }
      let mebibytes = Count.text(used / 1_048_576)
      return "The engine uses \(mebibytes) MiB"
        + (limit > 0
          ? " of \(Count.text(limit / 1_048_576)) (\(used * 100 / limit) %).\n" : ".\n")
    }
  }
}
