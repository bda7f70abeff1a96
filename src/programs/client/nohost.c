/* What there is to do where no host answers: leave the call for one, start one, count what nobody could handle. */
#include "client.h"
#include "loud.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { seconds_between_starts = 5, record_size = 64, default_threshold = 3 };

/* Of this user, and not to be written by others. */
int is_ours(int descriptor, int directory) {
  struct stat stat;
  return fstat(descriptor, &stat) == 0 && stat.st_uid == geteuid() && (stat.st_mode & 022) == 0 &&
         (directory ? S_ISDIR(stat.st_mode) : S_ISREG(stat.st_mode));
}

/* Never through a link, never waiting for whoever is at the other end of a pipe. */
int open_ours(int at, const char *name, int flags) {
  int file = openat(at, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file < 0 || is_ours(file, flags & O_DIRECTORY)) return file;
  close(file);
  return -1;
}

static int can_start(const struct call *call) { return call->run >= 0 && faccessat(call->home, "bin/host", X_OK, 0) == 0; }

static long long in_ms(struct timespec time) { return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000; }

/* `=<modified> <size> <changed> <path>`, in ms: what the list was made from is as it was; -1 -1 -1 for what was not there. */
static int is_unchanged(const char *line) {
  long long was[3], is[3] = {-1, -1, -1};
  int path = 0;
  struct stat stat;
  if (sscanf(line, "=%lld %lld %lld %n", &was[0], &was[1], &was[2], &path) != 3 || path == 0) return 0;
  if (fstatat(AT_FDCWD, line + path, &stat, 0) == 0) {
    is[0] = in_ms(stat.st_modified);
    is[1] = S_ISDIR(stat.st_mode) ? 0 : (long long)stat.st_size;
    /* Nobody can set it: a file that took the place of another has a time of its own, whatever else it was given. */
    is[2] = in_ms(stat.st_changed);
  }
  return memcmp(was, is, sizeof is) == 0;
}

/* `agent event` is a line of the list that the build wrote, and nothing changed since. */
static int is_listed(const struct call *call) {
  static char list[64 * 1024];
  int file = open_ours(call->run, "background", O_RDONLY), found = 0;
  if (file < 0) return 0;
  ssize_t length = read(file, list, sizeof list - 1);
  close(file);
  /* One that does not fit was not read whole. */
  if (length <= 0 || length == sizeof list - 1) return 0;
  list[length] = 0;
  size_t agent = strlen(call->agent), event = strlen(call->event);
  for (char *line = list, *next; *line; line = next) {
    char *end = line + strcspn(line, "\n");
    next = *end ? end + 1 : end;
    *end = 0;
    if (*line == '=' && !is_unchanged(line)) return 0;
    if ((size_t)(end - line) == agent + 1 + event && memcmp(line, call->agent, agent) == 0 && line[agent] == ' ' &&
        memcmp(line + agent + 1, call->event, event) == 0)
      found = 1;
  }
  return found;
}

/* Hooks in any language may stand in the settings. */
static const char *const places[] = {"/.hooktape/hooks", "/.hooktape/config.json"};

/* Whether this directory or one above it has hooks of its own; when in doubt it has. */
static int has_own_hooks(void) {
  char path[8192];
  struct stat stat;
  if (!getcwd(path, sizeof path - sizeof "/.hooktape/config.json")) return 1;
  for (char *end = path + strlen(path);;) {
    for (size_t at = 0; at < sizeof places / sizeof *places; at++) {
      strcpy(end, places[at]);
      if (lstat(path, &stat) == 0 || (errno != ENOENT && errno != ENOTDIR)) return 1;
    }
    if (end == path) return 0;
    do end--;
    while (end > path && *end != '/');
  }
}

