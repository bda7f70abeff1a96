/* Empty files that a host laid ready (src/programs/host/blanks.ts): to make one takes longer than all else that is done for a call. */
#include "client.h"
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { slots = 16, tries = 4 };

/* Nobody else's as long as it is locked, empty, and what its name leads to. */
static int is_free(int file, int spool, const char *name) {
  struct stat own, named;
  return flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &own) == 0 && own.st_size == 0 &&
         fstatat(spool, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && named.st_ino == own.st_ino && named.st_dev == own.st_dev;
}

/* One of them, and its name in the spool; -1 where none is left. Calls at the same time begin at different ones. */
int open_blank(const struct call *call, int spool, char *name) {
  static const char hex[] = "0123456789abcdef";
  const char *first = strchr(hex, call->id[strlen(call->id) - 1]);
  for (int at = 0; first && at < tries; at++) {
    char *end = stpcpy(name, "blank/");
    end[0] = hex[(first - hex + at) % slots];
    end[1] = 0;
    int file = open_ours(spool, name, O_WRONLY);
    if (file < 0) continue;
    if (is_free(file, spool, name)) return file;
    close(file);
  }
  return -1;
}
