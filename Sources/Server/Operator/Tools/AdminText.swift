import Foundation
import Shared

/// The replies of the operator's socket as text for people.
enum AdminText {
  /// Returns the text of a reply, with its LFs.
  static func text(_ lines: [String]) throws -> String {
    let items = lines.dropFirst()
    switch try AdminTool.reply(Head.self, lines[0]).type {
    case "status": return try AdminTool.reply(Status.self, lines[0]).text
    case "players":
      return try table(
        ["NAME", "ADDRESS", "PLACE", "MATCH", "SINCE", ""], items, none: "Nobody is logged in."
      ) { (player: Player) in
        [
          player.name, player.address ?? "", player.place, player.match ?? "", span(player.since),
          player.notes,
        ]
      }
    case "matches":
      return try table(
        ["MATCH", "GAME", "X", "O", "SCORE", "SEQ", "WATCHING", "SINCE", ""], items,
        none: "There are no matches."
      ) { (match: Match) in
        [
          match.match, match.game, match.players.X, match.players.O, match.score?.text ?? "",
          "\(match.seq)", "\(match.spectators)", span(match.since),
          match.running ? "" : "between games",
        ]
      }
    case "bans":
      return try table(["", "TARGET", "ENDS IN", "KIND"], items, none: "There are no bans.") {
        (ban: Ban) in
        [ban.type, ban.target, ban.left.map(span) ?? "never", ban.kind]
      }
    case "accounts": return try AccountText.list(lines[0], items)
    case "account": return try AccountText.details(lines[0], items)
    case "password":
      let password = try AdminTool.reply(Password.self, lines[0])
      return "The password of \(password.name.printable) is now: \(password.password.printable)\n"
        + "It works for one log-in, after which the player chooses another, and again if the"
        + " connection is lost before that. It is not shown again.\n"
    case "help":
      // A command of the socket, and not of this program.
      let commands = try items.map { try AdminTool.reply(Help.self, $0) }.filter {
        $0.command != AdminCommand.quit.rawValue
      }
      return text(
        of: [["COMMAND", ""]]
          + commands.map {
            [$0.usage, AdminCommand(rawValue: $0.command)?.summary ?? $0.about]
          })
    case "all": return try NodeText.all(items)
    case "cluster": return try NodeText.cluster(lines[0], items)
    case "tree", "metrics":
      return try items.map { try AdminTool.reply(Line.self, $0).text.printable + "\n" }.joined()
    default:
      return AdminTool.inShell(try AdminTool.reply(Done.self, lines[0]).message.printable) + "\n"
    }
  }

  /// Returns a time of a reply in up to two units.
  static func span(_ milliseconds: Int) -> String { Duration.milliseconds(milliseconds).span }

  static func table<Item: Decodable>(
    _ titles: [String], _ items: ArraySlice<String>, none: String,
    _ cells: (Item) -> [String]
  ) throws -> String {
    guard !items.isEmpty else { return "\(none)\n" }
    return text(
      of: [titles] + (try items.map { cells(try AdminTool.reply(Item.self, $0)) }))
  }

  /// Returns rows with aligned columns.
  static func text(of rows: [[String]]) -> String {
    let rows = rows.map { $0.map(\.printable) }
    let widths = rows[0].indices.map { column in
      rows.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
    return rows.map { row in
      let cells = zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - TextWidth.columns(of: cell))
      }
      let line = cells.joined(separator: "  ")
      return line.replacing(/\ +$/, with: "") + "\n"
    }.joined()
  }

  private struct Head: Decodable { let type: String }
  private struct Done: Decodable { let message: String }

  private struct Password: Decodable {
    let name: String
    let password: String
  }

  private struct Line: Decodable { let text: String }

  private struct Help: Decodable {
    let command: String
    let usage: String
    let about: String
  }

  private struct Ban: Decodable {
    let type: String
    let kind: String
    let target: String
    let left: Int?
  }

  private struct Player: Decodable {
    let name: String
    let address: String?
    let place: String
    let match: String?
    let since: Int
    let away: Bool
    let registered: Bool
    let muted: Bool

    var notes: String {
      [(away, "away"), (registered, "registered"), (muted, "muted")]
        .filter(\.0).map(\.1).joined(separator: ", ")
    }
  }

  private struct Match: Decodable {
    struct Players: Decodable {
      let X: String
      let O: String
    }

    struct Score: Decodable {
      let X: Int
      let O: Int
      let draws: Int

      var text: String { "\(X):\(O)" + (draws > 0 ? ", \(Count.of(draws, "draw"))" : "") }
    }

    let match: String
    let game: String
    let players: Players
    let score: Score?
    let seq: Int
    let spectators: Int
    let running: Bool
    let since: Int
  }

  private struct Status: Decodable {
    let version: String
    let uptime: Int
    let connections: Int
    let sessions: Int
    let matches: Int
    let games: Int
    let memory: Int?
    let data: String?
    let hasRoom: Bool
    /// Why no game may begin; `nil` if games may begin.
    let notReady: String?
    let draining: Bool
    let left: Int?
    let bans: Int
    let motd: String?
    let log: String
    /// The first mistake of the configuration.
    let mistake: String?
    /// The options that have another value in the files.
    let restart: String?

    var text: String {
      let state =
        draining ? "draining\(left.map { ", stops within \(span($0))" } ?? "")" : "serving"
      let rows: [(String, String?)] = [
        ("version", version), ("state", state), ("ready", notReady.map { "no: \($0)" } ?? "yes"),
        ("uptime", span(uptime)),
        ("connections", Count.text(connections)), ("sessions", Count.text(sessions)),
        ("matches", Count.text(matches)), ("running games", Count.text(games)),
        ("memory", memory.map { "\(Count.text($0 / 1_048_576)) MiB" }),
        ("data", data ?? "none"), ("room for matches", hasRoom ? "yes" : "no"),
        (
          "configuration",
          mistake.map { "the last good one, because of a mistake: \($0)" }
            ?? "as in the files\(restart.map { ", but \($0) with the next start" } ?? "")"
        ), ("bans", Count.text(bans)), ("greeting", motd ?? "none"), ("log level", log),
      ]
      return AdminText.text(of: rows.compactMap { name, value in value.map { [name, $0] } })
    }
  }
}
