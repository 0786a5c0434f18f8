/// The scripts of a node: how it joins, shows that it is alive, and leaves.
extension RedisScript {
  /// Returns the address of a life; `false` if the node has left, was buried, or lives another one.
  static let addressOfLife = """
    local function address(life)
      local node, incarnation = string.match(life, '^(%S+) (%d+)$')
      local entry = node and redis.call('HGET', 'nodes', node)
      if not entry then return false end
      local current, place = string.match(entry, '^(%d+) %d+ %d+ (.+)$')
      return current == incarnation and place
    end

    """

  /// Begins a life: node, address, load, the largest incarnation that the node has seen, because a
  /// failover may have lost the last ones; and the incarnation and counter of a node with this name
  /// at another address that is known to be dead. Returns the incarnation; or what stands under the
  /// name, if that has another address and may be alive.
  static let join = RedisScript(
    name: "join",
    text: """
      local entry = redis.call('HGET', 'nodes', ARGV[1])
      if entry then
        local moment, place = string.match(entry, '^(%d+ %d+) %d+ (.+)$')
        if place and place ~= ARGV[2] and moment ~= ARGV[5] then return entry end
      end
      local incarnation = redis.call('INCR', 'incarnations')
      if incarnation <= tonumber(ARGV[4]) then
        incarnation = ARGV[4] + 1
        redis.call('SET', 'incarnations', incarnation)
      end
      redis.call('HSET', 'nodes', ARGV[1], incarnation .. ' 0 ' .. ARGV[3] .. ' ' .. ARGV[2])
      redis.call('SADD', 'lives', ARGV[1] .. ' ' .. incarnation)
      return incarnation
      """)

  /// Shows that a life goes on: node, incarnation, counter, load, address. Returns all nodes, and
  /// the lives that may have matches; -1 if a later life of the node has begun, 0 if it was buried,
  /// or its beginning was lost with a primary.
  static let renew = RedisScript(
    name: "renew",
    text: """
      local entry = redis.call('HGET', 'nodes', ARGV[1])
      if not entry then return 0 end
      local current = tonumber(string.match(entry, '^%d+'))
      if current > tonumber(ARGV[2]) then return -1 end
      if current < tonumber(ARGV[2]) then return 0 end
      redis.call('HSET', 'nodes', ARGV[1],
        ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
      return {redis.call('HGETALL', 'nodes'), redis.call('SMEMBERS', 'lives')}
      """)

  /// Removes a node, if it has not shown itself since: node, incarnation, counter.
  static let bury = RedisScript(
    name: "bury",
    text: """
      local entry = redis.call('HGET', 'nodes', ARGV[1])
      if not entry then return 0 end
      local incarnation, counter = string.match(entry, '^(%d+) (%d+) ')
      if incarnation ~= ARGV[2] or counter ~= ARGV[3] then return 0 end
      return redis.call('HDEL', 'nodes', ARGV[1])
      """)

  /// Ends a life: node, incarnation. Others may take over its matches at once.
  static let leave = RedisScript(
    name: "leave",
    text: """
      local entry = redis.call('HGET', 'nodes', ARGV[1])
      if not entry or string.match(entry, '^%d+') ~= ARGV[2] then return 0 end
      return redis.call('HDEL', 'nodes', ARGV[1])
      """)

  /// Forgets a life that has left no matches.
  static let forgetLife = RedisScript(
    name: "forgetLife",
    text: """
      if redis.call('EXISTS', 'o:' .. ARGV[1]) == 0 then redis.call('SREM', 'lives', ARGV[1]) end
      return 1
      """)
}
