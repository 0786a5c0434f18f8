/* What Swift's Glibc module leaves out: epoll, and accept4 and malloc_trim, which are GNU only. It
   includes no <sys/socket.h>, whose declarations would then be this module's. */
#include <sys/epoll.h>
#include <sys/syscall.h>

struct sockaddr;
int accept4(int, struct sockaddr *, unsigned int *, int);
long syscall(long, ...);
#ifdef __GLIBC__
int malloc_trim(unsigned long);
#endif

/* The system calls of a move. libc's own are points at which a thread can be cancelled; as soon as a
   process has a second thread, and Dispatch makes one, that costs each of them some 35 instructions.
   As they do, these answer -1 and set errno. All arguments
   are longs or pointers, as `syscall` reads them. */

static inline long linux_recv(int socket, void *buffer, unsigned long count) {
  return syscall(SYS_recvfrom, (long)socket, buffer, count, 0L, (void *)0, (void *)0);
}

static inline long linux_send(int socket, const void *bytes, unsigned long count, int flags) {
  return syscall(SYS_sendto, (long)socket, bytes, count, (long)flags, (void *)0, 0L);
}

static inline int linux_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
  return (int)syscall(SYS_epoll_pwait, (long)epoll, events, (long)most, (long)timeout, (void *)0, 8L);
}
