import Testing

/// Compares the map in `docs/architecture.md` with the sources.
@Suite struct RoomTests {
  private let files: [SourceFile]
  private let document: String

  init() throws {
    files = try Project.sources()
    document = try Project.text("docs/architecture.md")
  }

  @Test(arguments: ["Shared", "Server", "Client"])
  func `the map has the rooms that there are`(side: String) {
    let map = Set(RoomMap(of: side, in: document).rooms.map(\.name))
    let folders = Set(files.filter { $0.side == side }.map(\.room))
    for room in folders.subtracting(map).sorted() {
      Issue.record(
        """
        Sources/\(side)/\(room) is no room of docs/architecture.md. Add it to the table, or move its \
        files into a room that is there.
        """)
    }
    for room in map.subtracting(folders).sorted() {
      Issue.record("docs/architecture.md has a room \(side)/\(room) without files. Remove its row.")
    }
  }

  @Test(arguments: ["Shared", "Server", "Client"])
  func `a room uses only rooms above it`(side: String) {
    var above: Set<String> = []
    for room in RoomMap(of: side, in: document).rooms {
      for used in room.uses where !above.contains(used) {
        Issue.record(
          """
          docs/architecture.md says that \(side)/\(room.name) uses \(used), which does not stand \
          above it.
          """)
      }
      above.insert(room.name)
    }
  }

  @Test func `only the program knows whether there is a cluster`() {
    for room in RoomMap(of: "Server", in: document).rooms
    where room.uses.contains("Cluster") && room.name != "Program" {
      Issue.record(
        """
        docs/architecture.md says that Server/\(room.name) uses Cluster. Only Program may: ask \
        through OtherServers, ServerGroup, MatchStore or Directory, or add to them.
        """)
    }
  }

  @Test(arguments: ["Shared", "Server", "Client"])
  func `the arrows between rooms are those of the map`(side: String) {
    let map = RoomMap(of: side, in: document)
    let arrows = RoomArrows(of: side, in: files)
    for room in map.rooms {
      let allowed = Set(room.uses)
      for (target, uses) in arrows[room.name].sorted(by: { $0.key < $1.key })
      where !allowed.contains(target) {
        let names = uses.sorted().joined(separator: ", ")
        Issue.record(
          """
          \(side)/\(room.name) must not use \(side)/\(target), but does: \(names). Move the type to \
          a room above both, or hand it in through a protocol of \(room.name)'s own.
          """)
      }
      for target in allowed.sorted() where arrows[room.name][target] == nil {
        Issue.record(
          """
          docs/architecture.md says that \(side)/\(room.name) uses \(target), but it does not. \
          Remove \(target) from its row.
          """)
      }
    }
  }
}

/// Which rooms of one side name types of which others.
private struct RoomArrows {
  /// For each room and each room that it uses: the types, with the file that names them.
  private var uses: [String: [String: Set<String>]] = [:]

  init(of side: String, in files: [SourceFile]) {
    let files = files.filter { $0.side == side }
    var rooms: [String: Set<String>] = [:]
    for file in files {
      for type in file.declared { rooms[type, default: []].insert(file.room) }
    }
    for file in files {
      for type in file.used.subtracting(file.own) {
        guard let homes = rooms[type], !homes.contains(file.room) else { continue }
        for home in homes {
          uses[file.room, default: [:]][home, default: []].insert("\(type) in \(file.path)")
        }
      }
    }
  }

  subscript(room: String) -> [String: Set<String>] { uses[room] ?? [:] }
}
