// The load: plays many matches at once against a server on this machine. Both players of each match
// are its own connections. It knows every line beforehand, so it counts newlines and parses nothing. A
// step is one line in and at least one line to each player; the next step of a match waits for these. A
// game is its moves, then a `start` from both players.
//
//     load --port PORT [--peer NAME] [--pid PID] [--connections N] [--seconds S] [--rate MOVES]
//          [--games N] [--short] [--bare] [--settle S] [--first N] [--sleep] [--engine PID]...
//
// Its lines are those of the project's own client: each has an id, and a `start` names its game.
// --bare: lines without these.
//
// Runs a closed loop, as fast as the server replies, unless --rate gives the moves a second of all
// matches. Then a move's time counts from when it was due, so that a stall of the server shows.
// --games ends after that many games of each match, instead of after --seconds. --short: X wins with
// the fifth move instead of the ninth. --peer names the program that listens there, if it is not the
// server (see peers.c). With --pid the load reads its memory and CPU time. --settle: reads the memory
// after play only when the server has had so many seconds of rest. --first: the number of the first
// player, for a load beside another one; it is even. --sleep: with --rate, sleeps until the next step is
// due instead of polling the clock, for a load that shares its core. --engine: reads the CPU time of a
// further process, up to four times.
//
// `moves` are those of the part that is measured, `allMoves` also those before: the first ones, and
// those of the fifth of the time that warms up.
//
// Prints one "name value" a line. Memory is in bytes, times are in ns.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "peers.h"

struct player { int fd, wanted; bool is_greeted; long last_id; };
struct match { struct player players[2]; int step; long games, turns; uint64_t since; };

static struct {
  int port, pid, connections, games, first, engine_count;
  double seconds, rate, settle;
  bool brief, bare, sleeps;
} options = {.connections = 100, .seconds = 5};
static const struct peer *peer = peers;
static char mark;
enum { most_engines = 4 };
static clockid_t server_clock, engine_clocks[most_engines];
static struct match *matches;
static int match_count, epoll;
static long moves, all_moves, starts_done;
static bool is_playing, is_measuring, is_over;
static uint64_t clock_now, schedule_start;
static double interval;  // ns between two steps of all matches; 0 in a closed loop
enum { slowest = 2000000, longest_text = 512, longest_silence = 10000 };  // µs, bytes, ms
static uint32_t latencies[slowest + 1];  // by whole microseconds

// X wins both with the top row, so that they end in the same way.
static const int whole[] = {0, 3, 1, 4, 5, 7, 6, 8, 2}, brief[] = {0, 3, 1, 4, 2};
static const int *cells = whole;
static int move_count = 9;

static void die(const char *what) { fprintf(stderr, "load: %s\n", what); exit(1); }

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// The server, as the kernel sees it.

static long server_memory(void) {
  char path[64];
  long pages = 0;
  if (!options.pid) return 0;
  snprintf(path, sizeof path, "/proc/%d/statm", options.pid);
  FILE *stream = fopen(path, "r");
  if (!stream || fscanf(stream, "%*d %ld", &pages) != 1) die("the server is gone");
  fclose(stream);
  return pages * sysconf(_SC_PAGESIZE);
}

// The processor time of all threads of a process, in ns.
static uint64_t time_of(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time)) die("the server is gone");
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static uint64_t server_time(void) { return options.pid ? time_of(server_clock) : 0; }

static void read_engines(uint64_t times[]) {
  for (int i = 0; i < options.engine_count; i++) times[i] = time_of(engine_clocks[i]);
}

// Steps: a move each, then the `start` of both.

static void send_line(struct player *player, const char *line, int length) {
  if (send(player->fd, line, length, MSG_NOSIGNAL) != length) die("a line did not go out");
}

static int step_line(struct match *match, int side, char *line) {
  int step = match->step;
  long player = options.first + 2 * (match - matches) + side;
  if (!peer->plays) return peer->publish(line, (int)player);
  const char *game = options.bare ? "" : ",\"game\":\"tictactoe\"";
  char id[32] = "";
  if (!options.bare) sprintf(id, ",\"id\":%ld", ++match->players[side].last_id);
  if (step < move_count)
    return sprintf(line, "{\"type\":\"place\"%s,\"row\":%d,\"col\":%d}\n", id, cells[step] / 3, cells[step] % 3);
  if (match->games < 0)
    return sprintf(line, "{\"type\":\"start\"%s,\"opponent\":\"p%ld\"%s}\n", id, player ^ 1, game);
  return sprintf(line, "{\"type\":\"start\"%s%s}\n", id, game);
}

static void begin_step(struct match *match, uint64_t due) {
  char line[longest_text];
  int step = match->step, side = step < move_count ? (step + match->games) & 1 : step - move_count;
  int length = step_line(match, side, line);
  int answers = step == move_count - 1 ? peer->last_answers : 1;
  match->players[0].wanted += answers;
  match->players[1].wanted += answers;
  match->since = due;
  send_line(&match->players[side], line, length);
}

