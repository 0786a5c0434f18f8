/// The scripts that say who has a name, and where a session is. A name `n:KEY` leads to a session,
/// and a session `s:ID` to its place: `n LIFE` in a node's lobby, `m MATCH`, or `x NODE` on its way
/// to a node.
extension RedisScript {
  private static let isTaken = """
    local function isTaken(session)
      local place = redis.call('GET', 's:' .. session)
      if not place then return false end
      local kind, rest = string.sub(place, 1, 1), string.sub(place, 3)
      if kind == 'n' then return address(rest) end
      if kind == 'm' then return redis.call('HEXISTS', 'owners', rest) == 1 end
      return redis.call('EXISTS', 'x:' .. session) == 1
    end

    """

  /// Takes a name for a new session: key, session, life. Returns 1, or 0 if somebody has it. If it
  /// is repeated, the session stays where it is by then.
  static let takeName = RedisScript(
    name: "takeName",
    text: addressOfLife + isTaken + """
      local session = redis.call('GET', 'n:' .. ARGV[1])
      if session and session ~= ARGV[2] and isTaken(session) then return 0 end
      redis.call('SET', 'n:' .. ARGV[1], ARGV[2])
      redis.call('SET', 's:' .. ARGV[2], 'n ' .. ARGV[3], 'NX')
      return 1
      """)

  /// Forgets a session that the engine has at a life, but not the life itself: session, life. Its
  /// end, or its way to another node, was lost with a primary.
  static let forgetSession = RedisScript(
    name: "forgetSession",
    text: """
      local key = 's:' .. ARGV[1]
      if redis.call('GET', key) == 'n ' .. ARGV[2] then redis.call('DEL', key) end
      return 1
      """)

  /// Writes again what a failover of the engine may have lost: key, session, life. A place in a
  /// match of another life is older than this one: the session has left that match since.
  static let keepSession = RedisScript(
    name: "keepSession",
    text: """
      redis.call('SET', 'n:' .. ARGV[1], ARGV[2], 'NX')
      local place = redis.call('GET', 's:' .. ARGV[2])
      local match = place and string.match(place, '^m (.+)$')
      if not place or (match and redis.call('HGET', 'owners', match) ~= ARGV[3]) then
        redis.call('SET', 's:' .. ARGV[2], 'n ' .. ARGV[3])
      end
      return 1
      """)

  /// Ends a session and frees its name: key, session.
  static let endSession = RedisScript(
    name: "endSession",
    text: """
      if redis.call('GET', 'n:' .. ARGV[1]) == ARGV[2] then redis.call('DEL', 'n:' .. ARGV[1]) end
      redis.call('DEL', 's:' .. ARGV[2], 'x:' .. ARGV[2])
      return 1
      """)

  /// Ends a session whose match has ended: key, session, match. Does nothing if its player has gone
  /// on to another match.
  static let endSessionOfMatch = RedisScript(
    name: "endSessionOfMatch",
    text: """
      if redis.call('GET', 's:' .. ARGV[2]) ~= 'm ' .. ARGV[3] then return 0 end
      if redis.call('GET', 'n:' .. ARGV[1]) == ARGV[2] then redis.call('DEL', 'n:' .. ARGV[1]) end
      redis.call('DEL', 's:' .. ARGV[2])
      return 1
      """)

  /// Returns the place of a session: `n`, life, its address; `m`, match, the life that owns it, its
  /// address; `x`, node, its address, the session itself. An address of a life that has ended is
  /// null. Returns an empty array if there is no such session.
  private static let placeOfSession = """
    local function placeOf(session)
      local place = redis.call('GET', 's:' .. session)
      if not place then return {} end
      local kind, rest = string.sub(place, 1, 1), string.sub(place, 3)
      if kind == 'n' then return {kind, rest, address(rest)} end
      if kind == 'm' then
        local owner = redis.call('HGET', 'owners', rest)
        if not owner then return {} end
        return {kind, rest, owner, address(owner)}
      end
      local entry = redis.call('HGET', 'nodes', rest)
      local place = entry and string.match(entry, '^%d+ %d+ %d+ (.+)$')
      return {kind, rest, place or false, redis.call('GET', 'x:' .. session)}
    end

    """

  static let findSession = RedisScript(
    name: "findSession",
    text: addressOfLife + placeOfSession + "return placeOf(ARGV[1])")

  /// Returns the place of the session that has a name.
  static let findName = RedisScript(
    name: "findName",
    text: addressOfLife + placeOfSession + """
      local session = redis.call('GET', 'n:' .. ARGV[1])
      if not session then return {} end
      return placeOf(session)
      """)

  /// Returns the life that owns a match, and its address, which is null if the life has ended;
  /// an empty array if there is no such match.
  static let findMatch = RedisScript(
    name: "findMatch",
    text: addressOfLife + """
      local owner = redis.call('HGET', 'owners', ARGV[1])
      if not owner then return {} end
      return {owner, address(owner)}
      """)

  /// Sends a session on its way to another node: session, life that has it, node, the session's
  /// text, for how long in milliseconds; the maximum number of such ways, in how many milliseconds;
  /// the key of the player whom the session follows, and the life where that player is. Without
  /// such a player both are empty.
  ///
  /// Returns 1, or why the session stays: 0 if that life does not have it, neither in its lobby nor
  /// in a match, which may have ended a moment ago; 2 if the other player is not in that lobby any
  /// more; 3 if it was sent too often. As the engine does one thing after the other, only one of
  /// two players goes who follow each other in the same moment.
  static let handOver = RedisScript(
    name: "handOver",
    text: """
      local key = 's:' .. ARGV[1]
      local place = redis.call('GET', key) or ''
      local match = string.match(place, '^m (.+)$')
      local owner = match and redis.call('HGET', 'owners', match)
      if place ~= 'n ' .. ARGV[2] and not (match and (owner or ARGV[2]) == ARGV[2]) then
        return 0
      end
      if ARGV[8] ~= '' then
        local other = redis.call('GET', 'n:' .. ARGV[8])
        if not other or redis.call('GET', 's:' .. other) ~= 'n ' .. ARGV[9] then return 2 end
      end
      local moves = 'm:' .. ARGV[1]
      if tonumber(redis.call('GET', moves) or '0') >= tonumber(ARGV[6]) then return 3 end
      if redis.call('INCR', moves) == 1 then redis.call('PEXPIRE', moves, ARGV[7]) end
      redis.call('SET', key, 'x ' .. ARGV[3])
      redis.call('SET', 'x:' .. ARGV[1], ARGV[4], 'PX', ARGV[5])
      return 1
      """)

  /// Takes a session that was on its way: session, life that takes it. Returns 0 if it is not on
  /// its way any more.
  static let takeOver = RedisScript(
    name: "takeOver",
    text: """
      if redis.call('DEL', 'x:' .. ARGV[1]) == 0 then return 0 end
      redis.call('SET', 's:' .. ARGV[1], 'n ' .. ARGV[2])
      return 1
      """)
}
