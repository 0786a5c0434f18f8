import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// What goes on while the disk is full, and what ends when it is broken.
@Suite struct FullDiskTests {
  private let disk = TestDisk()

  private func fixture(games: [Game] = [.ticTacToe]) throws -> StoreFixture {
    try StoreFixture(
      games: games, options: StoreOptions(maxSegment: 65_536), calls: disk.calls)
  }

  /// Plays and chats until the store asks for a segment, and does not get it.
  private func fill(_ fixture: StoreFixture, _ client: LineClient) {
    disk.isFull = true
    for _ in 0..<150 {
      fixture.server.clock.advance(by: .milliseconds(200))
      client.say("say \(String(repeating: "x", count: 200))")
      _ = client.takeLines()
      fixture.recovery.store.commit()
    }
    fixture.worker.run()
  }

  @Test func `on a full disk only running games go on, until there is room`() throws {
    let fixture = try fixture()
    let server = fixture.server
    let (ann, bob) = server.match()
    let (cat, dan) = server.match("cat", "dan")
    cat.say("resign")
    dan.say("start")
    _ = cat.takeLines()
    let (zoe, eve) = (server.client(as: "zoe"), server.client(as: "eve"))
    let code = try #require(try zoe.ask("open").first?["code"]?.text)
    fill(fixture, ann)
    _ = bob.takeLines()
    let refused: [(LineClient, String)] = [
      (eve, "start"), (eve, "start bot"), (eve, "start zoe"), (eve, "open"), (eve, "join \(code)"),
      (cat, "start"), (ann, "say hello"),
    ]
    for (client, line) in refused {
      let reply = try client.ask(line)
      #expect(reply.count == 1, "\(line)")
      #expect(reply.first?["code"]?.text == "full", "\(line)")
      #expect(try #require(reply.first?["retry"]?.integer) > 0, "\(line)")
    }
    server.playFirstRow(ann, bob)
    #expect(try ann.hearTypes().suffix(2) == ["boardDidChange", "gameDidEnd"])
    #expect(try ann.askTypes("leave") == ["matchDidEnd"])
    disk.isFull = false
    server.clock.advance(by: JournalStore.allocationDelay)
    fixture.worker.run()
    #expect(try cat.askTypes("start") == ["gameDidStart"])
    #expect(try cat.askTypes("say hello") == ["didSay"])
    #expect(try eve.askTypes("join \(code)") == ["gameDidStart"])
    #expect(try ann.askTypes("start bot") == ["gameDidStart"])
  }

  @Test(arguments: GameInfo.all.map(\.id))
  func `a game takes no more than its reserve`(id: String) throws {
    let info = try #require(GameInfo.all.first { $0.id == id })
    let fixture = try StoreFixture(
      folder: TemporaryFolder(inMemory: true), settings: ServerSettings(turn: .seconds(3_600)),
      games: [Game(info, makeBuilder: TicTacToeBuilder.init)])
    var random = SeededGenerator(seed: 7)
    let names = ["🎲\(String(repeating: "é", count: 23))", "🎲\(String(repeating: "ö", count: 23))"]
    for _ in 0..<20 {
      let begin = try fixture.journal.count
      let (x, o) = fixture.server.match(names[0], names[1])
      var board = info.board
      while let turn = board.turn {
        let cell = try #require(board.openCells.randomElement(using: &random))
        _ = try board.place(turn, at: cell)
        (turn == .x ? x : o).say("place \(cell.row) \(cell.column)")
        fixture.recovery.store.commit()
        fixture.server.clock.advance(by: .milliseconds(100))
        fixture.worker.run()
      }
      x.say("leave")
      fixture.recovery.store.commit()
      let size = try fixture.journal.count - begin
      #expect(size <= GameReserve.bytes(for: info), "\(size)")
      for client in [x, o] { client.say("quit") }
    }
  }

  @Test func `there is always room for all running games to end`() throws {
    let info = try #require(GameInfo.all.first { $0.id == "gomoku" })
    let fixture = try fixture(games: [Game(info, makeBuilder: TicTacToeBuilder.init)])
    var failures: [SystemError] = []
    fixture.recovery.store.onFailure = { failures.append($0) }
    var players: [(x: LineClient, o: LineClient)] = []
    for number in 0..<6 {
      let (x, o) = (
        fixture.server.client(as: "x\(number)"), fixture.server.client(as: "o\(number)")
      )
      x.say("start o\(number) gomoku")
      o.say("start x\(number) gomoku")
      players.append((x, o))
      fixture.recovery.store.commit()
      for _ in 0..<10 { fixture.worker.run() }
    }
    // Six games of 57 KiB each do not fit into one segment of 64 KiB.
    let files = try FileManager.default.contentsOfDirectory(atPath: fixture.journalPath)
    #expect(files.filter { $0.hasPrefix(Journal.nextPrefix) }.count >= 5)
    disk.isFull = true
    var boards = Array(repeating: info.board, count: players.count)
    for cell in Self.drawnGame {
      for index in boards.indices {
        let turn = try #require(boards[index].turn)
        let client = turn == .x ? players[index].x : players[index].o
        _ = try boards[index].place(turn, at: cell)
        client.say("place \(cell.row) \(cell.column)")
        fixture.server.clock.advance(by: .milliseconds(100))
        fixture.recovery.store.commit()
        fixture.worker.run()
      }
    }
    #expect(boards.allSatisfy { $0.turn == nil })
    #expect(failures.isEmpty)
    for (x, _) in players {
      #expect(try x.ask("sync").first?["result"]?.text == "draw")
    }
    #expect(try players[0].x.ask("start").first?["code"]?.text == "full")
  }

