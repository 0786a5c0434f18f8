import Foundation

/// The rooms of one side, as a table of `docs/architecture.md` lists them. A row is
/// `| ROOM | what is in it | the rooms that it uses |`.
struct RoomMap {
  struct Room {
    let name: String
    let uses: [String]
  }

  /// In the order of the table.
  let rooms: [Room]

  /// Reads the table below the heading of a side.
  init(of side: String, in document: String) {
    let section =
      document.components(separatedBy: "\n## ").first { $0.hasPrefix("\(side)\n") } ?? ""
    rooms = section.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, let name = Self.names(in: cells[1]).first else { return nil }
      return Room(name: name, uses: Self.names(in: cells[3]))
    }
  }

  /// What stands in backticks.
  private static func names(in cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }
}

/// The files of the project.
struct Project {
  /// The folder of the package.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The paths of all files in a folder of the project, below that folder, in order.
  static func files(in path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.appending(path: path).path).sorted()
  }

  static func sources() throws -> [SourceFile] {
    try files(in: "Sources").filter { $0.hasSuffix(".swift") }.map {
      SourceFile(path: $0, text: try text("Sources/\($0)"))
    }
  }
}
