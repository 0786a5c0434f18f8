// Takes the place of the time of day in a program: as many seconds are added as are in the file
// that CLOCK names, which is read each time. Clocks that nobody can set stay as they are. It is
// loaded by LD_PRELOAD. libfaketime can do more, but Redis does not start with it. A timer that the
// program makes to notice a step of the clock is a watch of the folder with that file.
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

long syscall(long number, ...);

static long seconds_to_add(void) {
  const char *path = getenv("CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  char text[32] = {0};
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == 5 /* CLOCK_REALTIME_COARSE */))
    now->tv_sec += seconds_to_add();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}

int timerfd_create(clockid_t clock, int flags) {
  const char *path = getenv("CLOCK");
  char folder[4096];
  if (clock != CLOCK_REALTIME || !path || strlen(path) >= sizeof folder)
    return (int)syscall(SYS_timerfd_create, (long)clock, (long)flags);
  strcpy(folder, path);
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch >= 0 && inotify_add_watch(watch, dirname(folder), IN_CLOSE_WRITE | IN_MOVED_TO) < 0) {
    close(watch);
    return -1;
  }
  return watch;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *new, struct itimerspec *old) {
  int result = (int)syscall(SYS_timerfd_settime, (long)timer, (long)flags, new, old);
  // A watch is no timer.
  return result < 0 && errno == EINVAL ? 0 : result;
}
