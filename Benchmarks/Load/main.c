// The load: plays many matches at once against a server on this machine. Both players of each match
// are its own connections, and it knows every line beforehand, so it counts newlines and parses
// nothing. A step is one line in and at least one line to each of the two; the next step of a match
// waits for these. A game is its moves, then `start` from both.
//
//     load --port PORT [--pid PID] [--connections N] [--seconds S] [--rate MOVES] [--games N]
//          [--short] [--floor]
//
// Closed loop, as fast as the server goes, unless --rate gives the moves of all matches a second;
// then a move's time counts from when it was due, so that a server that stalls is not spared.
// --games ends after so many games of each match, instead of after some seconds. --short: X wins
// with the fifth move, instead of with the ninth. --floor: the peer is the floor, which knows
// no login, and answers each line alike. With --pid the server's memory and CPU time are read.
//
// Prints one "name value" a line. Memory is in bytes, times are in ns.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
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

struct player { int fd, wanted; bool is_greeted; };
struct match { struct player players[2]; int step; long games, turns; uint64_t since; };

static struct { int port, pid, connections, games; double seconds, rate; bool brief, floor; } options =
    {.connections = 100, .seconds = 5};
static struct match *matches;
static int match_count, epoll;
static long moves, starts_done;
static bool is_playing, is_measuring, is_over;
static uint64_t clock_now, schedule_start;
static double interval;  // ns between two steps of all matches; 0 in a closed loop
enum { slowest = 2000000 };
static uint32_t latencies[slowest + 1];  // by whole microseconds

// X wins both with the uppermost row, so that they end alike.
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

static long server_number(const char *file, const char *format) {
  char path[64];
  long value = 0;
  if (!options.pid) return 0;
  snprintf(path, sizeof path, "/proc/%d/%s", options.pid, file);
  FILE *stream = fopen(path, "r");
  if (!stream || fscanf(stream, format, &value) != 1) die("the server is gone");
  fclose(stream);
  return value;
}
static long server_memory(void) { return server_number("statm", "%*d %ld") * sysconf(_SC_PAGESIZE); }
static long server_time(void) { return server_number("schedstat", "%ld"); }

// Steps: a move each, then the `start` of both.

static void send_line(struct player *player, const char *line, int length) {
  if (send(player->fd, line, length, MSG_NOSIGNAL) != length) die("a line did not go out");
}

