import Foundation
import Shared

/// Lets two folders take each other's names.
enum FolderExchange {
  /// Both names are on the disk afterwards. Where the system can do it in one step, there is always
  /// a folder with each name.
  static func exchange(_ one: String, _ other: String) throws(SystemError) {
    do throws(SystemError) {
      _ = try systemCall("rename") { swap(one, other) }
    } catch {
      guard [EINVAL, ENOSYS, ENOTSUP].contains(error.code) else { throw error }
      try exchangeInSteps(one, other)
    }
    try NewFile.synchronize(URL(fileURLWithPath: one).deletingLastPathComponent().path)
  }

  /// For file systems that cannot do it in one step, such as NFS.
  private static func exchangeInSteps(_ one: String, _ other: String) throws(SystemError) {
    let between = "\(other).old"
    _ = try systemCall("rename") { rename(one, between) }
    do throws(SystemError) {
      _ = try systemCall("rename") { rename(other, one) }
    } catch {
      rename(between, one)
      throw error
    }
    _ = try systemCall("rename") { rename(between, other) }
  }

  /// Returns -1 and sets `errno`, as `rename(2)`.
  private static func swap(_ one: String, _ other: String) -> Int32 {
    #if os(Linux)
      // Swift does not see its declaration, which is an extension of glibc.
      typealias Rename =
        @convention(c) (
          Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
        ) -> Int32
      let exchange: UInt32 = 2
      guard
        let library = try? SystemLibrary(anyOf: ["libc.so.6"], named: "libc", hint: ""),
        let rename: Rename = try? library.function("renameat2")
      else {
        errno = ENOSYS
        return -1
      }
      return rename(AT_FDCWD, one, AT_FDCWD, other, exchange)
    #else
      return renamex_np(one, other, UInt32(RENAME_SWAP))
    #endif
  }
}
