import Foundation
import Shared

/// The operator's tools: the first word of the command line that is no option.
enum Tool: String, CaseIterable {
  case check

  /// What it does, for the list in the server's help.
  var about: String {
    switch self {
    case .check: "look for damage; --repair keeps what is whole"
    }
  }

  /// What follows the options: its name, and whether it is needed; `nil` if nothing does.
  var operand: (name: String, isRequired: Bool)? {
    switch self {
    case .check: nil
    }
  }

  var allowsRepair: Bool { self == .check }

  func run(_ options: ToolOptions) throws -> ExitCode {
    switch self {
    case .check: try CheckTool.run(options)
    }
  }

  var usage: String {
    let operand = operand.map { $0.isRequired ? " \($0.name)" : " [\($0.name)]" } ?? ""
    return "tictactoe-server \(rawValue)\(allowsRepair ? " [--repair]" : "")\(operand)"
      + " [--data FOLDER]"
  }

  var help: String {
    """
    Usage: \(usage)

    \(details)

      --data FOLDER  the data of the server (default: that of a server with the default port)
    \(allowsRepair ? "  --repair       keep what is whole; no server may run on FOLDER\n" : "")\
      --help         show this

    Exit codes: 0 good, 64 wrong usage, 65 damage, 66 no such match, file or folder, 69 FOLDER is
    in use, 73 cannot write, 74 reading or writing failed.

    """
  }

  private var details: String {
    switch self {
    case .check:
      """
      Reads everything in FOLDER as a start of the server does, and says what it has read. It changes
      nothing, and may run beside the server. With --repair it keeps each match without a damaged
      record. A match with one is cut before it, or dropped if it cannot go on from there. The
      damaged files stay beside.
      """
    }
  }

  /// Runs the tool with its arguments: those of the process without the tool's name.
  func run(_ arguments: [String]) throws(UsageError) -> ExitCode {
    guard let options = try ToolOptions(self, arguments) else { return StandardOutput.write(help) }
    do {
      return try run(options)
    } catch let error as StartError {
      StandardOutput.printError(error.sentence)
      return error.code
    } catch let error as SystemError {
      let isWriting = [ENOSPC, EDQUOT, EROFS, EACCES, EFBIG].contains(error.code)
      StandardOutput.printError("Reading or writing has failed: \(error.reason).")
      return isWriting ? .cannotCreate : .ioError
    } catch {
      StandardOutput.printError(
        "Reading or writing has failed: \(StandardOutput.reason(of: error)).")
      return .ioError
    }
  }
}

/// The options of a tool.
struct ToolOptions: Equatable {
  /// The path of the data folder.
  let data: String
  var operand: String?
  var repairs = false

  /// Parses the arguments of a tool. Returns `nil` if they ask for its help.
  ///
  /// - Throws: if they are not those of the tool.
  init?(
    _ tool: Tool, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) {
    var reader = ArgumentReader(arguments)
    var data: String?
    while let argument = try reader.next() {
      switch argument {
      case .option("--data"):
        let path = try reader.value(of: "--data")
        guard !path.isEmpty, path != "none" else { throw UsageError("--data takes a folder.") }
        data = path
      case .option("--repair") where tool.allowsRepair: repairs = true
      case .option("--help"), .option("-h"): return nil
      case .option(let name):
        throw UsageError("tictactoe-server \(tool.rawValue) has no option \(name).")
      case .operand(let word):
        guard tool.operand != nil, operand == nil else {
          throw UsageError("“\(word)” is too much. The usage is: \(tool.usage)")
        }
        operand = word
      }
    }
    if let wanted = tool.operand, wanted.isRequired, operand == nil {
      throw UsageError("\(wanted.name) is missing. The usage is: \(tool.usage)")
    }
    guard
      let path = data ?? DataLocation.standard.path(port: ServerOptions.defaultPort, environment)
    else { throw UsageError("--data is missing.") }
    self.data = path
  }

  /// The journal in the data folder.
  ///
  /// - Throws: if there is none.
  func journal() throws(StartError) -> SegmentFolder {
    let journal = SegmentFolder(path: "\(data)/journal")
    guard FileManager.default.fileExists(atPath: journal.path) else {
      throw StartError(
        code: .noInput,
        sentence: "There is no data of a server in \(data). To name its folder, type: --data FOLDER"
      )
    }
    return journal
  }
}
