// What the load says to each of the servers that it can be run against, and how it counts answers.
#include <stdbool.h>

struct peer {
  const char *name;
  bool plays;       // it is sent the lines of the game; every other one relays a text as long as a diff
  char ready;       // the byte that is counted until a player has come in:
  int greetings;    // how many of it come first, before the peer is spoken to,
  int readies;      // and how many answer what a player says on entering
  char mark;        // after that, each answer holds one of this
  int last_answers; // how many answer the last move of a game
  int backlog;      // connections at once that may wait for being in: fewer than it lets wait for accept
  // Each of these writes what a player says, and answers its length.
  int (*enter)(char *text, int player);
  int (*publish)(char *text, int player);  // for a peer that does not play
};

extern const struct peer peers[];
const struct peer *peer_named(const char *name);
