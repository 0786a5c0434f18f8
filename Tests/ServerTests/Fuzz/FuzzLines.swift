/// Valid, nearly valid and invalid lines, which an input names by their numbers. Add new ones at the
/// end: the others keep their numbers, and the corpus its meaning.
enum FuzzLines {
  static let all = lines(texts) + placeholders + lines(laterTexts) + laterPlaceholders

  private static func lines(_ texts: [String]) -> [[UInt8]] { texts.map { Array("\($0)\n".utf8) } }

  private static let texts = [
    "login", "login eve", "login \"ann fuzz\"", "login bot", "login mal", "start", "start bot",
    "start eve", "start mal", "start \"ann fuzz\"", "start \"\" tictactoe", "start bot chess",
    "cancel", "place 0 0", "place 1 1", "place 2 2 1", "place 0 1 3", "place 0 2", "place -1 99",
    "resign", "leave", "say hello", "say \u{202E}", "watch 1", "list", "list matches", "list games",
    "sync", "sync 0", "sync 1", "sync 3", "sync 99", "ping", "help", "help place", "quit",
    "resume AAAAAAAAAAAAAAAAAAAAAA", "resume AAAAAAAAAAAAAAAAAAAAAA 1", "", "   ", "{}", "[]",
    #"{"type":"ping","id":"x"}"#, #"{"type":"ping","id":{}}"#, #"{"type":"place","row":1,"col":2}"#,
    #"{"type":"start","opponent":"bot","id":7}"#, #"{"type":"say","text":"\u001b[2J"}"#,
    #"{"type":"login","name":"\ud83d\ude00"}"#, #"{"type":"login","name":null}"#,
    "GET / HTTP/1.1", "\u{16}\u{3}\u{1}", #"{"type":"sync","seq":9007199254740991}"#,
  ]

  private static let placeholders = [
    Array("watch ".utf8) + [FuzzedServer.match, 0x0A],
    Array("resume ".utf8) + [FuzzedServer.token, 0x0A],
    Array("resume ".utf8) + [FuzzedServer.token] + Array(" 1\n".utf8),
  ]

  private static let laterTexts = [
    "open", "open gomoku", "open chess", "join", "join 222222", "decline", "decline eve",
    "decline mal", "decline \"ann fuzz\"", "start \"\" gomoku", "start eve connect",
    "start mal ultimate", "start \"ann fuzz\" misere", "start bot gomoku hard",
    "start bot ultimate easy", "start bot connect hard", "start bot misere medium",
    "start eve tictactoe easy", "place 5 3", "place 4 4", "place 8 0", "place h8", "place b2 3",
    "board", "baord", "start bot easy", "open GOMOKU", "place five",
    #"{"type":"start","oponent":"bot","id":4}"#, #"{"type":"place","row":1,"column":1,"id":"x"}"#,
    #"{"type":"decline","id":3}"#, #"{"type":"open","game":"connect","id":1}"#,
    #"{"type":"join","code":7}"#,
    #"{"type":"start","opponent":"bot","game":"four","level":"easy"}"#,
  ]

  private static let laterPlaceholders = [
    Array("join ".utf8) + [FuzzedServer.code, 0x0A],
    Array("JOIN \"".utf8) + [FuzzedServer.code] + Array("\"\n".utf8),
  ]
}