static uint64_t due(struct match *match) {
  return schedule_start + (uint64_t)(interval * ((double)match->turns * match_count + (match - matches)));
}

// The next step, now or when it is due.
static void go_on(struct match *match) {
  if (interval == 0) return begin_step(match, clock_now);
  if (due(match) <= clock_now) begin_step(match, due(match));
}

static void end_step(struct match *match) {
  if (match->step < move_count) all_moves++;
  if (match->step < move_count && is_measuring) {
    uint64_t latency = (clock_now - match->since) / 1000;
    latencies[latency < slowest ? latency : slowest]++;
    moves++;
  }
  match->turns++;
  if (++match->step == move_count + 2) match->step = 0, match->games++;
  if (!is_playing) {
    if (match->step != 1) return begin_step(match, clock_now);
    starts_done++;
    return;
  }
  if (options.games && match->games >= options.games && match->step == move_count) {
    if (++starts_done == match_count) is_over = true;
    return;
  }
  go_on(match);
}

// Reads the input; returns whether all awaited lines have arrived.
static bool take_lines(struct player *player) {
  static char input[65536];
  ssize_t size = recv(player->fd, input, sizeof input, MSG_DONTWAIT);
  if (size < 0 && errno == EAGAIN) return false;
  if (size <= 0) die("the server closed a connection");
  if (peer->plays && size > 13 && (!memcmp(input + 9, "error", 5) || !memcmp(input + 9, "bye", 3))) {
    fwrite(input, 1, size, stderr);
    die("the server refused a line");
  }
  for (char *at = input; (at = memchr(at, mark, input + size - at)); at++) player->wanted--;
  if (player->wanted < 0) die("more lines came than were expected");
  return player->wanted == 0;
}

static struct epoll_event events[512];

// Waits for up to so many ns; if negative, for as long as a server may be silent.
static int wait_for_lines(int64_t timeout) {
  int64_t limit = timeout < 0 ? longest_silence * 1000000LL : timeout;
  struct timespec time = {limit / 1000000000, limit % 1000000000};
  int count = epoll_pwait2(epoll, events, 512, &time, NULL);
  if (count == 0 && timeout < 0) die("the server has fallen silent");
  return count;
}

static struct match *next_finished(int count, int *index) {
  while (*index < count) {
    uint64_t id = events[(*index)++].data.u64;
    struct match *match = &matches[id / 2];
    if (take_lines(&match->players[id % 2]) && !match->players[1 - id % 2].wanted) return match;
  }
  return NULL;
}

// One turn: ends the steps whose lines have arrived.
static void turn(int64_t timeout) {
  int count = wait_for_lines(timeout), index = 0;
  clock_now = now();
  for (struct match *match; (match = next_finished(count, &index));) end_step(match);
}

// The three parts of a run.

static void enter(struct player *player, uint64_t id) {
  char text[longest_text];
  player->is_greeted = true;
  player->wanted = peer->readies;
  player->last_id = 1;
  send_line(player, text, peer->enter(text, options.first + (int)id));
}

// Makes no other system calls, since the server is to be measured. Reads use MSG_DONTWAIT. A line is
// never delayed (Nagle), because the line before it has been answered.
static void connect_player(struct player *player, uint64_t id) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(options.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  player->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (player->fd < 0 || connect(player->fd, (struct sockaddr *)&address, sizeof address)) die("connect");
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = id};
  epoll_ctl(epoll, EPOLL_CTL_ADD, player->fd, &event);
  player->wanted = peer->greetings;
  if (!peer->greetings) enter(player, id);
}

static void connect_and_log_in(void) {
  int connected = 0, logged_in = 0, all = 2 * match_count;
  mark = peer->ready;
  while (logged_in < all) {
    for (; connected < all && connected - logged_in < peer->backlog; connected++)
      connect_player(&matches[connected / 2].players[connected % 2], connected);
    int count = wait_for_lines(-1);
    for (int i = 0; i < count; i++) {
      uint64_t id = events[i].data.u64;
      struct player *player = &matches[id / 2].players[id % 2];
      if (!take_lines(player)) continue;
      if (player->is_greeted) logged_in++; else enter(player, id);
    }
  }
  mark = peer->mark;
}

