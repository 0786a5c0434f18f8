import Foundation
import Shared

/// Writes the lines of a match, as a spectator of the whole match gets them.
enum ExportTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let match = options.operand ?? ""
    guard let lines = try StoredData(options.data).lines(of: match) else {
      throw StartError(
        code: .noInput, sentence: "There is no match \(match) in \(options.data).")
    }
    return StandardOutput.write(lines.bytes)
  }
}
