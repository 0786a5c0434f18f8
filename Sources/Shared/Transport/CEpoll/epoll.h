/* Declarations that Swift's Glibc module lacks: epoll, and the GNU functions accept4 and
   malloc_trim. This header does not include <sys/socket.h>, whose declarations would then belong to
   this module. */
#include <sys/epoll.h>
#include <sys/syscall.h>

struct sockaddr;
int accept4(int, struct sockaddr *, unsigned int *, int);
long syscall(long, ...);
#ifdef __GLIBC__
int malloc_trim(unsigned long);
#endif

/* The system calls of a move. The functions of libc are cancellation points. Once a process has a
   second thread (Dispatch makes one), that costs each call about 35 instructions. These functions
   also return -1 and set errno on failure. All arguments are longs or pointers, because `syscall`
   reads them as such. */

static inline long linux_recv(int socket, void *buffer, unsigned long count) {
  return syscall(SYS_recvfrom, (long)socket, buffer, count, 0L, (void *)0, (void *)0);
}

static inline long linux_send(int socket, const void *bytes, unsigned long count, int flags) {
  return syscall(SYS_sendto, (long)socket, bytes, count, (long)flags, (void *)0, 0L);
}

static inline int linux_epoll_wait(int epoll, struct epoll_event *events, int max_events,
                                   int timeout) {
  return (int)syscall(SYS_epoll_pwait, (long)epoll, events, (long)max_events, (long)timeout,
                      (void *)0, 8L);
}