// Resets, so that 10,000 connections do not stay in TIME_WAIT.
static void disconnect_all(void) {
  struct linger reset = {1, 0};
  for (int i = 0; i < 2 * match_count; i++)
    setsockopt(matches[i / 2].players[i % 2].fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

// Pairs all players, and makes the first move of each match.
static void start_all(void) {
  starts_done = 0;
  clock_now = now();
  for (int i = 0; i < match_count; i++) {
    matches[i].turns = 0;
    matches[i].games = -1;
    matches[i].step = move_count;
    begin_step(&matches[i], clock_now);
    if (i % 256 == 255) turn(0);
  }
  while (starts_done < match_count) turn(-1);
}

// The time until a step of a paced run is due.
static int64_t until(long step) {
  int64_t left = (int64_t)(schedule_start + (uint64_t)(interval * step)) - (int64_t)now();
  return left > 0 ? left : 0;
}

static void play_until(uint64_t end) {
  long next = 0;
  while (!is_over && (options.games || clock_now < end)) {
    turn(interval > 0 ? (options.sleeps ? until(next) : 0) : 100000000);
    // In a paced run: the steps that fall due now, of the matches that are not still busy.
    while (interval > 0 && schedule_start + (uint64_t)(interval * next) <= clock_now) {
      struct match *match = &matches[next++ % match_count];
      if (!match->players[0].wanted && !match->players[1].wanted && due(match) <= clock_now)
        go_on(match);
    }
  }
}

static void play(void) {
  is_playing = true;
  starts_done = 0;
  clock_now = schedule_start = now();
  if (options.rate > 0) interval = 1e9 / (options.rate * (move_count + 2) / move_count);
  for (int i = 0; i < match_count; i++) {
    matches[i].turns = 0;
    if (interval == 0) begin_step(&matches[i], clock_now);
  }
  uint64_t seconds = (uint64_t)(options.seconds * 1e9);
  if (options.games) is_measuring = true; else play_until(schedule_start + seconds / 5);
  is_measuring = true;
  uint64_t start = now();
  uint64_t time = server_time(), before[most_engines], after[most_engines];
  read_engines(before);
  play_until(start + seconds);
  uint64_t end = now();
  time = server_time() - time;
  read_engines(after);
  printf("moves %ld\nallMoves %ld\nmovesPerSecond %.0f\ncpuPerMove %.0f\n", moves, all_moves,
         moves * 1e9 / (end - start), (double)time / moves);
  for (int i = 0; i < options.engine_count; i++)
    printf("engineCPU%d %.0f\n", i, (double)(after[i] - before[i]) / moves);
}

static double percentile(double part) {
  long rank = (long)(part * moves), seen = 0;
  for (int i = 0; i <= slowest; i++)
    if ((seen += latencies[i]) > rank) return 1000.0 * (i + 0.5);
  return 0;
}

static void parse(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i];
    if (!strcmp(name, "--short")) { options.brief = true; continue; }
    if (!strcmp(name, "--bare")) { options.bare = true; continue; }
    if (!strcmp(name, "--sleep")) { options.sleeps = true; continue; }
    if (i + 1 == argc) die("an option lacks its value, or is unknown");
    const char *value = argv[++i];
    if (!strcmp(name, "--port")) options.port = atoi(value);
    else if (!strcmp(name, "--peer")) peer = peer_named(value);
    else if (!strcmp(name, "--pid")) options.pid = atoi(value);
    else if (!strcmp(name, "--connections")) options.connections = atoi(value);
    else if (!strcmp(name, "--games")) options.games = atoi(value);
    else if (!strcmp(name, "--first")) options.first = atoi(value);
    else if (!strcmp(name, "--seconds")) options.seconds = atof(value);
    else if (!strcmp(name, "--rate")) options.rate = atof(value);
    else if (!strcmp(name, "--engine")) {
      if (options.engine_count == most_engines) die("there are too many engines");
      if (clock_getcpuclockid(atoi(value), &engine_clocks[options.engine_count++]))
        die("there is no such engine");
    }
    else if (!strcmp(name, "--settle")) options.settle = atof(value);
    else die("an option is unknown");
  }
  if (!options.port || options.connections < 2) die("give --port, and two connections or more");
  if (!peer) die("that peer is unknown");
  if (options.pid && clock_getcpuclockid(options.pid, &server_clock)) die("there is no such process");
  if (options.brief) cells = brief, move_count = 5;
}

int main(int argc, char **argv) {
  parse(argc, argv);
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  match_count = options.connections / 2;
  matches = calloc(match_count, sizeof *matches);
  epoll = epoll_create1(0);

  int all = 2 * match_count;
  long memory = server_memory();
  uint64_t start = now(), time = server_time();
  connect_and_log_in();
  uint64_t login = now() - start, login_time = server_time() - time;
  long memory_logged_in = server_memory();
  start = now(), time = server_time();
  start_all();
  uint64_t both = login + now() - start, both_time = login_time + server_time() - time;
  long memory_ready = server_memory();
  printf("loginsPerSecond %.0f\ncpuPerLogin %.0f\n", all * 1e9 / login, (double)login_time / all);
  printf("startsPerSecond %.0f\ncpuPerStart %.0f\n", all * 1e9 / both, (double)both_time / all);
  printf("memoryEmpty %ld\n", memory);
  printf("memoryPerConnection %.0f\n", (double)(memory_logged_in - memory) / all);
  printf("memoryPerMatch %.0f\n", (double)(memory_ready - memory_logged_in) / match_count);
  play();
  usleep((useconds_t)(options.settle * 1e6));
  printf("memoryPerPlayer %.0f\n", (double)(server_memory() - memory) / all);
  printf("p50 %.0f\np99 %.0f\np999 %.0f\n", percentile(0.5), percentile(0.99), percentile(0.999));
  disconnect_all();
}
