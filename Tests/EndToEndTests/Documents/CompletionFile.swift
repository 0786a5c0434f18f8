import Shared

@testable import Client
@testable import Server

/// The completions of a program, made from its options.
struct CompletionFile {
  /// What a shell offers without the help of the table: files that are handwritten end here.
  static let mark = "# What follows is made from the options of the program, by `make generated`.\n"

  let program: String
  let options: [OptionRow]

  static let server = CompletionFile(
    program: "tictactoe-server", options: ServerOption.allCases.map(\.row.option) + others)

  static let client = CompletionFile(
    program: "tictactoe-client",
    options: ClientOption.allCases.filter { $0 != .host }.map(\.row) + ClientOptions.commandLine)

  /// The options that have no line in a configuration file.
  private static var others: [OptionRow] {
    var rows = ServerOptions.commandLine
    let known = Set(ServerOption.allCases.map(\.rawValue) + rows.map(\.name))
    for tool in Tool.allCases {
      rows += tool.options.filter { !known.contains($0.name) }.map {
        OptionRow(
          $0.name, $0.value, "\($0.about), with \(tool.rawValue)", completion: $0.completion)
      }
    }
    return rows
  }

  private static let tools = Tool.allCases.map(\.rawValue).joined(separator: " ")
  private static let commands = AdminTool.commands.map(\.rawValue).joined(separator: " ")
  private static let levels = (["off"] + Log.Level.allCases.map { "\($0)" }).joined(separator: " ")

  // MARK: bash

  /// The part of the file for bash after the mark: functions that the part before it uses.
  var bash: String {
    let prefix = "_" + program.replacing("-", with: "_")
    let grouped = Dictionary(grouping: options.filter { $0.value != nil }, by: bashAction)
    let cases = grouped.map { action, rows in
      "  \(rows.map { "--\($0.name)" }.joined(separator: " | ")))\(action) ;;\n"
    }.sorted()
    return """
      \(prefix)_options="\(options.map { "--\($0.name)" }.joined(separator: " "))"
      \(self.program == Self.server.program ? bashCommands(prefix) : "")
      # Completes the value of the option $1; fails if it needs none.
      \(prefix)_value() {
        case $1 in
      \(cases.joined())  *) return 1 ;;
        esac
        return 0
      }
      complete -F \(prefix) \(program)

      """
  }

  private func bashCommands(_ prefix: String) -> String {
    let flags = options.filter { $0.value == nil }.map { "--\($0.name)" }
    let cases = Tool.allCases.map { tool in
      "  \(tool.rawValue)) echo \(tool.options.map { "--\($0.name)" }.joined(separator: " ")) ;;\n"
    }
    return """
      \(prefix)_flags=" \(flags.joined(separator: " ")) "
      \(prefix)_commands="\(Self.tools)"
      \(prefix)_admin_commands="\(Self.commands)"
      \(prefix)_levels="\(Self.levels)"

      # Writes the options of the command $1.
      \(prefix)_options_of() {
        case $1 in
      \(cases.joined())  esac
      }

      """
  }

  /// Without an answer bash completes files by itself, and quotes whatever is in their names.
  private func bashAction(_ row: OptionRow) -> String {
    func words(_ text: String) -> String { " COMPREPLY=($(compgen \(text) -- \"$word\"))" }
    return switch row.completion {
    case .nothing: ""
    case .hosts: words("-A hostname")
    case .words(let list), .optionalWords(let list): words("-W \"\(list.joined(separator: " "))\"")
    case .files: " compopt -o default 2>/dev/null || :"
    case .filesOrNone: " _tictactoe_files_or_none"
    case .foldersOrNone: " compopt -o plusdirs 2>/dev/null || : ;" + words("-W none")
    case .commands:
      " compopt -o default -o filenames 2>/dev/null || : ;"
        + " while IFS= read -r; do COMPREPLY+=(\"$REPLY\"); done"
        + " < <(compgen -A command -- \"$word\")"
    }
  }

  // MARK: zsh

