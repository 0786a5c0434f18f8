import Foundation
import Shared

/// The system calls that fail if the disk is full or broken. Tests replace them.
struct DiskCalls: Sendable {
  /// As `write(2)`.
  var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { descriptor, bytes in
    writeSome(descriptor, bytes)
  }
  /// As `fdatasync(2)`.
  var synchronize: @Sendable (Int32) -> Int32 = { descriptor in
    #if os(Linux)
      fdatasync(descriptor)
    #else
      fcntl(descriptor, F_FULLFSYNC)
    #endif
  }
  /// As `rename(2)`.
  var rename: @Sendable (_ from: String, _ to: String) -> Int32 = { from, to in
    renameFile(from, to)
  }
  /// As `fsync(2)` of a folder, after which its names are on the disk.
  var synchronizeFolder: @Sendable (Int32) -> Int32 = { fsync($0) }
  /// As `posix_fallocate(3)`, which returns its error instead of setting `errno`.
  var allocate: @Sendable (Int32, Int) -> Int32 = { descriptor, size in
    #if os(Linux)
      posix_fallocate(descriptor, 0, off_t(size))
    #else
      ftruncate(descriptor, off_t(size)) == 0 ? 0 : errno
    #endif
  }
}

/// An open segment of the journal. It does not own its descriptor.
struct SegmentFile: Sendable {
  let descriptor: Int32
  /// Its name until it gets that of a segment.
  fileprivate let name: String
  /// The number of bytes that the file has room for.
  let capacity: Int
  fileprivate let calls: DiskCalls

  /// Writes bytes at the end of what was written before.
  ///
  /// - Throws: the error of `write`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try systemCall("write") { calls.write(descriptor, rest) }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Waits until everything that was written is on the disk.
  ///
  /// - Throws: the error of the call. What was written may be lost then, whatever a second call
  ///   returns.
  func synchronize() throws(SystemError) {
    _ = try systemCall("fdatasync") { calls.synchronize(descriptor) }
  }

  /// Cuts off what was allocated after `length` bytes, and closes the file.
  func close(at length: Int) throws(SystemError) {
    defer { closeDescriptor(descriptor) }
    _ = try systemCall("ftruncate") { ftruncate(descriptor, off_t(length)) }
  }
}

/// The files of a journal: `NNNNNNNN.log` for each segment, and others for those that are allocated
/// but not used yet. All of them are for their owner only.
struct SegmentFolder: Sendable {
  let path: String
  var calls = DiskCalls()

  /// Makes the folder, unless it exists.
  func create() throws(SystemError) {
    do throws(SystemError) {
      _ = try systemCall("mkdir") { mkdir(path, 0o700) }
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }

  /// The numbers of the segments, in order; none if there is no such folder, because the data is
  /// only an archive.
  func numbers() throws -> [Int] { try names().filter(isFile) }

  /// The numbers of what is no file, but has the name of a segment: a folder, for example, or a
  /// link to nothing.
  func intruders() throws -> [Int] { try names().filter { !isFile($0) } }

  private func names() throws -> [Int] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
      Int(name.prefix(8)).flatMap { $0 > 0 && name == Self.name($0) ? $0 : nil }
    }.sorted()
  }

  private func isFile(_ number: Int) -> Bool {
    var status = stat()
    let isMissing = stat(file(number), &status) != 0
    // A server may have removed it since; a link that leads nowhere stays.
    guard isMissing else { return status.st_mode & S_IFMT == S_IFREG }
    return lstat(file(number), &status) != 0
  }

  static func name(_ number: Int) -> String { "\(String(format: "%08d", number)).log" }

  func file(_ number: Int) -> String { "\(path)/\(Self.name(number))" }

  /// Returns the numbers of the segments after a check that nothing else has the name of one.
  ///
  /// - Throws: `JournalDamage` if something has.
  func checkedNumbers() throws -> [Int] {
    if let intruder = try intruders().first {
      throw JournalDamage(
        position: JournalPosition(segment: intruder, offset: 0), reason: "it is no file")
    }
    return try numbers()
  }

  func bytes(of number: Int) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: file(number)), options: .alwaysMapped)
  }

  /// Cuts off what was allocated after `length` bytes of a segment that is not open.
  func cut(_ number: Int, to length: Int) throws(SystemError) {
    _ = try systemCall("truncate") { truncate(file(number), off_t(length)) }
  }

  func remove(_ number: Int) throws(SystemError) {
    _ = try systemCall("unlink") { unlink(file(number)) }
  }

  /// Removes the files that were allocated, but not used when the process before ended.
  func removeUnused() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where name == Journal.urgentName || name.hasPrefix(Journal.nextPrefix) {
      // One that cannot be removed only takes room.
      unlink("\(path)/\(name)")
    }
  }

  /// Makes a file of zeros that the journal can use as a segment. Each file that is not used yet
  /// needs a name of its own.
  ///
  /// - Throws: `ENOSPC` if there is no room.
  func allocate(_ size: Int, name: String) throws(SystemError) -> SegmentFile {
    let descriptor = try systemCall("open") {
      open("\(path)/\(name)", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    do throws(SystemError) {
      try allocate(size, descriptor)
    } catch {
      closeDescriptor(descriptor)
      unlink("\(path)/\(name)")
      throw error
    }
    return SegmentFile(descriptor: descriptor, name: name, capacity: size, calls: calls)
  }

  private func allocate(_ size: Int, _ descriptor: Int32) throws(SystemError) {
    while true {
      let code = calls.allocate(descriptor, size)
      if code == 0 { return }
      if code != EINTR { throw SystemError(call: "posix_fallocate", code: code) }
    }
  }

  /// Gives an allocated file the name of a segment, and takes the place of a file with that name.
  func use(_ segment: SegmentFile, asNumber number: Int) throws(SystemError) {
    let name = "\(path)/\(segment.name)"
    _ = try systemCall("rename") { calls.rename(name, file(number)) }
  }

  /// Waits until the names of the files are on the disk.
  func synchronize() throws(SystemError) {
    let descriptor = try systemCall("open") { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { closeDescriptor(descriptor) }
    _ = try systemCall("fsync") { calls.synchronizeFolder(descriptor) }
  }
}

// Inside `SegmentFile` its own methods hide the system functions of the same names.
private func writeSome(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func renameFile(_ from: String, _ to: String) -> Int32 { rename(from, to) }

private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
