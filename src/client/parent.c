/*
 * The in-process entrypoint as a child, and what it would answer should it be lost: docs/decisions/0019 is the contract. The child
 * answers the agent itself. Where it is ended for being late, or ends before it has answered, what it handed over last is answered.
 */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { handed = 9, frame_size = 28, longest_part = 64 * 1024 * 1024, longest_name = 64, patience_after_signal = 1000 };
enum { OUT, ERR, NAME, TAIL, PARTS };
enum { HOLDS = 1, ANSWERS = 2 };

/* Stands in what is held for how the child came to its end, and for when. */
static const char how_token[] = "<how it ended>", time_token[] = "\"at\":1111111111111,";

/* In place of a frame. */
static const unsigned char not_started = 'X';

struct part { unsigned char *bytes; size_t length; };
struct held {
  int kind, code;
  unsigned char *bytes;
  struct part parts[PARTS];
};
struct child {
  pid_t pid;
  int pipe, ended, status;
  int64_t until; /* -1 for as long as it takes */
  unsigned char *bytes;
  size_t length, room;
  struct held held;
};

static int signals[2];

static void told(int signum) {
  int error = errno;
  unsigned char byte = (unsigned char)signum;
  if (write(signals[1], &byte, 1) < 0) errno = error;
  errno = error;
}