  var zsh: String {
    let operands =
      program == Self.server.program
      ? """
        '1:command:( \(Self.tools))' \\
        '2:match, file or command of admin:{compadd show \(Self.commands); _files}' \\
        '3:word of the command:{case ${words[CURRENT-1]} in (log) compadd \(Self.levels);; \
      (motd) compadd none default;; \
      (help) compadd \(Self.commands);; esac}' \\
        '*:word of the command:'
      """ : "  '::host:_hosts'"
    return """
      #compdef \(program)
      # Completion of \(program) for zsh: put this file into a folder of $fpath.
      \(Self.mark)_arguments \\
      \(options.map { "  \(zshLine($0)) \\\n" }.joined())\(operands)

      """
  }

  private func zshLine(_ row: OptionRow) -> String {
    let isLast = ["help", "version"].contains(row.name)
    let isRepeated =
      program == Self.server.program && ServerOption(rawValue: row.name)?.isRepeatable == true
    let (about, name) = (
      escaped(row.about), (isLast ? "(- *)" : isRepeated ? "*" : "") + "--\(row.name)"
    )
    guard let value = row.value else { return "'\(name)[\(about)]'" }
    let what = escaped(units(of: value))
    return switch row.completion {
    case .nothing: "'\(name)=[\(about)]:\(what):'"
    case .hosts: "'\(name)=[\(about)]:\(what):_hosts'"
    case .commands: "'\(name)=[\(about)]:\(what):_cmdstring'"
    case .files: "'\(name)=[\(about)]:\(what):_files'"
    case .filesOrNone: "'\(name)=[\(about)]:\(what), or none:_files'"
    case .foldersOrNone: "'\(name)=[\(about)]:\(what), or none:_files -/'"
    case .words(let words): "'\(name)=[\(about)]:\(what):(\(words.joined(separator: " ")))'"
    case .optionalWords(let words):
      "'\(name)=-[\(about)]::\(what):(\(words.joined(separator: " ")))'"
    }
  }

  private func units(of value: String) -> String {
    switch value {
    case "TIME": "TIME (500ms, 30s, 2m)"
    case "SIZE": "SIZE (512k, 64m)"
    default: value
    }
  }

  private func escaped(_ text: String) -> String {
    text.replacing("'", with: #"'\''"#).replacing(":", with: #"\:"#)
      .replacing("[", with: #"\["#).replacing("]", with: #"\]"#)
  }

  // MARK: fish

  var fish: String {
    let start = "complete -c \(program)"
    var lines = [
      "\(start) -f\(program == Self.server.program ? "" : " -a '(__fish_print_hostnames)'")"
    ]
    if program == Self.server.program {
      lines += Tool.allCases.map {
        "\(start) -n __fish_use_subcommand -a \($0.rawValue) -d \(quoted($0.about))"
      }
      let admin = "__fish_seen_subcommand_from admin"
      lines += [
        "\(start) -n '__fish_seen_subcommand_from verify backup restore' -F",
        "\(start) -n '\(admin); and not __fish_seen_subcommand_from log motd'"
          + " -a '\(Self.commands)'",
        "\(start) -n '\(admin); and __fish_seen_subcommand_from motd' -a 'none default'",
        "\(start) -n '\(admin); and __fish_seen_subcommand_from log' -a '\(Self.levels)'",
      ]
    }
    lines += options.map { "\(start)\(fishValue($0)) -d \(quoted($0.about))" }
    return """
      # Completion of \(program) for fish: put this file into ~/.config/fish/completions.
      \(Self.mark)\(lines.joined(separator: "\n"))

      """
  }

  private func fishValue(_ row: OptionRow) -> String {
    let name = "-l \(row.name)"
    guard row.value != nil else { return " \(name)" }
    return switch row.completion {
    case .nothing: " -x \(name)"
    case .hosts: " -x \(name) -a '(__fish_print_hostnames)'"
    case .files, .commands: " -r -F \(name)"
    case .filesOrNone, .foldersOrNone: " -r -F \(name) -a none"
    case .words(let words): " -x \(name) -a '\(words.joined(separator: " "))'"
    case .optionalWords(let words): " \(name) -a '\(words.joined(separator: " "))'"
    }
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"\'"#))'" }
}
