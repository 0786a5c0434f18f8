#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The functions of SQLite 3 that the project uses; see https://sqlite.org/c3ref/intro.html.
package struct SQLite: Sendable {
  package typealias Handle = OpaquePointer
  typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void

  let open:
    @Sendable @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<Handle?>?, CInt, UnsafePointer<CChar>?
    ) -> CInt
  let close: @Sendable @convention(c) (Handle?) -> CInt
  let message: @Sendable @convention(c) (Handle?) -> UnsafePointer<CChar>?
  let code: @Sendable @convention(c) (Handle?) -> CInt
  let systemCode: @Sendable @convention(c) (Handle?) -> CInt
  let waitWhileBusy: @Sendable @convention(c) (Handle?, CInt) -> CInt
  let execute:
    @Sendable @convention(c) (
      Handle?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafeMutableRawPointer?,
      UnsafeMutableRawPointer?
    ) -> CInt
  let lastID: @Sendable @convention(c) (Handle?) -> Int64
  let changes: @Sendable @convention(c) (Handle?) -> CInt
  let prepare:
    @Sendable @convention(c) (
      Handle?, UnsafePointer<CChar>?, CInt, CUnsignedInt, UnsafeMutablePointer<Handle?>?,
      UnsafeMutableRawPointer?
    ) -> CInt
  let finalize: @Sendable @convention(c) (Handle?) -> CInt
  let step: @Sendable @convention(c) (Handle?) -> CInt
  let reset: @Sendable @convention(c) (Handle?) -> CInt
  let bindInteger: @Sendable @convention(c) (Handle?, CInt, Int64) -> CInt
  let bindReal: @Sendable @convention(c) (Handle?, CInt, Double) -> CInt
  let bindNull: @Sendable @convention(c) (Handle?, CInt) -> CInt
  let bindText:
    @Sendable @convention(c) (Handle?, CInt, UnsafePointer<CChar>?, CInt, Destructor?) -> CInt
  let bindBlob:
    @Sendable @convention(c) (Handle?, CInt, UnsafeRawPointer?, CInt, Destructor?) -> CInt
  let type: @Sendable @convention(c) (Handle?, CInt) -> CInt
  let integer: @Sendable @convention(c) (Handle?, CInt) -> Int64
  let real: @Sendable @convention(c) (Handle?, CInt) -> Double
  let text: @Sendable @convention(c) (Handle?, CInt) -> UnsafePointer<UInt8>?
  let blob: @Sendable @convention(c) (Handle?, CInt) -> UnsafeRawPointer?
  let byteCount: @Sendable @convention(c) (Handle?, CInt) -> CInt

  /// How to install it, for people.
  package static let hint =
    "Install it: on Debian and Ubuntu, apt install libsqlite3-0; on Fedora, dnf install"
    + " sqlite-libs."

  /// Loads the library.
  ///
  /// - Throws: a sentence with the package to install.
  package init() throws(SystemLibrary.MissingError) {
    let library = try SystemLibrary(
      anyOf: ["libsqlite3.so.0", "libsqlite3.so", "libsqlite3.dylib"], named: "SQLite",
      hint: Self.hint)
    open = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close_v2")
    message = try library.function("sqlite3_errmsg")
    code = try library.function("sqlite3_extended_errcode")
    systemCode = try library.function("sqlite3_system_errno")
    waitWhileBusy = try library.function("sqlite3_busy_timeout")
    execute = try library.function("sqlite3_exec")
    lastID = try library.function("sqlite3_last_insert_rowid")
    changes = try library.function("sqlite3_changes")
    prepare = try library.function("sqlite3_prepare_v3")
    finalize = try library.function("sqlite3_finalize")
    step = try library.function("sqlite3_step")
    reset = try library.function("sqlite3_reset")
    bindInteger = try library.function("sqlite3_bind_int64")
    bindReal = try library.function("sqlite3_bind_double")
    bindNull = try library.function("sqlite3_bind_null")
    bindText = try library.function("sqlite3_bind_text")
    bindBlob = try library.function("sqlite3_bind_blob")
    type = try library.function("sqlite3_column_type")
    integer = try library.function("sqlite3_column_int64")
    real = try library.function("sqlite3_column_double")
    text = try library.function("sqlite3_column_text")
    blob = try library.function("sqlite3_column_blob")
    byteCount = try library.function("sqlite3_column_bytes")
  }
}

