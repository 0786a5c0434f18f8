import Foundation
import Shared

/// Sends a command to the operator's socket of a running server, and shows the reply.
enum AdminTool {
  /// The commands that make sense here.
  static let commands = AdminCommand.allCases.filter { $0 != .quit && $0 != .all }

  /// The part of the help about the commands.
  static var help: String {
    let width = commands.map(\.spec.help.usage.count).max() ?? 0
    let rows = commands.map { command in
      let help = command.spec.help
      let space = String(repeating: " ", count: width - help.usage.count)
      return "  \(help.usage)\(space)  \(command.summary)\n"
    }
    return """
      \(rows.joined())
      FOR and TIME are 30m, 12h or 7d, for example; a number without a unit is in seconds. A target
      is an address, a network such as 192.0.2.0/24, or a name. A name that looks like an address is
      name:TEXT. Put a name with spaces in quotes.

      """
  }

  static func run(_ options: ToolOptions) throws -> ExitCode {
    let lines = try helpLines(options.request) ?? ask(options)
    if options.isJSON {
      let written = StandardOutput.write(lines.map { "\($0)\n" }.joined())
      guard written == .ok else { return written }
    }
    let first = try reply(AdminHead.self, lines[0])
    guard first.type != "error" else {
      let message = first.message ?? "The server has refused the command."
      ErrorOutput.ofProcess.write(inShell(message), .last)
      return .refused
    }
    let written = options.isJSON ? .ok : StandardOutput.write(try AdminText.text(lines))
    guard written == .ok, first.type == "all" else { return written }
    let isRefused = try lines.dropFirst().contains { line in
      ["error", "missing"].contains(try reply(AdminHead.self, line).type)
    }
    return isRefused ? .refused : .ok
  }

  /// Returns a sentence of the socket with the commands that it names as they are typed in a shell.
  static func inShell(_ sentence: String) -> String {
    sentence.replacing(/type: ([a-z]+)/) { match in
      let isCommand = AdminCommand(rawValue: String(match.1)) != nil
      return isCommand ? "type: tictactoe-server admin \(match.1)" : "\(match.0)"
    }
  }

