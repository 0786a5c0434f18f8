// The lines that the load sends to each kind of server, and how it counts the replies.
#include <stdbool.h>

struct peer {
  const char *name;
  bool plays;       // gets the lines of the game; the others relay a text as long as a diff
  char ready;       // the byte that is counted until a player has entered:
  int greetings;    // how many of them the peer sends before the player sends anything,
  int readies;      // and how many reply to the player's preamble
  char mark;        // after that, each reply has one of these
  int last_answers; // how many replies the last move of a game has
  int backlog;      // connections that may enter at once: fewer than its backlog
  // Each of these writes a player's text, and returns its length.
  int (*enter)(char *text, int player);
  int (*publish)(char *text, int player);  // for a peer that does not play
};

extern const struct peer peers[];
const struct peer *peer_named(const char *name);
