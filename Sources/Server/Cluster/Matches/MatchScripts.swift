import Shared

/// The scripts that change who owns a match.
extension RedisScript {
  /// Begins a match: match, life that owns it, id of the first entry, its records, 1 if the match
  /// ends with it, sessions. Returns the id, or 0 if there is such a stream, or if the life has
  /// ended and is forgotten: nobody would claim the match; an error if it is in the archive.
  ///
  /// It may come late, over a connection that was cut or because an engine has lost the match. Then
  /// a player who has gone on to another node's match stays there.
  static let beginMatch = RedisScript(
    name: "beginMatch",
    text: """
      local stream = 'j:' .. ARGV[1]
      if redis.call('EXISTS', stream) == 1 then return 0 end
      if redis.call('SISMEMBER', 'lives', ARGV[2]) == 0 then return 0 end
      if redis.call('GET', 'g:' .. ARGV[1]) == '\(archivedResult)' then
        return redis.error_reply('ENDED The match is in the archive.')
      end
      redis.call('HSET', 'owners', ARGV[1], ARGV[2])
      redis.call('SADD', 'o:' .. ARGV[2], ARGV[1])
      for i = 6, #ARGV do
        local place = redis.call('GET', 's:' .. ARGV[i])
        local other = place and string.match(place, '^m (.+)$')
        local owner = other and redis.call('HGET', 'owners', other)
        if not owner or owner == ARGV[2] then
          redis.call('SET', 's:' .. ARGV[i], 'm ' .. ARGV[1])
        end
      end
      if ARGV[5] == '1' then
        return redis.call('XADD', stream, ARGV[3], 'd', ARGV[4], 'x', '1')
      end
      return redis.call('XADD', stream, ARGV[3], 'd', ARGV[4])
      """)

  /// Takes over a match of a life that has ended: match, life that had it, new life, nonce.
  ///
  /// Returns the whole stream, with the claim as its last entry unless the match is finished, and
  /// does so again if the same claim is repeated, because its reply was lost. The term goes up, so
  /// the owner before can append nothing more. If both lives are the same, the new life takes up
  /// what is its own already, without another claim. Returns 0 if there is no such match, and
  /// otherwise, if it has another owner or its life goes on, the life that owns it.
  static let claim = RedisScript(
    name: "claim",
    text: addressOfLife + """
      local stream = 'j:' .. ARGV[1]
      local owner = redis.call('HGET', 'owners', ARGV[1])
      if not owner then return 0 end
      local top = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
      if not top then
        redis.call('HDEL', 'owners', ARGV[1])
        redis.call('SREM', 'o:' .. owner, ARGV[1])
        return 0
      end
      local fields = {}
      for i = 1, #top[2], 2 do fields[top[2][i]] = top[2][i + 1] end
      local claim = ARGV[3] .. ' ' .. ARGV[4]
      if owner == ARGV[3] and (fields.c == claim or fields.x or ARGV[2] == ARGV[3]) then
        return redis.call('XRANGE', stream, '-', '+')
      end
      if owner ~= ARGV[2] or address(owner) then return owner end
      if not fields.x then
        local term = string.match(top[1], '^%d+')
        redis.call('XADD', stream, (term + 1) .. '-0', 'p', top[1], 'c', claim)
      end
      redis.call('HSET', 'owners', ARGV[1], ARGV[3])
      redis.call('SREM', 'o:' .. owner, ARGV[1])
      redis.call('SADD', 'o:' .. ARGV[3], ARGV[1])
      return redis.call('XRANGE', stream, '-', '+')
      """)

  /// Makes a life the owner of a match again whose claim was lost with a primary, and has just been
  /// added again: match, id of the claim, claim, life. Does nothing if there is another claim.
  static let restoreClaim = RedisScript(
    name: "restoreClaim",
    text: """
      local entry = redis.call('XRANGE', 'j:' .. ARGV[1], ARGV[2], ARGV[2])[1]
      local owner = redis.call('HGET', 'owners', ARGV[1])
      if not entry or not owner or owner == ARGV[4] then return 0 end
      local isClaimed = false
      for i = 1, #entry[2], 2 do
        if entry[2][i] == 'c' then isClaimed = entry[2][i + 1] == ARGV[3] end
      end
      if not isClaimed then return 0 end
      redis.call('HSET', 'owners', ARGV[1], ARGV[4])
      redis.call('SREM', 'o:' .. owner, ARGV[1])
      redis.call('SADD', 'o:' .. ARGV[4], ARGV[1])
      return 1
      """)

  /// Ends a match: match, life that owns it, for how long after its last word a follower is waited
  /// for, in milliseconds. Until then its stream stays for the follower; otherwise it expires.
  static let endMatch = RedisScript(
    name: "endMatch",
    text: """
      if redis.call('HGET', 'owners', ARGV[1]) ~= ARGV[2] then return 0 end
      redis.call('HDEL', 'owners', ARGV[1])
      redis.call('SREM', 'o:' .. ARGV[2], ARGV[1])
      local word = string.match(redis.call('GET', 'list:/follower') or '', '^%d+')
      if word then
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        if now - word < tonumber(ARGV[3]) then
          redis.call('ZADD', 'list:/finished', now, ARGV[1])
          return 1
        end
      end
      redis.call('PEXPIRE', 'j:' .. ARGV[1], \(finishedStreamTime.milliseconds))
      return 1
      """)

  /// Ends a match that its owner does not have: match, life that owns it, the claim by which that
  /// has taken matches up, or nothing if it had the match. Either the match has ended, and the
  /// engine has lost its last entries; or it was claimed and cannot go on. Returns the whole
  /// stream, or 0 if there is none, or another owner; 2 if the match was given to that life, which
  /// has not taken it up yet.
  static let endLostMatch = RedisScript(
    name: "endLostMatch",
    text: """
      if redis.call('HGET', 'owners', ARGV[1]) ~= ARGV[2] then return 0 end
      local stream = 'j:' .. ARGV[1]
      local top = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
      if not top then
        redis.call('HDEL', 'owners', ARGV[1])
        redis.call('SREM', 'o:' .. ARGV[2], ARGV[1])
        return 0
      end
      local fields = {}
      for i = 1, #top[2], 2 do fields[top[2][i]] = top[2][i + 1] end
      if ARGV[3] ~= '' and fields.c and fields.c ~= ARGV[3] then return 2 end
      if not fields.x then
        local term, number = string.match(top[1], '^(%d+)-(%d+)$')
        redis.call('XADD', stream, term .. '-' .. (number + 1), 'p', top[1], 'x', '1')
      end
      return redis.call('XRANGE', stream, '-', '+')
      """)

  /// The players of a match that has ended are in the lobby: match, life that owns it, sessions.
  static let moveToLobby = RedisScript(
    name: "moveToLobby",
    text: """
      if redis.call('HGET', 'owners', ARGV[1]) ~= ARGV[2] then return 0 end
      for i = 3, #ARGV do
        if redis.call('GET', 's:' .. ARGV[i]) == 'm ' .. ARGV[1] then
          redis.call('SET', 's:' .. ARGV[i], 'n ' .. ARGV[2])
        end
      end
      return 1
      """)
}