static uint32_t number(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* `<uuid>.ndjson`: a file of the spool and of nowhere else. */
static int is_name(const unsigned char *name, size_t length) {
  static const char end[] = ".ndjson";
  if (length != 36 + sizeof end - 1 || memcmp(name + 36, end, sizeof end - 1) != 0) return 0;
  for (size_t at = 0; at < 36; at++)
    if (!strchr("0123456789abcdef-", name[at]) || !name[at]) return 0;
  return 1;
}

/* Takes the frames that are whole. Of what is none nothing more is taken: what was held before it still is. */
static int take_frames(struct child *child) {
  while (child->length >= frame_size) {
    unsigned char *at = child->bytes;
    size_t whole = frame_size, lengths[PARTS];
    if (memcmp(at, "HKH1", 4) != 0 || (at[4] != HOLDS && at[4] != ANSWERS)) return 0;
    for (int part = 0; part < PARTS; part++) {
      lengths[part] = number(at + 12 + 4 * part);
      if (lengths[part] > longest_part) return 0;
      whole += lengths[part];
    }
    if (lengths[NAME] > longest_name) return 0;
    if (child->length < whole) return 1;
    struct held held = {.kind = at[4], .code = at[5]};
    uint32_t left = number(at + 8);
    if (!(held.bytes = malloc(whole))) return 0;
    memcpy(held.bytes, at, whole);
    unsigned char *next = held.bytes + frame_size;
    for (int part = 0; part < PARTS; next += lengths[part++]) held.parts[part] = (struct part){next, lengths[part]};
    free(child->held.bytes);
    child->held = held;
    child->until = now_ms() + (left < 3600000 ? (int64_t)left : 3600000);
    child->length -= whole;
    memmove(at, at + whole, child->length);
  }
  return 1;
}

/* What there is to read, and no more; false at the end or where it makes no sense. */
static int hear(struct child *child) {
  for (;;) {
    if (child->length == child->room) {
      size_t room = child->room ? child->room * 2 : 16 * 1024;
      unsigned char *bytes = realloc(child->bytes, room);
      if (!bytes) return 0;
      child->bytes = bytes;
      child->room = room;
    }
    ssize_t count = read(child->pipe, child->bytes + child->length, child->room - child->length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return 0;
    child->length += (size_t)count;
    if (!take_frames(child)) return 0;
  }
}

/* With all it started where it leads a group of its own; see `begin`. */
static void end_child(const struct child *child, int signum) {
#ifdef __linux__
  kill(-child->pid, signum);
#endif
  kill(child->pid, signum);
}

static int has_ended(struct child *child) {
  if (!child->ended && waitpid(child->pid, &child->status, WNOHANG) == child->pid) child->ended = 1;
  return child->ended;
}

/* Until it has ended, or its time is over; the signal by which the agent had us end, if any. */
static int await(struct child *child) {
  int listening = 1;
  while (!has_ended(child)) {
    int64_t left = child->until < 0 ? -1 : child->until - now_ms();
    if (child->until >= 0 && left <= 0) return 0;
    struct pollfd both[2] = {{.fd = listening ? child->pipe : -1, .events = POLLIN}, {.fd = signals[0], .events = POLLIN}};
    if (poll(both, 2, left < 0 ? -1 : (int)left) < 0 && errno != EINTR) return 0;
    if (listening && both[0].revents) listening = hear(child);
    unsigned char byte;
    while (read(signals[0], &byte, 1) == 1)
      if (byte != SIGCHLD) return byte;
  }
  if (listening) hear(child);
  return 0;
}

static char *text_number(char *to, int64_t value) {
  if (value > 9) to = text_number(to, value / 10);
  *to = (char)('0' + value % 10);
  return to + 1;
}

/* A copy with every `from` as `to`; NULL without memory. */
static unsigned char *replaced(struct part in, const char *from, const char *to, size_t *length) {
  size_t from_length = strlen(from), to_length = strlen(to), room = in.length + 1;
  for (size_t at = 0; at + from_length <= in.length; at++)
    if (memcmp(in.bytes + at, from, from_length) == 0) room += to_length;
  unsigned char *bytes = malloc(room), *end = bytes;
  if (!bytes) return NULL;
  for (size_t at = 0; at < in.length;) {
    if (at + from_length <= in.length && memcmp(in.bytes + at, from, from_length) == 0) {
      memcpy(end, to, to_length);
      end += to_length, at += from_length;
    } else *end++ = in.bytes[at++];
  }
  *length = (size_t)(end - bytes);
  return bytes;
}

static struct part filled(struct part in, const char *from, const char *to) {
  struct part out = {NULL, 0};
  out.bytes = replaced(in, from, to, &out.length);
  return out.bytes ? out : in;
}

/* How the child came to its end, in words that stand in a block's reason too. */
static void tell_end(const struct child *child, int late, char *to) {
  if (late) to = stpcpy(to, "was ended when its time was over");
  else if (WIFSIGNALED(child->status)) to = text_number(stpcpy(to, "was ended by signal "), WTERMSIG(child->status));
  else to = text_number(stpcpy(to, "ended with exit code "), WEXITSTATUS(child->status));
  *to = 0;
}

/* Onto the file that the child wrote its facts to, which it can hand over no more. */
static void record(const struct call *call, const struct part *name, struct part tail) {
  char ready[longest_name + 1], open[longest_name + 8];
  if (!is_name(name->bytes, name->length) || call->home < 0) return;
  memcpy(ready, name->bytes, name->length);
  ready[name->length] = 0;
  strcpy(stpcpy(open, ready), ".open");
  int spool = open_ours(call->home, "spool", O_RDONLY | O_DIRECTORY);
  if (spool < 0) return;
  int file = open_ours(spool, open, O_WRONLY | O_APPEND);
  if (file >= 0) {
    /* Whatever was cut off in the middle of a line is a line of its own. */
    if (write_all(file, "\n", 1)) write_all(file, tail.bytes, tail.length);
    close(file);
    renameat(spool, open, spool, ready);
  }
  close(spool);
}

static int answer_held(const struct call *call, struct child *child, int late) {
  char how[64], at[32];
  struct timespec time;
  struct held *held = &child->held;
  tell_end(child, late, how);
  clock_gettime(CLOCK_REALTIME, &time);
  char *end = text_number(stpcpy(at, "\"at\":"), (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000);
  strcpy(end, ",");
  record(call, &held->parts[NAME], filled(filled(held->parts[TAIL], how_token, how), time_token, at));
  struct part out = filled(held->parts[OUT], how_token, how), err = filled(held->parts[ERR], how_token, how);
  signal(SIGPIPE, SIG_IGN);
  write_all(2, err.bytes, err.length);
  write_all(1, out.bytes, out.length);
  return held->code;
}

/* The child as it would be had this process become it, but for its one more descriptor. */
static void begin(const char *path, char **arguments, const int *ends, pid_t parent) {
#ifdef __linux__
  /* Its own group, so that what it starts can be ended with it; it does not outlive whoever ends us. */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
#else
  (void)parent;
#endif
  if (ends[1] == handed ? fcntl(handed, F_SETFD, 0) < 0 : dup2(ends[1], handed) < 0) unsetenv("HOOKTAPE_HOLD");
  execv(path, arguments);
  if (write(ends[1], &not_started, 1) < 0) _exit(127);
  _exit(127);
}

static int make_pipe(int *ends) {
  if (pipe(ends) != 0) return 0;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* The exit code for the call; -1 where nothing could be started. */
int run_child(const struct call *call, const char *path, char **arguments) {
  static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  struct child child = {.until = -1};
  int ends[2];
  if (!make_pipe(ends) || !make_pipe(signals)) return -1;
  fcntl(signals[1], F_SETFL, O_NONBLOCK);
  setenv("HOOKTAPE_HOLD", "9", 1);
  pid_t parent = getpid();
  child.pid = fork();
  if (child.pid < 0) return -1;
  if (child.pid == 0) begin(path, arguments, ends, parent);
  struct sigaction action = {.sa_handler = told, .sa_flags = SA_RESTART | SA_NOCLDSTOP}, before;
  sigaction(SIGCHLD, &action, NULL);
  for (size_t at = 0; at < sizeof passed / sizeof *passed; at++)
    if (sigaction(passed[at], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(passed[at], &action, NULL);
  close(ends[1]);
  child.pipe = ends[0];
  /* Who writes to standard input is to see its end when the child closes it. */
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, 0);
  int signum = await(&child), late = !child.ended;
  if (signum) {
    /* The agent waits for nothing any more: the child gets the same, and some time for it. */
    end_child(&child, signum);
    child.until = now_ms() + patience_after_signal;
    await(&child);
    end_child(&child, SIGKILL);
    signal(signum, SIG_DFL);
    raise(signum);
    return 128 + signum;
  }
  if (late) {
    end_child(&child, SIGKILL);
    while (waitpid(child.pid, &child.status, 0) < 0 && errno == EINTR) continue;
    hear(&child);
  }
  if (child.length == 1 && child.bytes[0] == not_started) return -1;
  int clean = !late && WIFEXITED(child.status);
  if (child.held.kind == HOLDS) return answer_held(call, &child, late);
  if (clean) return WEXITSTATUS(child.status);
  return child.held.kind == ANSWERS ? child.held.code : 128 + WTERMSIG(child.status);
}
