/// What the engine does in one step with accounts and results.
///
/// - `a:KEY` is the hash of an account, by the key of its name: `id`, `name`, `password`,
///   `created` in milliseconds since 1970, and `r:GAME` with its rating in a kind of game.
/// - `l:GAME` is the leaderboard of a game: a sorted set of the names, each followed by a LF and
///   its key, with the negative rating, so that equal ones are in the order of their names.
/// - `h:KEY` has the finished games of a name, and `h:` all, the latest first.
/// - `g:MATCH` is the number of the last `gameDidEnd` of a match whose result was written.
/// - `accounts` and `games` count the ids that were given.
extension RedisScript {
  /// Adds an account. Returns its id; 0 if the name is registered.
  ///
  /// Keys: the account, `accounts`. Arguments: name, hash, time.
  static let addAccount = RedisScript(
    name: "addAccount",
    text: """
      if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
      local id = redis.call('INCR', KEYS[2])
      redis.call('HSET', KEYS[1], 'id', id, 'name', ARGV[1], 'password', ARGV[2],
        'created', ARGV[3])
      return id
      """)

  /// Replaces the hash of a password. Returns 0 if it is not the one that was checked.
  ///
  /// Key: the account. Arguments: id, present hash, new hash.
  static let changePassword = RedisScript(
    name: "changePassword",
    text: """
      local found = redis.call('HMGET', KEYS[1], 'id', 'password')
      if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then return 0 end
      redis.call('HSET', KEYS[1], 'password', ARGV[3])
      return 1
      """)

  /// Deletes an account with its ratings. Returns 0 if the name has another one, or none.
  ///
  /// Keys: the account, the leaderboards. Arguments: id, member of the leaderboards.
  static let removeAccount = RedisScript(
    name: "removeAccount",
    text: """
      if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return 0 end
      for i = 2, #KEYS do redis.call('ZREM', KEYS[i], ARGV[2]) end
      redis.call('DEL', KEYS[1])
      return 1
      """)

  /// Writes the result of a finished game, and the new ratings if it is rated. Returns `OK`; an
  /// integer, the number of the last `gameDidEnd`, if the result was written before; the present
  /// ratings of X and O if the new ones were computed from others.
  ///
  /// Keys: `g:MATCH`, `games`, `h:`, `h:KEY` of X and O; if it is rated, also `a:KEY` of X and O,
  /// `l:GAME`. Arguments: number of the `gameDidEnd`, result, how many games are kept of a player
  /// and of all, with up to a sixteenth more; if it is rated, also the field of the ratings and,
  /// for X and O each: id, present rating, new rating, score, member of the leaderboard. The rating
  /// is empty for a new player, and `-` for an account that is gone.
  static let writeResult = RedisScript(
    name: "writeResult",
    text: """
      local written = tonumber(redis.call('GET', KEYS[1]) or 0)
      if written >= tonumber(ARGV[1]) then return written end
      local function rating(account, id)
        local found = redis.call('HMGET', account, 'id', ARGV[5])
        if found[1] ~= id then return '-' end
        return found[2] or ''
      end
      if KEYS[6] then
        local x, o = rating(KEYS[6], ARGV[6]), rating(KEYS[7], ARGV[11])
        if x ~= ARGV[7] or o ~= ARGV[12] then return {x, o} end
        for player = 0, 1 do
          local first = 6 + 5 * player
          if ARGV[first + 1] ~= '-' then
            redis.call('HSET', KEYS[6 + player], ARGV[5], ARGV[first + 2])
            redis.call('ZADD', KEYS[8], ARGV[first + 3], ARGV[first + 4])
          end
        end
      end
      local result = redis.call('INCR', KEYS[2]) .. '\\n' .. ARGV[2]
      for i = 3, 5 do
        local kept = tonumber(i == 3 and ARGV[4] or ARGV[3])
        -- So that not each game of a full list cuts it.
        if redis.call('LPUSH', KEYS[i], result) > kept + kept / 16 then
          redis.call('LTRIM', KEYS[i], 0, kept - 1)
        end
        -- Names of guests are used once, and their lists would fill the engine.
        if i > 3 then redis.call('EXPIRE', KEYS[i], 90 * 86400) end
      end
      redis.call('SET', KEYS[1], ARGV[1])
      return redis.status_reply('OK')
      """)

  /// Returns the games of a list that have an id below one.
  ///
  /// Key: the list. Arguments: the id, the maximum number of games.
  static let readHistory = RedisScript(
    name: "readHistory",
    text: """
      local first, last = 0, redis.call('LLEN', KEYS[1])
      while first < last do
        local middle = math.floor((first + last) / 2)
        local id = string.match(redis.call('LINDEX', KEYS[1], middle), '^%d+')
        if tonumber(id) < tonumber(ARGV[1]) then last = middle else first = middle + 1 end
      end
      return redis.call('LRANGE', KEYS[1], first, first + ARGV[2] - 1)
      """)

  /// Returns the best players of a game: for each the name and the rating.
  ///
  /// Key: the leaderboard. Arguments: the maximum number of players, the field of the ratings.
  static let readLeaderboard = RedisScript(
    name: "readLeaderboard",
    text: """
      local items = {}
      for i, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, ARGV[1] - 1)) do
        local name, key = string.match(member, '^(.*)\\n(.*)$')
        items[i] = {name, redis.call('HGET', 'a:' .. key, ARGV[2])}
      end
      return items
      """)
}
