import Foundation
import Shared

/// What the operator has decided, as it is kept.
struct OperatorRecord: Equatable, Sendable {
  var bans: [Ban] = []
  var mutes: [Mute] = []
  /// Empty for no greeting, `nil` for that of the options.
  var motd: String?
}

/// Keeps the operator's decisions.
protocol OperatorStore: AnyObject {
  /// Replaces what is kept. `answer` is called when that is done, or has failed.
  func write(_ record: OperatorRecord, answer: @escaping (_ failure: OperatorFailure?) -> Void)
}

/// Why a decision of the operator's is not kept.
enum OperatorFailure: Equatable {
  /// It holds until the server ends. With a part of a sentence that says why.
  case notKept(String)
  /// It does not hold, because another node's operator was first.
  case overtaken
}

/// The file of the operator's decisions in the data folder: one object of JSON.
final class OperatorFile: OperatorStore {
  static let name = "operator.json"

  private let folder: String
  private let worker: any BackgroundWorker

  /// `worker` waits for the disk. Removes what a process that died while it wrote has left, so
  /// only the process that has locked the folder may call this.
  init(in folder: String, worker: any BackgroundWorker) {
    self.folder = folder
    self.worker = worker
    unlink("\(folder)/\(Self.name).new")
  }

  /// Returns what is kept in a folder.
  ///
  /// - Throws: a sentence for people if the file is damaged, or cannot be read.
  static func read(in folder: String) throws(StartError) -> OperatorRecord {
    let path = "\(folder)/\(name)"
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode(OperatorRecord.self, from: data)
    } catch CocoaError.fileReadNoSuchFile {
      return OperatorRecord()
    } catch is DecodingError {
      throw StartError(
        code: .damaged,
        sentence:
          "The file \(path) is damaged. It has the operator's bans. Restore it from a backup,"
          + " or remove it to begin without them.")
    } catch {
      throw StartError(
        code: .ioError,
        sentence: "The file \(path) cannot be read: \(StandardOutput.reason(of: error)).")
    }
  }

  func write(_ record: OperatorRecord, answer: @escaping (_ failure: OperatorFailure?) -> Void) {
    worker.perform(
      { [folder] () -> SystemError? in
        do throws(SystemError) {
          try Self.write(record, in: folder)
          return nil
        } catch {
          return error
        }
      },
      then: { answer($0.map { .notKept("\(Self.name) cannot be written (\($0.reason))") }) })
  }

  /// Replaces the file of a folder at once.
  static func write(_ record: OperatorRecord, in folder: String) throws(SystemError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(record) else {
      preconditionFailure("The operator's decisions must be encodable.")
    }
    try NewFile.replace("\(folder)/\(name)", with: Array(data) + [UInt8(ascii: "\n")])
    try NewFile.synchronize(folder)
  }
}

extension OperatorRecord {
  /// The names that are banned, although the operator probably meant an address.
  var namesLikeAddresses: [PlayerName] {
    bans.compactMap { ban in
      guard case .name(let name) = ban.subject else { return nil }
      if case .name = try? BanSubject(name.text) { return nil }
      return name
    }
  }
}

extension OperatorRecord: Codable {
  /// A ban or a mute. A ban has a name or a network.
  private struct Entry: Codable {
    var name: String?
    var network: String?
    /// Milliseconds since 1970; absent for ever.
    var end: Int64?
    /// The length of the whole term in milliseconds.
    var length: Int64?

    init(name: PlayerName? = nil, network: IPNetwork? = nil, _ term: Term) {
      self.name = name?.text
      self.network = network?.description
      end = term.end.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
      length = term.length.map { Int64($0.wholeMilliseconds) }
    }

    var term: Term {
      Term(
        end: end.map { Date(timeIntervalSince1970: TimeInterval($0) / 1_000) },
        length: length.map { .milliseconds($0) })
    }

    var subject: BanSubject? {
      if let network { return IPNetwork(network).map { .network($0) } }
      return playerName.map { .name($0) }
    }

    var playerName: PlayerName? { name.flatMap { try? PlayerName($0) } }

    /// Whether it has a form of the bot's name that an older server took for another name. Nobody
    /// can have it any more.
    var isOfBot: Bool { name.flatMap(PlayerName.key(of:))?.text == Player.botName }
  }

  private enum Key: CodingKey {
    case bans, mutes, motd
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func entries<Item>(_ key: Key, _ item: (Entry) -> Item?) throws -> [Item] {
      let entries = try container.decodeIfPresent([Entry].self, forKey: key) ?? []
      return try entries.filter { !$0.isOfBot }.map { entry in
        guard let item = item(entry) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "An entry has no name or network.")
        }
        return item
      }
    }
    bans = try entries(.bans) { entry in
      entry.subject.map { Ban(subject: $0, term: entry.term) }
    }
    mutes = try entries(.mutes) { entry in
      entry.playerName.map { Mute(name: $0, term: entry.term) }
    }
    motd = try container.decodeIfPresent(String.self, forKey: .motd)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(
      bans.map { ban in
        switch ban.subject {
        case .network(let network): Entry(network: network, ban.term)
        case .name(let name): Entry(name: name, ban.term)
        }
      }, forKey: .bans)
    try container.encode(mutes.map { Entry(name: $0.name, $0.term) }, forKey: .mutes)
    try container.encodeIfPresent(motd, forKey: .motd)
  }
}

extension ServerLog {
  /// Reports the bans of names that look like addresses, which an older server took for names.
  func report(doubtfulBansOf names: [PlayerName]) {
    for name in names {
      log.write(
        .warning, "doubtfulBan",
        [
          "name": .text(name.text),
          "text": .words("This is the ban of a name, and keeps no address out."),
        ])
    }
  }
}