/* An agent that calls over HTTP from here on finds no other way: the entrypoint waits for the host that is started. */
static int opens_http(const struct call *call) {
  return strcmp(call->event, "SessionStart") == 0 && faccessat(call->run, "port", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Nothing that this event starts has an answer for the agent, and somebody will come for what is left behind. */
int only_background(const struct call *call) {
  return can_start(call) && !opens_http(call) && is_listed(call) && !has_own_hooks();
}

static int write_parts(int file, struct iovec *parts, int count) {
  ssize_t written = writev(file, parts, count);
  size_t done = written > 0 ? (size_t)written : 0;
  for (int at = 0; at < count; at++) {
    size_t skip = done < parts[at].iov_len ? done : parts[at].iov_len;
    done -= skip;
    if (!write_all(file, (char *)parts[at].iov_base + skip, parts[at].iov_len - skip)) return 0;
  }
  return 1;
}

/* What is left of a call: its head and payload as they would go to a host. Without an end it was cut off by the deadline. */
static unsigned char *make_frame(const struct call *call, struct payload *in, size_t *length) {
  size_t head_length;
  unsigned char *head = make_head(call, NULL, &head_length);
  unsigned char *frame = head ? realloc(head, head_length + 4 + in->length + 4) : NULL;
  if (!frame) return free(head), NULL;
  unsigned char *at = frame + head_length;
  if (in->length > 0) {
    put_number(at, (uint32_t)in->length);
    memcpy(at + 4, in->bytes, in->length);
    at += 4 + in->length;
  }
  if (in->ended || is_complete(in)) put_number(at, 0), at += 4;
  *length = (size_t)(at - frame);
  return frame;
}

/* Leaves the request for the next host: sealed, whole under its name, or not at all. */
int spool_call(const struct call *call, struct payload *in) {
  static char sealed[4] = {'H', 'K', 'S', '1'};
  char name[64], aside[64];
  unsigned char nonce[nonce_size], tag[tag_size];
  strcpy(stpcpy(name, call->id), ".frame");
  collect(in, now_ms() + call->deadline, 1);
  size_t length;
  unsigned char *frame = make_frame(call, in, &length);
  if (!frame) return 0;
  int spool = seal(call, frame, length, nonce, tag) ? open_ours(call->home, "spool", O_RDONLY | O_DIRECTORY) : -1;
  int blank = spool < 0 ? -1 : open_blank(call, spool, aside);
  if (blank < 0) strcpy(stpcpy(aside, name), ".part");
  int file = spool < 0 || blank >= 0 ? blank : open_ours(spool, aside, O_WRONLY | O_CREAT | O_EXCL);
  struct iovec parts[] = {{sealed, sizeof sealed}, {nonce, sizeof nonce}, {frame, length}, {tag, sizeof tag}};
  int done = file >= 0 && write_parts(file, parts, 4) && renameat(spool, aside, spool, name) == 0;
  if (file >= 0 && !done) unlinkat(spool, aside, 0);
  if (file >= 0) close(file);
  if (spool >= 0) close(spool);
  free(frame);
  return done;
}

/* Whether nobody tried within the last seconds. Of many that ask at once one is told so. */
static int may_start(const struct call *call) {
  int file = open_ours(call->run, "starting", O_RDWR | O_CREAT);
  struct stat stat;
  if (file < 0) return 0;
  int may = flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &stat) == 0;
  if (may && stat.st_size > 0) {
    long long age = (long long)time(NULL) - (long long)stat.st_mtime;
    may = age < 0 || age >= seconds_between_starts;
  }
  may = may && pwrite(file, ".", 1, 0) == 1;
  close(file);
  return may;
}

/* Whether a host lives: it holds the file of src/log/hostLock.ts, where SQLite has its locks. Asking wakes nobody. */
int has_host(const struct call *call) {
  int file = call->run < 0 ? -1 : open_ours(call->run, "host.lock", O_RDWR);
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000000, .l_len = 512};
  int is_held = file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  if (file >= 0) close(file);
  return is_held;
}

static void close_all_from(int lowest) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, lowest, ~0U, 0) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  for (int at = lowest; at < (most > 0 && most < 65536 ? most : 65536); at++) close(at);
}

/* A host in a session of its own, with nothing of the agent's in its hands. */
void start_host(const struct call *call) {
  if (!can_start(call) || !may_start(call)) return;
  pid_t child = fork();
  if (child > 0) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  if (child != 0) return;
  if (setsid() < 0 || fork() != 0) _exit(0);
  int nothing = open("/dev/null", O_RDWR);
  for (int at = 0; at < 3; at++) dup2(nothing, at);
  if (fchdir(call->home) != 0) _exit(1);
  close_all_from(3);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int signum = 1; signum < 32; signum++) signal(signum, SIG_DFL);
  clean_start();
  unsetenv("HOOKTAPE_CALL");
  execl("bin/host", "bin/host", (char *)NULL);
  _exit(1);
}

