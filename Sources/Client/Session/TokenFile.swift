import Foundation
import Shared

/// Keeps the session's token in a file, in case this program is killed. The next program with the
/// same name at the same server resumes the session. The program locks the file while it runs, so
/// that no other program takes its session, unless that may take over. The client also works if no
/// file can be written. An existing directory, link or device with the file's name stays untouched.
final class TokenFile: TokenStore {
  /// A sentence that says why the last token is not on disk; `nil` if it is, or if that is normal.
  private(set) var problem: String?
  private(set) var isHeldElsewhere = false
  private(set) var former: String?
  private let folder: String?
  private let takesOver: Bool
  /// The file that this program has locked.
  private var held: (path: String, descriptor: Int32)?

  /// Without a folder, no token is kept. With `takesOver`, the token of a program that still runs
  /// may be taken, and that program loses its session: its person has come back another way.
  init(folder: String?, takesOver: Bool = false) {
    self.folder = folder
    self.takesOver = takesOver
  }

  deinit {
    release()
  }

  /// Returns the token of a program that no longer runs, and locks its file.
  func take(for owner: TokenOwner) -> String? {
    release()
    problem = nil
    isHeldElsewhere = false
    former = nil
    guard let path = path(for: owner), let descriptor = lock(path) else { return nil }
    held = (path, descriptor)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let tokens = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
      .map { String($0).trimmed }
    // Servers give out no other tokens.
    guard let token = tokens.first, tokens.count <= 2, tokens.allSatisfy(Self.isToken) else {
      return nil
    }
    former = tokens.count == 2 ? tokens[1] : nil
    return token
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// Writes a token, in place of the last one, and the former one below it.
  func keep(_ token: String, former: String? = nil, for owner: TokenOwner) {
    problem = nil
    guard let folder, let path = path(for: owner) else { return }
    if held?.path != path {
      release()
      // A file that another running program has locked stays with that program.
      if Self.fileType(of: path) != nil {
        guard let descriptor = lock(path) else { return }
        held = (path, descriptor)
      }
    }
    Self.makeFolder(folder)
    let draft = "\(path).\(getpid())"
    // Removes the draft of a program that was killed. An existing file is never opened.
    unlink(draft)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(draft, flags, 0o600)
    guard descriptor >= 0 else { return problem = Self.problem(in: folder, code: errno) }
    let text = Array((token + "\n" + (former.map { $0 + "\n" } ?? "")).utf8)
    guard fchmod(descriptor, 0o600) == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      write(descriptor, text, text.count) == text.count, rename(draft, path) == 0
    else {
      problem = Self.problem(in: folder, code: errno)
      unlink(draft)
      close(descriptor)
      return
    }
    release()
    held = (path, descriptor)
  }

  /// Deletes the file, because the session is over.
  func discard() {
    if let held, FileIdentity(held.path) == FileIdentity(of: held.descriptor) { unlink(held.path) }
    release()
  }

  /// Unlocks explicitly, because a child process between `fork` and `exec` shares the descriptor
  /// and would keep the lock.
  private func release() {
    if let held {
      flock(held.descriptor, LOCK_UN)
      close(held.descriptor)
    }
    held = nil
  }

  private func path(for owner: TokenOwner) -> String? {
    guard let folder, let name = owner.fileName else { return nil }
    return "\(folder)/\(name)"
  }

  /// Opens and locks a file. Returns `nil` if there is none, or if another program has locked it.
  private func lock(_ path: String) -> Int32? {
    if let type = Self.fileType(of: path), type != S_IFREG {
      problem = "\(path) is not a regular file, so your session cannot be kept there."
      return nil
    }
    // The file may have been replaced with a FIFO since, which would block until it has a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var mine = stat()
    // Another program may have replaced the file before the lock.
    guard fstat(descriptor, &mine) == 0, mine.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || takesOver else {
      isHeldElsewhere = errno == EWOULDBLOCK
      close(descriptor)
      return nil
    }
    guard FileIdentity(path) == FileIdentity(of: descriptor) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func problem(in folder: String, code: Int32) -> String {
    let reason = SystemError(call: "open", code: code).reason
    return "Your session cannot be kept in \(folder): \(reason). If this program is killed, its"
      + " game is lost."
  }

  /// Returns the type of a file, without following links; `nil` if there is no such file.
  private static func fileType(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Makes a private folder, with its missing parents.
  private static func makeFolder(_ folder: String) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      // Then the file cannot be written either.
    }
  }
}

extension TokenOwner {
  /// What would be too long for a file name has a hash in its place; `nil` if nothing can name it.
  fileprivate var fileName: String? {
    // A token from TLS is never sent in the clear.
    let transport = address.usesTLS ? "tls " : ""
    let text = "\(transport)\(address.host.lowercased()) \(address.port) \(name.lowercased())"
    let name = text.addingPercentEncoding(withAllowedCharacters: Self.allowed)
    guard let name else { return nil }
    guard name.utf8.count > Self.maxLength else { return "session-\(name)" }
    return "session-\(SHA256.digits(of: text))"
  }

  /// A draft has the number of its process at the end; file systems take 255 bytes.
  private static let maxLength = 232

  private static let allowed = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789-_.")
}
