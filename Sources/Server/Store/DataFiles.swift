import Shared

/// Notices that files of the data folder have been removed or replaced while the server has them
/// open.
final class DataFiles {
  private let fixed: PlacedFiles
  private let journal: SegmentFolder
  /// The segments that were seen before.
  private var segments: [Int: FileIdentity] = [:]

  /// `paths` are those of the files that are there as long as the server runs.
  init(_ paths: [String], journal: SegmentFolder) {
    fixed = PlacedFiles(paths)
    self.journal = journal
  }

  /// What a helper thread has seen.
  struct Sighting: Sendable {
    fileprivate let missing: [String]
    fileprivate let segments: [Int: FileIdentity]
  }

  /// Looks for the files, on a helper thread. `numbers` are the segments that there should be.
  func look(for numbers: [Int]) -> @Sendable () -> Sighting {
    { [fixed, journal] in
      let found = numbers.compactMap { number in
        FileIdentity(journal.file(number)).map { (number, $0) }
      }
      return Sighting(
        missing: fixed.missing, segments: Dictionary(uniqueKeysWithValues: found))
    }
  }

  /// Returns the paths of files that are missing. `numbers` are the segments that were looked for,
  /// without those that the server has removed meanwhile.
  func missing(in sighting: Sighting, of numbers: [Int]) -> [String] {
    var missing = sighting.missing
    var seen: [Int: FileIdentity] = [:]
    for number in numbers {
      let found = sighting.segments[number]
      let expected = segments[number] ?? found
      if found == nil || found != expected { missing.append(journal.file(number)) }
      seen[number] = expected
    }
    segments = seen
    return missing
  }
}
