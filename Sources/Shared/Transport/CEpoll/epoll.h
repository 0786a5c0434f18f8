/* What Swift's Glibc module leaves out: epoll, and accept4, which is GNU only. */
#include <sys/epoll.h>
#include <sys/socket.h>

int accept4(int, struct sockaddr *, socklen_t *, int);
