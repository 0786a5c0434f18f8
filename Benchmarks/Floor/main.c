// The floor: the cost of a move in the kernel, and nothing else. A relay over epoll that pairs its
// connections in the order of their arrival, and answers each line with one fixed line, as long as a
// diff, to both of the pair. It greets each connection, and answers a connection's first line to it
// alone, each with a line as long as the server's. It parses nothing.
//
//     floor        prints "port N" and serves until it is killed
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static const char diff[] =
    "{\"type\":\"boardDidChange\",\"match\":\"7q2k\",\"seq\":2,"
    "\"cells\":[{\"row\":1,\"col\":1,\"mark\":\"X\"}],\"turn\":\"O\",\"hash\":\"afa687df\"}\n";

static const char hello[] =
    "{\"type\":\"hello\",\"protocol\":1,\"server\":\"tictactoe-server 0.1.0\",\"games\":[{\"id\":"
    "\"tictactoe\",\"name\":\"Tic Tac Toe\",\"rows\":3,\"cols\":3,\"inARow\":3}],\"limits\":{\"line\":4096,"
    "\"loginWithin\":30000,\"resumeWithin\":60000,\"perSecond\":1000000,\"burst\":1000000},\"help\":"
    "\"Type: login YOURNAME, then: start bot. All commands: help\"}\n";
static const char login[] =
    "{\"type\":\"didLogin\",\"name\":\"p1234\",\"token\":\"zbiQCZlsUEip5-BGLsNcOg\"}\n";

enum { most_descriptors = 65536, most_lines = 256 };
static int partner[most_descriptors];
static bool is_logged_in[most_descriptors];
static char input[65536], output[most_lines * sizeof diff];

static void die(const char *call) { perror(call); exit(1); }

static int listen_anywhere(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (server < 0 || bind(server, (struct sockaddr *)&address, length) || listen(server, 4096) ||
      getsockname(server, (struct sockaddr *)&address, &length))
    die("listen");
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
  return server;
}

int main(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  for (int i = 0; i < most_lines; i++) memcpy(output + i * (sizeof diff - 1), diff, sizeof diff - 1);

  int server = listen_anywhere(), epoll = epoll_create1(0), lonely = -1, one = 1;
  struct epoll_event event = {.events = EPOLLIN, .data.fd = server}, events[512];
  epoll_ctl(epoll, EPOLL_CTL_ADD, server, &event);
  for (;;) {
    int count = epoll_wait(epoll, events, 512, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == server) {
        int new = accept4(server, NULL, NULL, SOCK_NONBLOCK);
        if (new < 0) continue;
        if (new >= most_descriptors) die("too many connections");
        setsockopt(new, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        send(new, hello, sizeof hello - 1, MSG_NOSIGNAL);
        is_logged_in[new] = false;
        event.data.fd = new;
        epoll_ctl(epoll, EPOLL_CTL_ADD, new, &event);
        if (lonely < 0) {
          lonely = new;
        } else {
          partner[new] = lonely;
          partner[lonely] = new;
          lonely = -1;
        }
        continue;
      }
      ssize_t size = recv(fd, input, sizeof input, 0);
      if (size <= 0) {
        if (size < 0 && errno == EAGAIN) continue;
        close(fd);
        continue;
      }
      if (!is_logged_in[fd]) {
        is_logged_in[fd] = true;
        send(fd, login, sizeof login - 1, MSG_NOSIGNAL);
        continue;
      }
      int lines = 0;
      for (char *at = input; (at = memchr(at, '\n', input + size - at)); at++) lines++;
      if (lines > most_lines) die("too many lines at once");
      size_t answer = lines * (sizeof diff - 1);
      if (lines == 0) continue;
      send(fd, output, answer, MSG_NOSIGNAL);
      send(partner[fd], output, answer, MSG_NOSIGNAL);
    }
  }
}
