/* What Swift's Glibc module leaves out: epoll, and accept4, which is GNU only. It includes no
   <sys/socket.h>, whose declarations would then be this module's. */
#include <sys/epoll.h>

struct sockaddr;
int accept4(int, struct sockaddr *, unsigned int *, int);