  /// Returns the reply to `help`, for which no server is needed; `nil` for another command.
  static func helpLines(_ request: [UInt8]) throws -> [String]? {
    var decoder = LineDecoder.forAdmin
    guard let line = try decoder.decode(request.span), AdminCommand.allCases[line.spec] == .help
    else { return nil }
    var bytes: [UInt8] = []
    AdminCommands.help(for: decoder.choice(0)).append(re: nil, to: &bytes)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Asks at the operator's socket. Somebody who may not open that is answered by the one for
  /// reading, if it is configured.
  private static func ask(_ options: ToolOptions) throws -> [String] {
    let path = options.socket ?? ""
    guard let reading = options.readingSocket, access(path, W_OK) != 0 else {
      return try ask(options.request, within: options.timeout, at: path)
    }
    return try ask(options.request, within: options.timeout, at: reading)
  }

  /// Returns the command of a command line as a line of JSON, with its LF.
  ///
  /// - Throws: if there is no such command, or its words are not those that it takes.
  static func request(
    _ words: [String], atAll: Bool = false
  ) throws(UsageError) -> (line: [UInt8], timeout: Duration) {
    guard let first = words.first, let command = AdminCommand(rawValue: first),
      commands.contains(command)
    else {
      throw unknown(words.first)
    }
    let (line, rest) = line(of: command, words.dropFirst())
    if let word = rest.first {
      throw UsageError(
        "“\(word)” is too much. The usage is: tictactoe-server admin \(command.spec.help.usage).")
    }
    var decoder = LineDecoder.forAdmin
    do throws(LineError) {
      _ = try decoder.decode(line.span)
    } catch {
      throw UsageError(
        "The usage is: tictactoe-server admin \(command.spec.help.usage)."
          + " \(error.message.replacing(/\ Type: help .*/, with: ""))")
    }
    if command == .help, let topic: AdminCommand = decoder.choice(0), !commands.contains(topic) {
      throw unknown(topic.rawValue)
    }
    do throws(CommandError) {
      try command.check(decoder)
    } catch {
      throw UsageError(inShell(error.message))
    }
    guard atAll else { return (line, command.timeout) }
    guard command.isForAll else {
      throw UsageError(
        "--all is not for \(command.rawValue), but for: \(AdminCommand.namesForAll).")
    }
    let inner = String(decoding: line.dropLast(), as: UTF8.self)
    return (encoded(["type": AdminCommand.all.rawValue, "command": inner]), command.timeout)
  }

  private static func unknown(_ word: String?) -> UsageError {
    let names = commands.map(\.rawValue)
    let list = names.joined(separator: ", ")
    guard let word else { return UsageError("COMMAND is missing (\(list)).") }
    let hint = word.likely(among: names).map { " Did you mean \($0)?" }
    return UsageError(
      "“\(word)” is not a command of admin.\(hint ?? " The commands are: \(list).")")
  }

  /// Returns a command with its LF, and the words that it does not take. An empty word leaves a
  /// field out. A text takes the rest of the words.
  private static func line(
    of command: AdminCommand, _ words: ArraySlice<String>
  ) -> (bytes: [UInt8], rest: ArraySlice<String>) {
    var fields: [String: String] = ["type": command.rawValue]
    var words = words
    for field in command.spec.fields {
      let value =
        field.kind.isRest ? words.joined(separator: " ") : words.first ?? ""
      words = field.kind.isRest ? [] : words.dropFirst()
      if !value.isEmpty { fields[field.name.text] = value }
    }
    return (encoded(fields), words)
  }

  private static func encoded(_ fields: [String: String]) -> [UInt8] {
    guard let object = try? JSONEncoder().encode(fields) else {
      preconditionFailure("Strings must be encodable.")
    }
    return Array(object) + [UInt8(ascii: "\n")]
  }

  static func reply<Reply: Decodable>(_ type: Reply.Type, _ line: String) throws -> Reply {
    do {
      return try JSONDecoder().decode(type, from: Data(line.utf8))
    } catch {
      throw StartError(
        code: .unavailable, sentence: "The server has sent a line that is not understood here.")
    }
  }

  /// Returns the lines of the reply, at least one.
  private static func ask(
    _ request: [UInt8], within timeout: Duration, at path: String
  ) throws -> [String] {
    guard let address = LocalAddress(path) else {
      throw StartError(
        code: .unavailable,
        sentence: "No server can answer at \(path): the path is too long."
          + " To name another one, type: --socket PATH")
    }
    signal(SIGPIPE, SIG_IGN)
    let loop = try EventLoop()
    let client: AdminClient
    do throws(SystemError) {
      client = AdminClient(try loop.connect(to: address), loop: loop, timeout: timeout)
    } catch {
      throw StartError(code: .unavailable, sentence: sentence(for: error, at: path))
    }
    client.connection.send(request.span)
    client.waitOn()
    try loop.run()
    return try client.reply.get()
  }

  private static func sentence(for error: SystemError, at path: String) -> String {
    switch error.code {
    case ENOENT, ECONNREFUSED:
      "No server answers at \(path). To name the folder of its data, or its socket, type:"
        + " --data FOLDER, or --socket PATH"
    case EACCES, EPERM:
      "You may not open \(path): only the user of the server and root may, and its group the socket"
        + " of admin-read."
    default: "The socket \(path) cannot be used: \(error.reason)."
    }
  }
}

/// The first line of a reply.
private struct AdminHead: Decodable {
  let type: String
  /// The number of items that follow, in a list.
  let count: Int?
  let message: String?
}

/// Reads the reply to one command.
private final class AdminClient {
  let connection: any Connection
  private(set) var reply: Result<[String], StartError> = .failure(
    StartError(code: .unavailable, sentence: "The server has closed the connection."))
  private unowned let loop: EventLoop
  private let timeout: Duration
  private var timer: LoopTimer?
  private var framer = LineFramer(limit: .max)
  private var lines: [String] = []
  /// The number of items that have not come.
  private var missing = 0

  /// `timeout` is how long the server may take to reply.
  init(_ connection: any Connection, loop: EventLoop, timeout: Duration) {
    self.connection = connection
    self.loop = loop
    self.timeout = timeout
    connection.delegate = self
  }

  /// The server has a while for what comes next.
  func waitOn() {
    timer?.cancel()
    timer = loop.schedule(after: timeout) { [weak self] in
      self?.end(
        .failure(StartError(code: .unavailable, sentence: "The server does not answer.")))
    }
  }

  private func end(_ reply: Result<[String], StartError>) {
    self.reply = reply
    connection.close()
    loop.stop()
  }

  private func receive(_ line: String) {
    do {
      if lines.isEmpty {
        let head = try AdminTool.reply(AdminHead.self, line)
        guard head.type != "hello" else { return }
        guard head.type != "bye" else {
          return end(
            .failure(
              StartError(
                code: .unavailable,
                sentence: "The server has closed the connection: \(head.message ?? head.type)")))
        }
        missing = head.count ?? 0
      } else {
        missing -= 1
      }
      lines.append(line)
      if missing == 0 { end(.success(lines)) }
    } catch let error as StartError {
      end(.failure(error))
    } catch {
      preconditionFailure("Only a StartError is thrown here.")
    }
  }
}

extension AdminClient: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    waitOn()
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range):
        receive(bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
      case .joined(let line): receive(String(decoding: line, as: UTF8.self))
      case .needsMore, .tooLong: return
      }
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) { loop.stop() }
}