/// An error of SQLite.
package struct DatabaseError: Error, Equatable {
  private static let full: CInt = 13
  /// Another connection is in the way: SQLITE_BUSY, SQLITE_LOCKED and SQLITE_PROTOCOL.
  private static let locked: [CInt] = [5, 6, 15]
  private static let ioError: CInt = 10
  private static let corrupt: CInt = 11
  private static let cannotOpen: CInt = 14
  private static let notADatabase: CInt = 26

  /// The extended result code.
  package let code: CInt
  /// SQLite's own words.
  package let reason: String
  /// The error of the system, if there was one.
  private let systemCode: CInt

  package init(code: CInt, reason: String, systemCode: CInt = 0) {
    self.code = code
    self.reason = reason
    self.systemCode = systemCode
  }

  /// Whether another program holds a lock on the file.
  package var isLocked: Bool { Self.locked.contains(code & 0xFF) }

  /// Whether the file is damaged, or is no database.
  package var isDamage: Bool { [Self.corrupt, Self.notADatabase].contains(code & 0xFF) }

  /// Whether there is no room on the disk, or no more for this user or this file.
  package var isFull: Bool {
    code & 0xFF == Self.full
      || [Self.ioError, Self.cannotOpen].contains(code & 0xFF)
        && [ENOSPC, EDQUOT, EFBIG].contains(systemCode)
  }
}

/// A database, used by one thread at a time.
package final class Database {
  private static let ok: CInt = 0

  /// How a file is opened.
  package enum Mode {
    /// The file is made if there is none.
    case readWrite
    case readOnly

    fileprivate var flags: CInt {
      // SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY; and without mutexes.
      switch self {
      case .readWrite: 0x2 | 0x4 | 0x8000
      case .readOnly: 0x1 | 0x8000
      }
    }
  }

  package let mode: Mode
  fileprivate let sqlite: SQLite
  fileprivate let handle: SQLite.Handle

  /// Opens a file, or a database in memory if the path is `:memory:`. `lockTimeout` is how long to
  /// wait while another program holds a lock on it.
  package init(
    _ path: String, _ mode: Mode, lockTimeout: Duration = .seconds(10), with sqlite: SQLite
  ) throws(DatabaseError) {
    self.mode = mode
    self.sqlite = sqlite
    var handle: SQLite.Handle?
    let result = sqlite.open(path, &handle, mode.flags, nil)
    guard result == Self.ok, let handle else {
      let reason = sqlite.message(handle).map { String(cString: $0) } ?? "out of memory"
      _ = sqlite.close(handle)
      throw DatabaseError(code: result, reason: reason)
    }
    self.handle = handle
    _ = sqlite.waitWhileBusy(handle, CInt(lockTimeout / .milliseconds(1)))
  }

  deinit { _ = sqlite.close(handle) }

  /// Carries out statements that have no values and whose rows do not matter.
  package func execute(_ text: String) throws(DatabaseError) {
    try check(sqlite.execute(handle, text, nil, nil, nil))
  }

  /// Does several things at once or, if one of them fails, nothing.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back already.
      try? execute("ROLLBACK")
      throw error
    }
  }

  package func statement(_ text: String) throws(DatabaseError) -> Statement {
    try Statement(text, self)
  }

  /// The id of the last row that was inserted.
  package var lastID: Int { Int(sqlite.lastID(handle)) }

  /// How many rows the last statement has changed.
  package var changes: Int { Int(sqlite.changes(handle)) }

  fileprivate func check(_ result: CInt) throws(DatabaseError) {
    guard result != Self.ok else { return }
    throw error
  }

  fileprivate var error: DatabaseError {
    DatabaseError(
      code: sqlite.code(handle),
      reason: sqlite.message(handle).map { String(cString: $0) } ?? "unknown error",
      systemCode: sqlite.systemCode(handle))
  }
}

