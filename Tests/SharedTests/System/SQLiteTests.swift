import Shared
import Testing

struct SQLiteTests {
  private let database: Database

  init() throws {
    database = try Database(":memory:", .readWrite, with: try SQLite())
    try database.execute("CREATE TABLE t (i INTEGER, r REAL, t TEXT UNIQUE, b BLOB)")
  }

  private func count() throws -> Int {
    var count = 0
    try database.statement("SELECT count(*) FROM t").run { count = $0.integer(0) }
    return count
  }

  @Test func `a row comes back as it was`() throws {
    let insert = try database.statement("INSERT INTO t VALUES (?, ?, ?, ?)")
    try insert.run(.integer(-7), .real(0.5), .text("Ä\u{0}b"), .blob([0, 255]))
    #expect(database.lastID == 1)
    try insert.run(.integer(.max), .null, .text(""), .blob([]))
    var rows = 0
    try database.statement("SELECT * FROM t ORDER BY i").run { row in
      rows += 1
      guard rows == 1 else {
        #expect(row.integer(0) == .max)
        #expect(row.isNull(1))
        #expect(row.text(2).isEmpty)
        #expect(row.withBytes(3) { $0.isEmpty })
        return
      }
      #expect(row.integer(0) == -7)
      #expect(row.real(1) == 0.5)
      #expect(row.text(2) == "Ä\u{0}b")
      #expect(row.withBytes(3) { Array($0) } == [0, 255])
    }
    #expect(rows == 2)
  }

  @Test func `a transaction that fails changes nothing`() throws {
    let insert = try database.statement("INSERT INTO t (t) VALUES (?)")
    #expect(throws: DatabaseError.self) {
      try database.transaction {
        try insert.run(.text("a"))
        try insert.run(.text("a"))
      }
    }
    #expect(try count() == 0)
    try database.transaction { try insert.run(.text("a")) }
    #expect(try count() == 1)
  }

  @Test func `a wrong statement is an error with SQLite's words`() {
    #expect {
      try database.execute("SELEC")
    } throws: {
      ($0 as? DatabaseError)?.reason.contains("SELEC") == true
    }
  }

  @Test func `a library that is not there is named with the package to install`() {
    #expect {
      _ = try SystemLibrary(anyOf: ["libnothing.so.9"], named: "Nothing", hint: "Type: install it")
    } throws: {
      ($0 as? SystemLibrary.MissingError)?.sentence
        == "The library Nothing is missing. Type: install it"
    }
  }
}
