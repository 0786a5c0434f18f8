import Foundation
import Synchronization
import TestSupport

@testable import Server

/// The disk of a simulated server: real files, and a memory of what was not synchronized. A crash
/// may come in the middle of a write. A power failure takes back what was not synchronized, sector
/// by sector and in any order. All choices come from one seed.
final class SimulatedDisk: Sendable {
  /// What a power failure takes back or keeps as a whole, in bytes.
  private static let sector = 512

  private let state: Mutex<State>

  private struct State {
    var random: SeededGenerator
    var files: [Int32: File] = [:]
    var renames: [(from: String, to: String)] = []
    /// How many calls are left before the process dies; `nil` if it does not.
    var callsToLive: Int?
    var isDead = false
    var isFull = false
    var fails = false
    var writes = 0
    var tornWrites = 0
  }

  /// An open file. Descriptors are those of the system.
  private struct File {
    let path: String
    /// How many bytes were written.
    var count = 0
    /// The first byte that is not synchronized.
    var synced = 0
  }

  init(seed: UInt64) {
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  /// Whether the process has died in a call of the disk. What it does after that does not count.
  var isDead: Bool { state.withLock { $0.isDead } }
  var tornWrites: Int { state.withLock { $0.tornWrites } }

  /// Lets the process die in one of the next calls.
  func crash(within calls: Int) { state.withLock { $0.callsToLive = calls } }

  /// Whether there is room for more segments.
  func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  /// From now on the disk fails to synchronize.
  func fail() { state.withLock { $0.fails = true } }

  /// The calls of the next process. Those of the one before do nothing any more.
  func start() -> DiskCalls {
    state.withLock {
      $0.isDead = false
      $0.callsToLive = nil
      $0.fails = false
      $0.files = [:]
    }
    let real = DiskCalls()
    return DiskCalls(
      write: { [self] in write($0, $1, real) },
      synchronize: { [self] in synchronize($0, real) },
      rename: { [self] in rename($0, $1, real) },
      synchronizeFolder: { [self] in synchronizeFolder($0, real) },
      allocate: { [self] in allocate($0, $1, real) })
  }

  /// Counts a call. Returns whether the process dies in it.
  private static func dies(_ state: inout State) -> Bool {
    guard let left = state.callsToLive else { return false }
    state.callsToLive = left - 1
    return left <= 0
  }

  private func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ real: DiskCalls
  ) -> Int {
    let length: Int? = state.withLock { state in
      guard !state.isDead else { return nil }
      state.writes += 1
      guard Self.dies(&state) else { return bytes.count }
      state.isDead = true
      let length = Int.random(in: 0...bytes.count, using: &state.random)
      if length > 0, length < bytes.count { state.tornWrites += 1 }
      return length
    }
    guard let length else { return bytes.count }
    _ = real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    state.withLock { $0.files[descriptor]?.count += length }
    return bytes.count
  }

  private func synchronize(_ descriptor: Int32, _ real: DiskCalls) -> Int32 {
    state.withLock { state in
      guard !state.isDead else { return 0 }
      guard !state.fails else {
        errno = EIO
        return -1
      }
      // It dies before or after the disk has taken everything.
      let dies = Self.dies(&state)
      if !dies || Bool.random(using: &state.random), let count = state.files[descriptor]?.count {
        state.files[descriptor]?.synced = count
      }
      if dies { state.isDead = true }
      return 0
    }
  }

  private func rename(_ from: String, _ to: String, _ real: DiskCalls) -> Int32 {
    state.withLock { state in
      guard !state.isDead else { return 0 }
      let replaces = FileManager.default.fileExists(atPath: to)
      for (descriptor, file) in state.files where file.path == from {
        state.files[descriptor] = File(path: to, count: file.count, synced: file.synced)
      }
      // A name that replaces another is synchronized before anything else happens.
      if !replaces { state.renames.append((from, to)) }
      if Self.dies(&state) { state.isDead = true }
      return real.rename(from, to)
    }
  }

  private func synchronizeFolder(_ descriptor: Int32, _ real: DiskCalls) -> Int32 {
    state.withLock { state in
      guard !state.isDead else { return 0 }
      state.renames = []
      return 0
    }
  }

  private func allocate(_ descriptor: Int32, _ size: Int, _ real: DiskCalls) -> Int32 {
    state.withLock { state in
      guard !state.isDead else { return 0 }
      guard !state.isFull else { return ENOSPC }
      if let path = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)")
      {
        state.files[descriptor] = File(path: path)
      }
      return real.allocate(descriptor, size)
    }
  }

  /// Takes back what was not synchronized: some of its sectors, and names from the last one on.
  func losePower() {
    state.withLock { state in
      for file in state.files.values where file.synced < file.count {
        guard let handle = FileHandle(forUpdatingAtPath: file.path) else { continue }
        var start = file.synced
        while start < file.count {
          let end = min(file.count, (start / Self.sector + 1) * Self.sector)
          if Bool.random(using: &state.random) {
            try? handle.seek(toOffset: UInt64(start))
            try? handle.write(contentsOf: Data(count: end - start))
          }
          start = end
        }
        try? handle.close()
      }
      while let (from, to) = state.renames.popLast(), Bool.random(using: &state.random) {
        _ = Foundation.rename(to, from)
      }
      state.renames = []
      state.files = [:]
    }
  }
}
