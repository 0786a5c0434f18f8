import Testing

@testable import Server

@Suite struct RedisStateTests {
  @Test func `replicas are read with how far they are behind`() {
    let state = RedisState(
      memory: "# Memory\r\nused_memory:1000\r\nmaxmemory:4000\r\n",
      replication: """
        # Replication\r
        role:master\r
        connected_slaves:2\r
        slave0:ip=10.0.0.2,port=6379,state=online,offset=900,lag=1\r
        slave1:ip=10.0.0.3,port=6379,state=wait_bgsave,offset=0,lag=0,type=replica\r
        master_repl_offset:1000\r

        """)
    #expect(state.usage.used == 1_000 && state.usage.limit == 4_000)
    #expect(
      state.replicas == [
        RedisState.Replica(
          address: "10.0.0.2:6379", state: "online", bytesBehind: 100, silence: .seconds(1)),
        RedisState.Replica(
          address: "10.0.0.3:6379", state: "wait_bgsave", bytesBehind: 1_000, silence: .zero),
      ])
  }

  @Test func `what is absent counts as nothing`() {
    let state = RedisState(memory: "", replication: "slave0:nonsense")
    #expect(state.replicas.isEmpty && state.usage.limit == 0)
  }
}
