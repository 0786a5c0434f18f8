import Shared
import Testing

@testable import Server

@Suite struct NodeTextTests {
  @Test func `the replies of all nodes stand below their names`() throws {
    let text = try AdminText.text([
      #"{"type":"all","count":5,"nodes":3}"#,
      #"{"type":"players","at":"a","count":1}"#,
      #"{"type":"player","at":"a","name":"ann","place":"lobby","since":2000,"away":false,"#
        + #""registered":true,"muted":false}"#,
      #"{"type":"done","at":"b","message":"Games begin again."}"#,
      #"{"type":"missing","at":"c","message":"The node does not answer."}"#,
      #"{"type":"error","at":"d","code":"badField","message":"No."}"#,
    ])
    #expect(
      text == """
        a:
        NAME  ADDRESS  PLACE  MATCH  SINCE
        ann            lobby         2s     registered
        b: Games begin again.
        c: The node does not answer.
        d: No.

        """)
  }

  @Test func `a cluster is a table of nodes, and one of replicas`() throws {
    let status =
      #""version":"1.0","uptime":61000,"sessions":12,"matches":5,"incarnation":3"#
    let text = try AdminText.text([
      #"{"type":"cluster","count":4,"nodes":3,"engine":true,"used":104857600,"limit":209715200}"#,
      #"{"type":"status","at":"a","advertise":"a.example.org:7779",\#(status),"draining":false,"#
        + #""engineTime":0,"skew":-3}"#,
      #"{"type":"status","at":"b","advertise":"b.example.org:7779",\#(status),"draining":true,"#
        + #""problem":"No.","skew":7}"#,
      #"{"type":"missing","at":"c","message":"The node does not answer."}"#,
      #"{"type":"replica","address":"10.0.0.2:6379","state":"online","behind":10,"lag":1000}"#,
    ])
    #expect(
      text == """
        NODE  ADDRESS             LIFE  STATE            VERSION  UPTIME  PLAYERS  MATCHES  ENGINE  CLOCK
        a     a.example.org:7779  3     serving          1.0      1m 1s   12       5        <1 ms   -3 ms
        b     b.example.org:7779  3     draining         1.0      1m 1s   12       5        away    +7 ms
        c                               does not answer
        b: No.

        The engine uses 100 MiB of 200 (50 %).
        REPLICA        STATE   BEHIND    LAST REPLY
        10.0.0.2:6379  online  10 bytes  1s ago

        """)
  }

  @Test func `--all is for some commands only`() throws {
    let (line, _) = try AdminTool.request(["drain", "10m"], atAll: true)
    #expect(line.contains(Array("drain".utf8)))
    var decoder = LineDecoder.forAdmin
    let decoded = try decoder.decode(line.span)
    #expect(decoded.map { AdminCommand.allCases[$0.spec] } == .all)
    #expect(throws: UsageError.self) { try AdminTool.request(["kick", "ann"], atAll: true) }
    #expect(throws: UsageError.self) { try AdminTool.request(["all", "status"]) }
    #expect(throws: UsageError.self) { try AdminTool.request(["move", "m1"]) }
    #expect(throws: UsageError.self) { try AdminTool.request(["move", "m1", "a b"]) }
    #expect(throws: UsageError.self) { try AdminTool.request(["rebalance", "b"]) }
  }
}