/* Somebody handled a call: the count ends, and what was counted goes to the log. */
void reached(const struct call *call) {
  char name[64];
  struct stat stat;
  if (call->run < 0 || fstatat(call->run, "unreachable", &stat, AT_SYMLINK_NOFOLLOW) != 0) return;
  strcpy(stpcpy(name, call->id), ".unreachable");
  int spool = open_ours(call->home, "spool", O_RDONLY | O_DIRECTORY);
  if (spool < 0 || renameat(call->run, "unreachable", spool, name) != 0) unlinkat(call->run, "unreachable", 0);
  if (spool >= 0) close(spool);
}

/* One to nine digits that make more than nothing; anything else is the default. */
static int threshold(void) {
  const char *text = getenv("HOOKTAPE_FAIL_LOUD_THRESHOLD");
  size_t digits = text ? strspn(text, "0123456789") : 0;
  int value = digits > 0 && digits < 10 && !text[digits] ? atoi(text) : 0;
  return value > 0 ? value : default_threshold;
}

/* Whether a guard may stand here that keeps a tool from running. */
int may_stop(const struct call *call) {
  size_t agent = strlen(call->agent);
  for (size_t at = 0; at < sizeof stopping / sizeof *stopping; at++)
    if (strncmp(stopping[at], call->agent, agent) == 0 && stopping[at][agent] == ' ' &&
        strcmp(stopping[at] + agent + 1, call->event) == 0)
      return 1;
  return 0;
}

static char *digits(char *to, unsigned long value) {
  if (value > 9) to = digits(to, value / 10);
  *to = (char)('0' + value % 10);
  return to + 1;
}

/* With exit code 2 where that harms nothing, elsewhere to the human in the agent's own document, or not at all. */
static int say_aloud(const struct call *call, unsigned long count) {
  char text[256], *at;
  for (size_t one = 0; one < sizeof loud_by_exit / sizeof *loud_by_exit; one++) {
    if (strcmp(call->event, loud_by_exit[one]) != 0) continue;
    at = digits(stpcpy(text, "hooktape: worker unreachable for "), count);
    at = stpcpy(at, " consecutive hooks. Run \"hooktape doctor\".\n");
    write_all(2, text, (size_t)(at - text));
    return 2;
  }
  size_t agent = strlen(call->agent), event = strlen(call->event);
  if (agent + event + sizeof "\n \n" > sizeof text) return 0;
  stpcpy(stpcpy(stpcpy(stpcpy(stpcpy(text, "\n"), call->agent), " "), call->event), "\n");
  for (size_t one = 0; one < sizeof loud_by_message / sizeof *loud_by_message; one++) {
    if (!strstr(loud_by_message[one].calls, text)) continue;
    at = stpcpy(digits(stpcpy(text, loud_by_message[one].before), count), loud_by_message[one].after);
    write_all(1, text, (size_t)(at - text));
    break;
  }
  return 0;
}

/* Counts a call that nobody could handle. Each is one record, so the size is the count: how many there are in a row, from the threshold on. */
static unsigned long count_unreachable(const struct call *call, struct payload *in, const char *why) {
  struct stat stat;
  collect(in, now_ms() + call->deadline, 0);
  int limit = threshold();
  int file = call->run < 0 ? -1 : open_ours(call->run, "unreachable", O_WRONLY | O_APPEND | O_CREAT);
  if (file < 0) return 0;
  char record[128];
  char *at = stpcpy(stpcpy(record, call->id), " ");
  at = stpcpy(stpcpy(digits(at, (unsigned long)limit), " "), why);
  memset(at, ' ', (size_t)(record + record_size - at));
  record[record_size - 1] = '\n';
  ssize_t written = write(file, record, record_size);
  int counted = written == record_size && fstat(file, &stat) == 0;
  close(file);
  return !counted || stat.st_size / record_size < limit ? 0 : (unsigned long)(stat.st_size / record_size);
}

/* The exit code for a call that nobody could handle. */
int unreachable(const struct call *call, struct payload *in, const char *why) {
  unsigned long count = count_unreachable(call, in, why);
  signal(SIGPIPE, SIG_IGN);
  return count ? say_aloud(call, count) : 0;
}

/* Of one that began, and was ended by a signal before any hook had a say: that is said at once. */
int lose_entrypoint(const struct call *call, struct payload *in) {
  static const char said[] = "hooktape: what runs hooks was lost before any had a say. Run \"hooktape doctor\".\n";
  unsigned long count = count_unreachable(call, in, "lost-entrypoint");
  signal(SIGPIPE, SIG_IGN);
  if (count) return say_aloud(call, count);
  write_all(2, said, sizeof said - 1);
  return 1;
}