  /// All cells of a board of 15 by 15, so that nobody gets five in a row: X takes the columns 0 and
  /// 1, O the columns 2 and 3, and so on, shifted by two in every second row.
  private static let drawnGame: [Cell] = {
    var cells: [Bool: [Cell]] = [true: [], false: []]
    for row in 0..<15 {
      for column in 0..<15 {
        cells[(column + 2 * (row % 2)) % 4 < 2, default: []].append(Cell(row: row, column: column))
      }
    }
    var (x, o) = (cells[true] ?? [], cells[false] ?? [])
    // X moves first, so X has one cell more.
    while x.count > o.count + 1 { o.append(x.removeLast()) }
    while x.count < o.count + 1 { x.append(o.removeLast()) }
    return x.indices.flatMap { $0 < o.count ? [x[$0], o[$0]] : [x[$0]] }
  }()

  @Test func `a disk that fails to write or to synchronize ends the server`() throws {
    for fails in [TestDisk.Failure.write, .synchronize] {
      let disk = TestDisk()
      let fixture = try StoreFixture(calls: disk.calls)
      var failures: [SystemError] = []
      fixture.recovery.store.onFailure = { failures.append($0) }
      let (ann, _) = fixture.server.match()
      fixture.recovery.store.commit()
      disk.failure = fails
      ann.say("place 1 1")
      fixture.recovery.store.commit()
      fixture.server.clock.advance(by: .milliseconds(100))
      fixture.worker.run()
      #expect(failures.map(\.code) == [EIO])
      // It is never tried again.
      ann.say("place 0 0")
      fixture.recovery.store.commit()
      fixture.server.clock.advance(by: .seconds(10))
      fixture.worker.run()
      #expect(failures.count == 1)
    }
  }

  @Test func `with power, nothing leaves that the disk has not taken`() throws {
    let folder = TemporaryFolder()
    let (loop, worker) = (try EventLoop(), ManualWorker())
    let recovery = try Recovery(
      try DataFolder(folder.path, calls: disk.calls),
      games: GameRegistry([.ticTacToe]),
      options: StoreOptions(durability: .power),
      context: StoreContext(
        gate: loop.outputGate,
        workers: StoreWorkers(journal: worker, archive: worker, passwords: worker), timers: loop))
    var failures: [SystemError] = []
    recovery.store.onFailure = { failures.append($0) }
    let server = TestServer(store: recovery.store)
    let listener = try TCPListener(
      loop: loop,
      address: try #require(SocketAddress.resolve(host: "127.0.0.1", port: 0, passive: true).first),
      accept: { server.control.accept($0) })
    let ann = try PlainSocket(to: listener.address)
    /// What comes within a few turns.
    func reply(to line: String) throws -> String {
      try ann.send(line + "\n")
      var text = ""
      for _ in 0..<10 {
        try loop.turn(wait: .milliseconds(1))
        text += try ann.receiveText()
      }
      return text
    }
    #expect(try reply(to: "login ann").contains("didLogin"))
    #expect(try reply(to: "start bot") == "")
    worker.run()
    #expect(try reply(to: "").contains("gameDidStart"))
    disk.failure = .synchronize
    #expect(try reply(to: "place 1 1") == "")
    worker.run()
    #expect(failures.map(\.code) == [EIO])
    #expect(try reply(to: "ping") == "")
    listener.close()
  }
}

/// A client's end of a connection that no loop watches.
private final class PlainSocket {
  private let socket: Socket

  init(to address: SocketAddress) throws {
    socket = try Socket.open(family: address.family)
    try socket.disableNagle()
    try socket.connect(to: address)
  }

  deinit { socket.close() }

  func send(_ text: String) throws {
    var text = text
    _ = try text.withUTF8 { try socket.send(UnsafeRawBufferPointer($0)) }
  }

  /// What has come; empty if nothing has.
  func receiveText() throws -> String {
    try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
      do throws(SystemError) {
        return String(decoding: buffer[..<(try socket.receive(into: buffer))], as: UTF8.self)
      } catch {
        guard error.isWouldBlock else { throw error }
        return ""
      }
    }
  }
}

/// A disk that can be full or broken.
final class TestDisk: Sendable {
  enum Failure { case write, synchronize }

  private let state = Mutex<(isFull: Bool, failure: Failure?)>((false, nil))

  var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  var failure: Failure? {
    get { state.withLock { $0.failure } }
    set { state.withLock { $0.failure = newValue } }
  }

  var calls: DiskCalls {
    let real = DiskCalls()
    return DiskCalls(
      write: { [self] in
        guard failure == .write else { return real.write($0, $1) }
        errno = EIO
        return -1
      },
      synchronize: { [self] in
        guard failure == .synchronize else { return real.synchronize($0) }
        errno = EIO
        return -1
      },
      allocate: { [self] in isFull ? ENOSPC : real.allocate($0, $1) })
  }
}