static void begin_step(struct match *match, uint64_t due) {
  char line[96];
  int length, step = match->step, side = step < move_count ? (step + match->games) & 1 : step - move_count;
  if (step < move_count)
    length = sprintf(line, "{\"type\":\"place\",\"row\":%d,\"col\":%d}\n", cells[step] / 3, cells[step] % 3);
  else if (match->games < 0)
    length = sprintf(line, "{\"type\":\"start\",\"opponent\":\"p%ld\"}\n",
                     2 * (match - matches) + 1 - side);
  else
    length = sprintf(line, "{\"type\":\"start\"}\n");
  // The last move is told in two lines: the diff, and that the game is over.
  int answers = step == move_count - 1 && !options.floor ? 2 : 1;
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

// Reads what came; answers whether all that is wanted has.
static bool take_lines(struct player *player) {
  static char input[65536];
  ssize_t size = recv(player->fd, input, sizeof input, 0);
  if (size < 0 && errno == EAGAIN) return false;
  if (size <= 0) die("the server closed a connection");
  if (size > 13 && (!memcmp(input + 9, "error", 5) || !memcmp(input + 9, "bye", 3))) {
    fwrite(input, 1, size, stderr);
    die("the server refused a line");
  }
  for (char *at = input; (at = memchr(at, '\n', input + size - at)); at++) player->wanted--;
  if (player->wanted < 0) die("more lines came than were expected");
  return player->wanted == 0;
}

static struct match *next_finished(struct epoll_event *events, int count, int *index) {
  while (*index < count) {
    uint64_t id = events[(*index)++].data.u64;
    struct match *match = &matches[id / 2];
    if (take_lines(&match->players[id % 2]) && !match->players[1 - id % 2].wanted) return match;
  }
  return NULL;
}

static struct epoll_event events[512];

// One turn: ends the steps whose lines have come.
static void turn(int timeout) {
  int count = epoll_wait(epoll, events, 512, timeout), index = 0;
  clock_now = now();
  for (struct match *match; (match = next_finished(events, count, &index));) end_step(match);
}

// The three parts of a run.

static void connect_player(struct player *player, uint64_t id) {
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons(options.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct linger reset = {1, 0};
  int one = 1;
  player->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (player->fd < 0 || connect(player->fd, (struct sockaddr *)&address, sizeof address)) die("connect");
  setsockopt(player->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(player->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  fcntl(player->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = id};
  epoll_ctl(epoll, EPOLL_CTL_ADD, player->fd, &event);
}

// At most 512 connections at once wait for their greeting, fewer than the server's backlog.
static void connect_and_log_in(void) {
  int connected = 0, greeted = 0, logged_in = 0, all = 2 * match_count;
  while (logged_in < all) {
    while (connected < all && connected - greeted < 512) {
      struct player *player = &matches[connected / 2].players[connected % 2];
      connect_player(player, connected++);
      if (options.floor) greeted++, logged_in++; else player->wanted = 1;
    }
    int count = options.floor ? 0 : epoll_wait(epoll, events, 512, -1);
    for (int i = 0; i < count; i++) {
      uint64_t id = events[i].data.u64;
      struct player *player = &matches[id / 2].players[id % 2];
      if (!take_lines(player)) continue;
      if (player->is_greeted) { logged_in++; continue; }
      player->is_greeted = true;
      greeted++;
      player->wanted = 1;
      char line[64];
      send_line(player, line, sprintf(line, "{\"type\":\"login\",\"name\":\"p%lu\"}\n", id));
    }
  }
}

// Pairs all, and makes the first move of each match.
static void start_all(void) {
  starts_done = 0;
  clock_now = now();
  for (int i = 0; i < match_count; i++) {
    matches[i].turns = 0;
    matches[i].games = options.floor ? 0 : -1;
    matches[i].step = options.floor ? 0 : move_count;
    begin_step(&matches[i], clock_now);
    if (i % 256 == 255) turn(0);
  }
  while (starts_done < match_count) turn(-1);
}

static void play_until(uint64_t end) {
  long next = 0;
  while (!is_over && (options.games || clock_now < end)) {
    turn(interval > 0 ? 0 : 100);
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
  long time = server_time();
  play_until(start + seconds);
  uint64_t end = now();
  time = server_time() - time;
  printf("moves %ld\nmovesPerSecond %.0f\ncpuPerMove %.0f\n", moves, moves * 1e9 / (end - start),
         (double)time / moves);
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
    if (!strcmp(name, "--floor")) { options.floor = true; continue; }
    if (i + 1 == argc) die("an option lacks its value, or is unknown");
    const char *value = argv[++i];
    if (!strcmp(name, "--port")) options.port = atoi(value);
    else if (!strcmp(name, "--pid")) options.pid = atoi(value);
    else if (!strcmp(name, "--connections")) options.connections = atoi(value);
    else if (!strcmp(name, "--games")) options.games = atoi(value);
    else if (!strcmp(name, "--seconds")) options.seconds = atof(value);
    else if (!strcmp(name, "--rate")) options.rate = atof(value);
    else die("an option is unknown");
  }
  if (!options.port || options.connections < 2) die("give --port, and two connections or more");
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

  long memory = server_memory();
  uint64_t start = now();
  connect_and_log_in();
  uint64_t logged_in = now();
  long memory_logged_in = server_memory();
  uint64_t pairing = now();
  start_all();
  uint64_t ready = now();
  long memory_ready = server_memory();
  printf("loginsPerSecond %.0f\n", 2 * match_count * 1e9 / (logged_in - start));
  printf("startsPerSecond %.0f\n", 2 * match_count * 1e9 / (logged_in - start + ready - pairing));
  printf("memoryEmpty %ld\n", memory);
  printf("memoryPerConnection %.0f\n", (double)(memory_logged_in - memory) / (2 * match_count));
  printf("memoryPerMatch %.0f\n", (double)(memory_ready - memory_logged_in) / match_count);
  play();
  printf("memoryPerPlayer %.0f\n", (double)(server_memory() - memory) / (2 * match_count));
  printf("p50 %.0f\np99 %.0f\np999 %.0f\n", percentile(0.5), percentile(0.99), percentile(0.999));
}
