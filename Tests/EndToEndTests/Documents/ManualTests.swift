import Foundation
import Shared
import Testing

@testable import Client
@testable import Server

/// The manual pages and the completions list the same options as `--help`.
@Suite struct ManualTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")

  @Test(arguments: [
    ("tictactoe-server", serverHelp), ("tictactoe-client", ClientOptions.help),
  ])
  func `the manual page and the completions list exactly the options of the help`(
    program: String, help: String
  ) throws {
    // Options at the beginning of a line, not those in examples.
    let options = Set(help.matches(of: /(?:\n  |, )--([a-z-]+)/).map { $0.1 })
    try #require(options.isSuperset(of: ["port", "help", "version"]))
    let manual = try read("man/\(program).1")
    #expect(Set(manual.matches(of: /\n\.It Fl -([a-z-]+)/).map { $0.1 }) == options)
    for completion in ["\(program).bash", "_\(program)"] {
      let text = try read("completions/\(completion)")
      #expect(Set(text.matches(of: /--([a-z-]+)/).map { $0.1 }) == options, "in \(completion)")
    }
    let fish = try read("completions/\(program).fish")
    #expect(Set(fish.matches(of: /-l ([a-z-]+)/).map { $0.1 }) == options)
  }

  /// The prose of the manual says more than a row. What both say is the same.
  @Test(arguments: ServerOption.allCases)
  func `the manual names the value and the default of an option`(option: ServerOption) throws {
    let row = option.row
    let item = try item(of: row.option, in: "tictactoe-server")
    // 0 is in words there, and so is what another option says.
    if let value = row.standardValue, value != "0", value == row.option.standard {
      #expect(item.contains(try Regex("\\b\(value)\\b")), "\(value) is not in: \(item)")
    }
  }

  @Test(arguments: ClientOption.allCases.filter { $0 != .host })
  func `the manual of the client names the value of an option`(option: ClientOption) throws {
    #expect(try !item(of: option.row, in: "tictactoe-client").isEmpty)
  }

  @Test func `the manual names the options that only a restart takes up`() throws {
    let manual = try read("man/tictactoe-server.1")
    let sentence = try #require(manual.firstMatch(of: /takes up all but\n(?s:(.*?))the log names/))
    let names = sentence.1.matches(of: /[a-z][a-z-]+/).map { String($0.0) }
    let expected = ServerOption.allCases.filter(\.needsRestart).map(\.rawValue)
    #expect(Set(names).subtracting(["and"]) == Set(expected))
    let rows = try DocumentTable.rows(after: "| key | takes effect |", in: read("operations.md"))
    #expect(Set(DocumentTable.code(in: try #require(rows.last)[0])) == Set(expected))
  }

  @Test func `the manual explains the commands of the operator, and no others`() throws {
    let manual = try read("man/tictactoe-server.1")
    let section = try #require(
      manual.firstMatch(of: /\n\.It Cm admin Ar COMMAND(?s:(.*?))\n\.It Cm rebuild\n/))
    let heads = section.1.matches(of: /\n\.It Cm ([^\n]+)/).map { String($0.1) }
    // `.It Cm ban Ar TARGET Oo Ar FOR Oc , Cm unban Ar TARGET` and `.It Cm tree , metrics`.
    let names = heads.flatMap { $0.split(separator: " , ") }.map { part in
      part.replacing("Cm ", with: "").prefix { $0 != " " }
    }
    #expect(Set(names.map(String.init)) == Set(AdminTool.commands.map(\.rawValue)))
  }

  /// Returns the paragraph of an option.
  private func item(of row: OptionRow, in program: String) throws -> Substring {
    let manual = try read("man/\(program).1")
    var value = row.value.map { "Ar \($0)" }
    if case .optionalWords = row.completion { value = value.map { "Op \($0)" } }
    let head = "\n.It Fl -\(row.name)\(value.map { " \($0)" } ?? "")\n"
    let start = try #require(manual.range(of: head), "The manual has no:\(head)")
    let rest = manual[start.upperBound...]
    return rest[..<(rest.range(of: "\n.It ")?.lowerBound ?? rest.endIndex)]
  }

  /// The help of the server and of all its commands.
  private static let serverHelp =
    ServerOptions.help + Tool.allCases.map(\.help).joined()

  @Test func `the help, the manual page and the completions list all commands`() throws {
    let manual = try read("man/tictactoe-server.1")
    for tool in Tool.allCases {
      #expect(ServerOptions.help.contains(tool.rawValue))
      #expect(manual.contains("\n.It Cm \(tool.rawValue)"))
      for file in ["tictactoe-server.bash", "_tictactoe-server", "tictactoe-server.fish"] {
        #expect(try read("completions/\(file)").contains(" \(tool.rawValue)"))
      }
      #expect(
        try complete(["tictactoe-server", String(tool.rawValue.prefix(3))]) == [tool.rawValue])
    }
  }

  @Test(arguments: ["tictactoe-server", "tictactoe-client"])
  func `every exit code of the help is in the manual page`(program: String) throws {
    let help = program == "tictactoe-server" ? ServerOptions.help : ClientOptions.help
    let line = try #require(help.range(of: "Exit codes:"))
    let codes = Set(help[line.upperBound...].matches(of: /\b[0-9]+\b/).map { $0.0 })
    let manual = try read("man/\(program).1")
    #expect(Set(manual.matches(of: /\n\.It ([0-9]+)/).map { $0.1 }) == codes)
  }

  @Test func `every exit code in the help of a command of the server is one of the server`() throws
  {
    for tool in Tool.allCases {
      let line = try #require(tool.help.range(of: "Exit codes:"))
      for code in tool.help[line.upperBound...].matches(of: /\b[0-9]+\b/) {
        let code = ExitCode(rawValue: try #require(Int32(code.0)))
        #expect(code?.serverMeaning != nil, "\(tool)")
      }
    }
  }

  @Test(arguments: ["tictactoe-server", "tictactoe-client"])
  func `the manual page says of each exit code what the page of options says`(
    program: String
  ) throws {
    func meaning(_ code: ExitCode) -> String? {
      program == "tictactoe-server" ? code.serverMeaning : code.clientMeaning
    }
    let manual = try read("man/\(program).1")
    let section = try #require(
      manual.firstMatch(of: /\n\.Sh EXIT STATUS\n\.Bl [^\n]*\n(?s:(.*?))\n\.El\n/))
    let items = section.1.split(separator: ".It ").map { $0.split(separator: "\n") }
    let codes = ExitCode.allCases.filter { meaning($0) != nil }
    #expect(items.count == codes.count)
    for lines in items {
      let words = lines.dropFirst().map { line in
        line.replacing(/^\.Cm (\S+)/) { "`\($0.1)`" }.replacing(/^\.Fl -(\S+)/) { "`--\($0.1)`" }
          .replacing(/(`) ([,.:;])$/) { "\($0.1)\($0.2)" }
      }
      let code = codes.first { "\($0.rawValue)" == lines[0] }
      #expect(words.joined(separator: " ") == code.flatMap(meaning))
    }
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "no groff here"),
    arguments: ["tictactoe-server", "tictactoe-client"])
  func `the manual page is valid mdoc`(program: String) throws {
    let page = Self.docs.appendingPathComponent("man/\(program).1").path
    let groff = try RunningProgram(
      URL(fileURLWithPath: "/usr/bin/groff"), ["-mdoc", "-Tascii", "-ww", page])
    #expect(try groff.readToEnd().contains(program))
    #expect(try groff.errorOutput().isEmpty)
  }

  @Test(
    .enabled(if: bash != nil, "no bash here"),
    arguments: [
      ("--po", "--port"), ("--ver", "--version"), ("--", "--help"),
    ])
  func `bash completes the options of both programs`(word: String, option: String) throws {
    for program in ["tictactoe-server", "tictactoe-client"] {
      let answers = try complete([program, word])
      #expect(answers.contains(option))
      #expect(answers.allSatisfy { $0.hasPrefix(word) })
    }
    #expect(try complete(["tictactoe-client", "--po"]) == ["--port"])
  }

  @Test(.enabled(if: bash != nil, "no bash here"))
  func `bash offers no values for a port`() throws {
    #expect(try complete(["tictactoe-client", "--port", ""]).isEmpty)
    #expect(try complete(["tictactoe-server", "--port", ""]).isEmpty)
  }

  @Test(
    .enabled(if: bash != nil, "no bash here"),
    arguments: [
      ["tictactoe-client", "--replay", "my"], ["tictactoe-client", "--tls-ca", "my"],
      ["tictactoe-client", "--replay", "=", "my"], ["tictactoe-client", "--replay", "="],
      ["tictactoe-server", "verify", "my"], ["tictactoe-server", "--config", "/"],
      ["tictactoe-server", "--admin", "/"], ["tictactoe-server", "--socket", "my"],
    ])
  func `bash completes files by itself, which quotes any name`(words: [String]) throws {
    #expect(try complete(words).isEmpty)
    let text = try read("completions/\(words[0]).bash")
    #expect(text.contains("compopt -o default"))
    #expect(!text.contains(/\(compgen -[A-Za-z ]*(file|-f|-d)\b.*\)\)/))
  }

  @Test(.enabled(if: bash != nil, "no bash here"))
  func `bash offers no options for a value that begins none of the words`() throws {
    #expect(try complete(["tictactoe-client", "--game", "--po"]).isEmpty)
    #expect(try complete(["tictactoe-server", "--log-level", "--po"]).isEmpty)
  }

  @Test(.enabled(if: bash != nil, "no bash here"))
  func `bash completes none where no file begins like it`() throws {
    for option in ["--config", "--admin", "--data"] {
      #expect(try complete(["tictactoe-server", option, "non"]) == ["none"])
    }
  }

  @Test(
    .enabled(if: bash != nil, "no bash here"),
    arguments: [
      (["admin", "--data", "X", "st"], "status"), (["admin", "--data", "=", "X", "ki"], "kick"),
      (["--data", "X", "admin", "for"], "forget"), (["admin", "log", "w"], "warning"),
      (["admin", "--json", "help", "tr"], "tree"), (["check", "--re"], "--repair"),
    ])
  func `bash completes the words of a command after its options`(
    words: [String], answer: String
  ) throws {
    #expect(try complete(["tictactoe-server"] + words) == [answer])
  }

  @Test(.enabled(if: bash != nil, "no bash here"))
  func `bash completes the target of a backup as a file`() throws {
    #expect(try complete(["tictactoe-server", "backup", "--data", "X", "my"]).isEmpty)
    #expect(try complete(["tictactoe-server", "admin", "kick", ""]).isEmpty)
  }

  @Test(.enabled(if: bash != nil, "no bash here"))
  func `bash completes all commands of the operator`() throws {
    let names = AdminTool.commands.map(\.rawValue)
    #expect(try Set(complete(["tictactoe-server", "admin", ""])).isSuperset(of: names))
    for file in ["_tictactoe-server", "tictactoe-server.fish"] {
      let words = Set(
        try read("completions/\(file)").split { !$0.isLetter }.map(String.init))
      #expect(words.isSuperset(of: names), "\(file)")
    }
  }

  private static let bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The completions that bash offers for the last word.
  private func complete(_ words: [String]) throws -> [String] {
    let file = Self.docs.appendingPathComponent("completions/\(words[0]).bash").path
    let script = """
      set -eu; source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
      "_${1//-/_}"; printf '%s\\n' "${COMPREPLY[@]+${COMPREPLY[@]}}"; complete -p "$1"
      """
    let bash = try RunningProgram(
      URL(fileURLWithPath: try #require(Self.bash)), ["-c", script, "bash", file] + words)
    var lines = try bash.readToEnd().split(separator: "\n").map(String.init)
    #expect(try bash.errorOutput().isEmpty)
    #expect(lines.popLast()?.hasPrefix("complete -F _tictactoe_") == true)
    return lines
  }

  private func read(_ path: String) throws -> String {
    try String(contentsOf: Self.docs.appendingPathComponent(path), encoding: .utf8)
  }
}
