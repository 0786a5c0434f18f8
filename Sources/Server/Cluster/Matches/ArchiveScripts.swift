import Shared

/// The scripts of `tictactoe-server archive --follow`, which takes finished matches out of the
/// engine. Its keys begin with `list:/`, to which the user of an older set-up has the right; no
/// name of a node contains a slash.
///
/// - `list:/follower` has the last word of the follower in milliseconds since 1970, by the engine's
///   clock, and its id; `-` in place of the id if it has stopped.
/// - `list:/archives` has the addresses at which followers answer, with the last word of each.
/// - `list:/finished` has the matches that wait for it, by the times at which they ended.
extension RedisScript {
  /// How long the last entry of a match that is in the archive stays in the engine. An owner that
  /// still compares the stream finds it, and does not write the match again.
  static let removedStreamTime: Duration = .seconds(30)
  /// What the number of the last result becomes when a match is in the archive: larger than any,
  /// so that no result is written again.
  static let archivedResult = "9007199254740991"

  private static let engineTime = """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)

    """

  /// Takes or renews the lease: id, term in milliseconds, the address at which the follower
  /// answers, or nothing. A follower that stands by answers too. Returns 1, or 0 if another
  /// follower has given its word within the term.
  static let follow = RedisScript(
    name: "follow",
    text: engineTime + """
      if ARGV[3] ~= '' then
        redis.call('HSET', 'list:/archives', ARGV[3], string.format('%.0f', now))
      end
      local word, id = string.match(redis.call('GET', 'list:/follower') or '', '^(%d+) (%S+)')
      if id and id ~= '-' and id ~= ARGV[1] and math.abs(now - word) < tonumber(ARGV[2]) then
        return 0
      end
      redis.call('SET', 'list:/follower', string.format('%.0f ', now) .. ARGV[1])
      return 1
      """)

  /// Gives the lease up, so that another follower takes it at once: id. The address stays, so that
  /// nobody believes that the matches there are nowhere.
  static let unfollow = RedisScript(
    name: "unfollow",
    text: """
      local word, id = string.match(redis.call('GET', 'list:/follower') or '', '^(%d+) (%S+)')
      if id ~= ARGV[1] then return 0 end
      redis.call('SET', 'list:/follower', word .. ' -')
      return 1
      """)

  /// Removes the stream of a match that the archive has: match, id of the follower, id of the last
  /// entry, number of entries. Returns 1; 0 if the follower has lost the lease; -1 if the match has
  /// not ended, or is not as the follower has read it.
  static let removeArchived = RedisScript(
    name: "removeArchived",
    text: """
      local id = string.match(redis.call('GET', 'list:/follower') or '', '^%d+ (%S+)')
      if id ~= ARGV[2] then return 0 end
      if redis.call('HEXISTS', 'owners', ARGV[1]) == 1 then return -1 end
      local stream, results = 'j:' .. ARGV[1], 'g:' .. ARGV[1]
      local entries = redis.call('XRANGE', stream, '-', '+')
      if #entries > 0 then
        local top = entries[#entries]
        if #entries ~= tonumber(ARGV[4]) or top[1] ~= ARGV[3] then return -1 end
        local fields = {}
        for i = 1, #top[2], 2 do fields[top[2][i]] = top[2][i + 1] end
        if not fields.x then return -1 end
        redis.call('DEL', stream)
        redis.call('XADD', stream, top[1], 'p', fields.p or top[1], 'x', '1')
        redis.call('PEXPIRE', stream, \(removedStreamTime.milliseconds))
        if redis.call('EXISTS', results) == 1 then
          redis.call(
            'SET', results, '\(archivedResult)', 'EX', \(ResultWriter.memory.components.seconds))
        end
      end
      redis.call('ZREM', 'list:/finished', ARGV[1])
      return 1
      """)

  /// Limits how long finished matches are kept for which no follower has come: how long after its
  /// last word they are kept without a limit, in milliseconds. Returns how many matches it has
  /// given a limit; at most 200, so it has to be run again.
  static let limitFinished = RedisScript(
    name: "limitFinished",
    text: engineTime + """
      local word = string.match(redis.call('GET', 'list:/follower') or '', '^%d+')
      if word and now - word < tonumber(ARGV[1]) then return 0 end
      local matches = redis.call('ZRANGE', 'list:/finished', 0, 199)
      for _, match in ipairs(matches) do
        redis.call('PEXPIRE', 'j:' .. match, \(finishedStreamTime.milliseconds))
        redis.call('ZREM', 'list:/finished', match)
      end
      return #matches
      """)
}
