/* Declarations that Swift's Glibc module lacks: epoll, signalfd, timerfd, fork, and the GNU
   functions accept4 and malloc_trim. Also what Swift cannot express. This header does not include
   <sys/socket.h>, whose declarations would then belong to this module. */
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

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

/* Copies the process. Swift's module hides the function by one of the same name. */
int fork(void);
static inline int linux_fork(void) { return fork(); }

/* Copies the process as another child of its parent, CLONE_PARENT, with SIGCHLD at its end. Only
   for a process without other threads: libc does not take part. */
static inline int linux_fork_sibling(void) {
  return (int)syscall(SYS_clone, 0x8000L | 17L, 0L, 0L, 0L, 0L);
}

/* Closes all descriptors from one on. Systems before Linux 5.9 cannot. */
static inline int linux_close_range(unsigned first) {
#ifdef SYS_close_range
  return (int)syscall(SYS_close_range, (long)first, (long)~0U, 0L);
#else
  return -1;
#endif
}

/* Has the process get a signal when its parent ends: PR_SET_PDEATHSIG. */
static inline int linux_end_with_parent(int signal) {
  return (int)syscall(SYS_prctl, 1L, (long)signal, 0L, 0L, 0L);
}

#ifdef __x86_64__
/* CRC-32C by an instruction of the processor, SSE 4.2, which nearly all have. The compiler may use
   it only where it is asked for, and Swift cannot ask. */
static inline _Bool has_crc32c(void) {
  unsigned a = 1, b, c = 0, d;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return c >> 20 & 1;
}

/* The checksum of eight bytes, and then of others. */
__attribute__((target("sse4.2")))
static inline unsigned crc32c(unsigned long long first, const void *bytes, unsigned long count) {
  const unsigned char *rest = (const unsigned char *)bytes;
  unsigned long long sum = __builtin_ia32_crc32di(0xFFFFFFFF, first), word;
  for (; count >= 8; rest += 8, count -= 8) {
    __builtin_memcpy(&word, rest, 8);
    sum = __builtin_ia32_crc32di(sum, word);
  }
  for (; count; rest++, count--) sum = __builtin_ia32_crc32qi((unsigned)sum, *rest);
  return ~(unsigned)sum;
}
#endif
