/// The replies about accounts as text for people.
enum AccountText {
  static func list(_ head: String, _ items: ArraySlice<String>) throws -> String {
    let text = try AdminText.table(["NAME", "REGISTERED", ""], items, none: "There are none.") {
      (account: Account) in
      [account.name, account.since.map { "\(AdminText.span($0)) ago" } ?? "", account.notes]
    }
    let more = try AdminTool.reply(Head.self, head).more ?? 0
    return more == 0 ? text : text + "and \(Count.text(more)) more\n"
  }

  static func details(_ head: String, _ items: ArraySlice<String>) throws -> String {
    let account = try AdminTool.reply(Account.self, head)
    let text = AdminText.text(
      of: account.rows.compactMap { name, value in value.map { [name, $0] } })
    guard !items.isEmpty else { return text }
    let ratings = try AdminText.table(
      ["GAME", "RATING", "WON", "LOST", "DRAWN", ""], items, none: ""
    ) {
      (rating: Rating) in
      [
        rating.game, "\(rating.rating)", Count.text(rating.won), Count.text(rating.lost),
        Count.text(rating.drawn), rating.provisional ? "provisional" : "",
      ]
    }
    return "\(text)\n\(ratings)"
  }

  private struct Head: Decodable { let more: Int? }

  private struct Account: Decodable {
    let name: String
    let since: Int?
    let online: Bool
    let password: String?
    let loggedIn: Int?
    let address: String?
    let games: Int?
    let lastGame: Int?
    let banned: Bool?
    let banLeft: Int?
    let muted: Bool?
    let muteLeft: Int?

    var notes: String {
      [online ? "online" : nil, password == nil ? nil : "needs a password of its own"]
        .compactMap { $0 }.joined(separator: ", ")
    }

    var rows: [(String, String?)] {
      let passwordText =
        switch password {
        case nil: "chosen by the player"
        case "once": "from the operator, works once"
        default: "from the operator, used: the player has to choose another"
        }
      return [
        ("name", name), ("registered", since.map { "\(AdminText.span($0)) ago" } ?? "not known"),
        (
          "logged in",
          online
            ? "\(AdminText.span(loggedIn ?? 0)) ago\(address.map { ", from \($0)" } ?? "")" : "no"
        ),
        ("password", passwordText), ("finished games", games.map { Count.text($0) }),
        ("last game", lastGame.map { "ended \(AdminText.span($0)) ago" }),
        ("banned", banned.map { _ in term(banLeft) }), ("muted", muted.map { _ in term(muteLeft) }),
      ]
    }

    private func term(_ left: Int?) -> String {
      left.map { "for \(AdminText.span($0)) more" } ?? "for ever"
    }
  }

  private struct Rating: Decodable {
    let game: String
    let rating: Int
    let provisional: Bool
    let won: Int
    let lost: Int
    let drawn: Int
  }
}
