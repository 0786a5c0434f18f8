import Foundation
import Shared

/// The token of the session that is played here, in a file for the case that this program is
/// killed: whoever plays under the same name at the same server next takes the session up. The file
/// is locked as long as its program lives, so nobody takes a session from a living one. Where no
/// file can be written everything works all the same. What is there and is no file is left alone.
final class TokenFile {
  /// Whose session it is.
  struct Owner: Equatable {
    let address: ServerAddress
    let name: String

    /// `nil` where it would be too long for a name of a file.
    fileprivate var fileName: String? {
      let text = "\(address.host.lowercased()) \(address.port) \(name.lowercased())"
      let name = text.addingPercentEncoding(withAllowedCharacters: Self.allowed)
      return name.flatMap { $0.utf8.count <= 240 ? "session-\($0)" : nil }
    }

    private static let allowed = CharacterSet(
      charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-_.")
  }

  /// Why the session taken or kept last has no file, as a sentence; `nil` where that is usual.
  private(set) var problem: String?
  private let folder: String?
  /// The file that is locked by this program.
  private var held: (path: String, descriptor: Int32)?

  /// Without a folder nothing is ever kept.
  init(folder: String?) {
    self.folder = folder
  }

  deinit {
    release()
  }

  /// The folder for it by the XDG rules; `nil` where the environment names none.
  static func folder(in environment: [String: String]) -> String? {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
    return state.map { $0 + "/tictactoe" }
  }

  /// The token that a dead program has left; from then on the file is this program's.
  func take(for owner: Owner) -> String? {
    release()
    problem = nil
    guard let path = path(for: owner), let descriptor = lock(path) else { return nil }
    held = (path, descriptor)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let token = String(decoding: bytes.prefix(count), as: UTF8.self).trimmed
    // Anything else has no server given out.
    let isToken = !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isToken ? token : nil
  }

  /// Keeps a token, in the place of any other.
  func keep(_ token: String, for owner: Owner) {
    problem = nil
    guard let folder, let path = path(for: owner) else { return }
    if held?.path != path {
      release()
      // A file that a living program holds stays its own.
      if Self.fileType(of: path) != nil {
        guard let descriptor = lock(path) else { return }
        held = (path, descriptor)
      }
    }
    Self.makeFolder(folder)
    let draft = "\(path).\(getpid())"
    // One that a dead program has left; what is there then is not opened.
    unlink(draft)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(draft, flags, 0o600)
    guard descriptor >= 0 else { return }
    let text = Array("\(token)\n".utf8)
    guard fchmod(descriptor, 0o600) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      write(descriptor, text, text.count) == text.count, rename(draft, path) == 0
    else {
      unlink(draft)
      close(descriptor)
      return
    }
    release()
    held = (path, descriptor)
  }

  /// The session is over.
  func discard() {
    if let held { unlink(held.path) }
    release()
  }

  /// A process that is just being started has the descriptor as well until it runs its program, and
  /// with it the lock, unless that is let go by name.
  private func release() {
    if let held {
      flock(held.descriptor, LOCK_UN)
      close(held.descriptor)
    }
    held = nil
  }

  private func path(for owner: Owner) -> String? {
    guard let folder, let name = owner.fileName else { return nil }
    return "\(folder)/\(name)"
  }

  /// Opens a file that nobody else has locked; `nil` where there is none.
  private func lock(_ path: String) -> Int32? {
    if let type = Self.fileType(of: path), type != S_IFREG {
      problem = "\(path) is not a regular file, so your session cannot be kept there."
      return nil
    }
    // It may have become a FIFO since, which would wait for somebody who writes to it.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var (mine, there) = (stat(), stat())
    // Another program may have put a file of its own there before this one was locked.
    guard fstat(descriptor, &mine) == 0, mine.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0, stat(path, &there) == 0,
      mine.st_ino == there.st_ino, mine.st_dev == there.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Of what has that name, links not followed; `nil` where nothing has.
  private static func fileType(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// With those above it that are missing, for nobody else to look into.
  private static func makeFolder(_ folder: String) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      // Then no file can be written either.
    }
  }
}
