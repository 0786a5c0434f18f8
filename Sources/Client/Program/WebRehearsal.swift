import Shared

/// The server and the page for a game that nobody plays. What the first use of code leaves in
/// memory (tables, types, addresses of functions) is there before any tab, so all tabs share it.
final class WebRehearsal {
  /// What the server sends after each command, or each list, with `ID` for that of the command.
  private static let replies: [String: String] = [
    "login": #"{"type":"didLogin","re":ID,"name":"x","token":"x"}"#,
    "players": #"{"type":"players","re":ID,"items":[{"name":"x","place":"lobby"}]}"#,
    "matches": #"{"type":"matches","re":ID,"items":[{"match":"a","game":"tictactoe","#
      + #""players":{"X":"x","O":"bot"},"running":true}]}"#,
    "start": #"{"type":"gameDidStart","re":ID,"you":"X","match":"a","seq":1,"game":"tictactoe","#
      + #""players":{"X":"x","O":"bot"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"#
      + #""turn":"X","score":{"X":0,"O":0,"draws":0},"level":"easy"}"#,
    "place": #"{"type":"boardDidChange","re":ID,"match":"a","seq":2,"#
      + #""cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","hash":"afa687df"}"# + "\n"
      + #"{"type":"boardDidChange","match":"a","seq":3,"#
      + #""cells":[{"row":2,"col":0,"mark":"O"}],"turn":"X","hash":"974cedc0"}"#,
    "say": #"{"type":"didSay","re":ID,"match":"a","seq":4,"from":"x","mark":"X","text":"hi"}"#,
  ]
  private static let greeting =
    #"{"type":"hello","protocol":1,"server":"x","games":[{"id":"tictactoe","name":"Tic Tac Toe","#
    + #""rows":3,"cols":3,"inARow":3}],"limits":{"line":4096,"loginWithin":30000,"#
    + #""resumeWithin":60000,"inviteWithin":120000,"perSecond":1000,"burst":4000},"#
    + #""help":""}"# + "\n"
  /// What the person does. The first messages lead to the board.
  private static let messages = [
    "h24 80  /", "tx", "kEnter", "kArrowUp", "t5", "t?", "kEscape", "r30 40", "tt", "thi", "kEnter",
  ]

  let loop: EventLoop
  private let visit = WebVisit(
    secret: "", origin: "http://localhost", address: .loopback, path: "/start/bot/tictactoe/easy",
    kept: nil)

  /// Its time passes faster.
  init() {
    var time: Int64 = 0
    loop = EventLoop(poller: PollPoller()) {
      time += 1_000_000
      return time
    }
  }

  /// Plays in the window that `open` returns, for a page and the port of a server on this host.
  func play(_ open: (any Connection, UInt16) -> WebWindow) throws(SystemError) {
    let listener = try TCPListener(
      loop: loop, address: SocketAddress(.loopback, port: 0),
      accept: { [self] connection in
        connection.retainDelegate(self)
        connection.send(Array(Self.greeting.utf8).span)
      })
    let page = Page()
    let window = open(page, listener.address.port)
    for text in [visit.text] + Self.messages {
      for text in [text, "a"] {
        window.connection(page, didReceive: WebSocketFrame.bytes(.text, Array(text.utf8)).span)
      }
      // Keys right after a change of the screen have no effect.
      for _ in 0..<700 { try loop.turn(wait: .zero) }
    }
    window.connectionDidEnd(page, with: .inputEnded)
    listener.close()
    for _ in 0..<10 { try loop.turn(wait: .zero) }
  }

  /// It sees nothing.
  private final class Page: Connection {
    weak var delegate: (any ConnectionDelegate)?
    let unsent = 0
    var isReading = true
    var peerAddress = SocketAddress.local
    var onClose: (() -> Void)?

    func send(_ bytes: Span<UInt8>) -> Int { 0 }
    func flush() {}
    func close() {}
    func reset() {}
  }
}

extension WebRehearsal: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: "\"")
      guard words.count > 9, let reply = Self.replies[String(words[words[3] == "list" ? 9 : 3])]
      else { continue }
      let id = words[6].filter(\.isNumber)
      connection.send(Array("\(reply.replacing("ID", with: id))\n".utf8).span)
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    connection.close()
  }
}
