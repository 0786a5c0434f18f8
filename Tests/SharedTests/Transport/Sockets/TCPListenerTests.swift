#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct TCPListenerTests {
  @Test(arguments: PollerKind.allCases)
  func `a port that is taken throws`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    let first = try TCPListener(loop: loop, address: .loopback()) { _ in }
    #expect(first.address.port != 0)
    #expect(throws: SystemError(call: "bind", code: EADDRINUSE)) {
      try TCPListener(loop: loop, address: first.address) { _ in }
    }
    first.close()
    let again = try TCPListener(loop: loop, address: first.address) { _ in }
    again.close()
    again.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `all interfaces of IPv4 and IPv6 can listen on the same port`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var accepted: [TCPConnection] = []
    let any = try SocketAddress.resolve(host: nil, port: 0, passive: true)
    #expect(Set(any.map(\.family)) == [AF_INET, AF_INET6])
    let first = try TCPListener(loop: loop, address: any[0]) { accepted.append($0) }
    let port = first.address.port
    let second = try TCPListener(loop: loop, address: any[1].with(port: port)) {
      accepted.append($0)
    }
    let peers = [
      try Peer(to: .loopback("127.0.0.1", port: port)), try Peer(to: .loopback("::1", port: port)),
    ]
    try loop.turn { accepted.count == 2 }
    #expect(accepted.filter { $0.peerAddress.description.hasPrefix("127.0.0.1:") }.count == 1)
    #expect(accepted.filter { $0.peerAddress.description.hasPrefix("[::1]:") }.count == 1)
    for peer in peers { peer.socket.close() }
    first.close()
    second.close()
  }

  @Test(arguments: PollerKind.allCases)
  func `nothing is accepted after close, not even in the same turn`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var listener: TCPListener?
    var accepted = 0
    listener = try TCPListener(loop: loop, address: .loopback()) { _ in
      accepted += 1
      listener?.close()
    }
    let address = try #require(listener).address
    let peers = [try Peer(to: address), try Peer(to: address)]
    try loop.turn { accepted > 0 }
    try loop.turnAFewTimes()
    #expect(accepted == 1)
    listener = nil
    for peer in peers { peer.socket.close() }
  }

  @Test(arguments: PollerKind.allCases)
  func `two hundred connections are each served`(kind: PollerKind) throws {
    let fixture = try ListenerFixture(kind)
    let recorder = ConnectionRecorder()
    recorder.onReceive = { $0.send($1) }
    var peers: [Peer] = []
    for _ in 0..<200 {
      peers.append(try Peer(to: fixture.listener.address))
      try fixture.loop.turn(wait: .zero)
    }
    try fixture.loop.turn { fixture.accepted.count == 200 }
    for connection in fixture.accepted { connection.delegate = recorder }
    for round in 0..<3 {
      for (number, peer) in peers.enumerated() { try peer.send("\(round) \(number)") }
      var left = Array(peers.enumerated())
      try fixture.loop.turn {
        try left.removeAll { try $1.receiveText() == "\(round) \($0)" }
        return left.isEmpty
      }
    }
    for peer in peers { peer.socket.close() }
    try fixture.loop.turn { recorder.ends.count == 200 }
    #expect(recorder.ends.allSatisfy { $0 == .inputEnded })
  }
}
