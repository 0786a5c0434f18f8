import Shared

/// Answers the nodes of a cluster that ask for a match of the archive: to the command `replay` of
/// the protocol it sends `replayDidStart`, events and `replayDidEnd`, or an error.
final class ArchiveResponder {
  /// How many nodes may be connected at a time.
  static let maxConnections = 256
  /// How long a connection may stand.
  static let maxTime: Duration = .seconds(10)

  private let loop: EventLoop
  /// Returns what the archive has; `nil` if it has no such match.
  private let find: (_ match: String, _ seq: Int) throws -> StoredReplay?
  private var listeners: [TCPListener] = []
  private var clients: [ObjectIdentifier: ArchiveClient] = [:]

  /// Listens on all addresses of a host.
  ///
  /// - Throws: a sentence for people if it cannot.
  init(
    on place: RedisAddress.Place, loop: EventLoop,
    find: @escaping (_ match: String, _ seq: Int) throws -> StoredReplay?
  ) throws(StartError) {
    self.loop = loop
    self.find = find
    do {
      for address in try SocketAddress.resolve(host: place.host, port: place.port, passive: true) {
        listeners.append(
          try TCPListener(loop: loop, address: address, accept: { [weak self] in self?.add($0) }))
      }
    } catch {
      throw StartError(
        code: .unavailable, sentence: "The follower cannot listen on \(place): \(error).")
    }
  }

  deinit { for listener in listeners { listener.close() } }

  private func add(_ connection: any Connection) {
    guard clients.count < Self.maxConnections else { return connection.reset() }
    let client = ArchiveClient(connection, find: find)
    let id = ObjectIdentifier(client)
    clients[id] = client
    let timer = loop.schedule(after: Self.maxTime) { connection.reset() }
    connection.onClose = { [weak self] in
      timer.cancel()
      self?.clients[id] = nil
    }
  }
}

private final class ArchiveClient {
  private let connection: any Connection
  private let find: (_ match: String, _ seq: Int) throws -> StoredReplay?
  private let decoder = CommandDecoder()
  private var framer = LineFramer(limit: ProtocolLimits.maxCommandLine)

  init(
    _ connection: any Connection,
    find: @escaping (_ match: String, _ seq: Int) throws -> StoredReplay?
  ) {
    self.connection = connection
    self.find = find
    connection.delegate = self
  }

  private func answer(_ line: Span<UInt8>) {
    guard case .replay(let match, let seq)? = (try? decoder.decode(line))?.command else {
      return refuse(.unknownType, "An archive only knows the command replay.")
    }
    do {
      guard let replay = try find(match, seq ?? 0) else {
        return refuse(.unknownMatch, "The archive has no match with that id.")
      }
      var bytes: [UInt8] = []
      EventEncoder.append(.replayDidStart(replay.header), to: &bytes)
      bytes += replay.lines
      EventEncoder.append(.replayDidEnd(match: match, next: replay.next), to: &bytes)
      connection.send(bytes.span)
    } catch {
      refuse(.unavailable, "The archive cannot be read.")
    }
  }

  private func refuse(_ code: ErrorCode, _ message: String) {
    var bytes: [UInt8] = []
    EventEncoder.append(.error(code, message: message), to: &bytes)
    connection.send(bytes.span)
  }
}

extension ArchiveClient: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while true {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): answer(bytes.extracting(range))
      case .joined(let line): answer(line.span)
      case .needsMore: return
      case .tooLong: return connection.reset()
      }
    }
  }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    connection.close()
  }
}