/// A prepared statement. It is used again and again.
package final class Statement {
  package enum Value {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package static func integer(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }
    package static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
  }

  private static let row: CInt = 100
  private static let done: CInt = 101
  private static let null: CInt = 5
  /// SQLITE_PREPARE_PERSISTENT.
  private static let persistent: CUnsignedInt = 1

  private let database: Database
  private let handle: SQLite.Handle
  private var texts: [UInt8] = []

  fileprivate init(_ text: String, _ database: Database) throws(DatabaseError) {
    self.database = database
    var handle: SQLite.Handle?
    try database.check(
      database.sqlite.prepare(database.handle, text, -1, Self.persistent, &handle, nil))
    guard let handle else { throw DatabaseError(code: 1, reason: "an empty statement") }
    self.handle = handle
  }

  deinit { _ = database.sqlite.finalize(handle) }

  /// Carries the statement out, for each row of its result with a call of `body`, which must not
  /// use the same statement.
  package func run(
    _ values: Value..., body: (Row) -> Void = { _ in }
  ) throws(DatabaseError) {
    let sqlite = database.sqlite
    gatherTexts(of: values)
    defer { _ = sqlite.reset(handle) }
    try texts.withUnsafeBufferPointer { texts throws(DatabaseError) in
      var start = 0
      for (index, value) in values.enumerated() {
        try bind(value, at: CInt(index + 1), in: texts, from: &start)
      }
      while true {
        switch sqlite.step(handle) {
        case Self.row: body(Row(sqlite: sqlite, handle: handle))
        case Self.done: return
        default: throw database.error
        }
      }
    }
  }

  /// Copies all texts to one place, where they stay while the statement runs. Otherwise SQLite
  /// would allocate memory for a copy of each.
  private func gatherTexts(of values: [Value]) {
    texts.removeAll(keepingCapacity: true)
    for case .text(let text) in values { texts += text.utf8 }
    // So that there is an address even without any text.
    texts.append(0)
  }

  /// `start` is where the next text is.
  private func bind(
    _ value: Value, at index: CInt, in texts: UnsafeBufferPointer<UInt8>, from start: inout Int
  ) throws(DatabaseError) {
    let sqlite = database.sqlite
    let result: CInt
    switch value {
    case .null: result = sqlite.bindNull(handle, index)
    case .integer(let number): result = sqlite.bindInteger(handle, index, Int64(number))
    case .real(let number): result = sqlite.bindReal(handle, index, number)
    case .text(let text):
      let count = text.utf8.count
      let address = UnsafeRawPointer(texts.baseAddress.map { $0 + start })
      // Without a destructor the bytes are not copied.
      result = sqlite.bindText(
        handle, index, address?.assumingMemoryBound(to: CChar.self), CInt(count), nil)
      start += count
    case .blob(let bytes):
      // SQLITE_TRANSIENT: SQLite copies the bytes.
      let copy = unsafeBitCast(-1, to: SQLite.Destructor.self)
      result = bytes.withUnsafeBytes {
        sqlite.bindBlob(
          handle, index, $0.baseAddress ?? .init(bitPattern: 1), CInt($0.count), copy)
      }
    }
    try database.check(result)
  }

  /// A row of a result. Columns count from 0.
  package struct Row {
    fileprivate let sqlite: SQLite
    fileprivate let handle: SQLite.Handle

    package func isNull(_ column: Int) -> Bool {
      sqlite.type(handle, CInt(column)) == Statement.null
    }

    package func integer(_ column: Int) -> Int { Int(sqlite.integer(handle, CInt(column))) }

    package func integerIfPresent(_ column: Int) -> Int? {
      isNull(column) ? nil : integer(column)
    }

    package func real(_ column: Int) -> Double { sqlite.real(handle, CInt(column)) }

    package func text(_ column: Int) -> String {
      guard let start = sqlite.text(handle, CInt(column)) else { return "" }
      let count = Int(sqlite.byteCount(handle, CInt(column)))
      return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func textIfPresent(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    /// Calls `body` with the bytes of a blob, which are only valid in the call.
    package func withBytes<Result>(
      _ column: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      let start = sqlite.blob(handle, CInt(column))
      let count = Int(sqlite.byteCount(handle, CInt(column)))
      return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
  }
}
