#if os(Linux)
  import Foundation
  import Testing

  @testable import Server

  /// The lock by which other programs know that the server uses the archive.
  @Suite struct ArchiveLockTests {
    /// Returns whether this process holds SQLite's shared lock on a file. Called once for a file,
    /// because to close the descriptor would drop the lock.
    private func isLocked(_ path: String) throws -> Bool {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      try #require(file >= 0)
      // SQLite's SHARED_FIRST and SHARED_SIZE. The question comes from a description of its own
      // (F_OFD_GETLK), so the locks of this process are in its way too.
      var lock = flock(
        l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0002, l_len: 510,
        l_pid: 0)
      try #require(fcntl(file, 36, &lock) == 0)
      return lock.l_type == Int16(F_RDLCK)
    }

    @Test func `a server holds the lock on its archive, from its start on`() throws {
      let fixture = try StoreFixture()
      #expect(try isLocked("\(fixture.folder.path)/\(Archive.fileName)"))
    }

    @Test func `a server whose archive exists holds the lock after its start too`() throws {
      let fixture = try StoreFixture()
      _ = fixture.server.match()
      fixture.settle()
      try fixture.restart()
      fixture.settle()
      #expect(try isLocked("\(fixture.folder.path)/\(Archive.fileName)"))
    }
  }
#endif
