/* Standard input: read as it comes, kept while nobody has answered, handed on when somebody else has to. */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* A reader that takes nothing for that long is not there any more. */
enum { patience_for_readers = 30000 };

int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The clock that Node calls hrtime: a host takes its time from it as well. */
int64_t monotonic_us(void) {
#ifdef __APPLE__
  enum { machine = CLOCK_MONOTONIC_RAW };
#else
  enum { machine = CLOCK_MONOTONIC };
#endif
  struct timespec time;
  clock_gettime(machine, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/* One read; false at the end. What `most_kept` has no room for is overwritten by the next read: it must have been sent by then. */
int take_in(struct payload *in) {
  if (in->length > most_kept) {
    in->dropped += in->length - most_kept;
    in->length = most_kept;
  }
  if (in->room < in->length + read_size / 16) {
    size_t room = in->room ? in->room * 2 : read_size;
    if (room > most_kept + read_size) room = most_kept + read_size;
    unsigned char *bytes = realloc(in->bytes, room);
    if (!bytes) return in->ended = 1, 0;
    in->bytes = bytes;
    in->room = room;
  }
  size_t space = in->room - in->length;
  ssize_t count = read(0, in->bytes + in->length, space < read_size ? space : read_size);
  if (count > 0) return in->length += (size_t)count, 1;
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return 1;
  return in->ended = 1, 0;
}

/* Whether a JSON object or list that began the input is closed; as src/runtime/stdin.ts sees it. */
int is_complete(struct payload *in) {
  for (; in->json.at < in->length && !in->json.complete; in->json.at++) {
    unsigned char byte = in->bytes[in->json.at];
    if (in->json.quoted) {
      if (in->json.escaped) in->json.escaped = 0;
      else if (byte == '\\') in->json.escaped = 1;
      else if (byte == '"') in->json.quoted = 0;
    } else if (byte == '"') in->json.quoted = 1;
    else if (byte == '{' || byte == '[') in->json.depth++, in->json.started = 1;
    else if (byte == '}' || byte == ']') in->json.depth--;
    if (in->json.started && in->json.depth <= 0 && !in->json.quoted) in->json.complete = 1;
  }
  return in->json.complete;
}

/* Reads until the end, one complete JSON value, or the time is up: a writer that never hangs up is not waited for. */
void collect(struct payload *in, int64_t until, int keep) {
  while (!in->ended) {
    int64_t left = is_complete(in) ? 0 : until - now_ms();
    struct pollfd input = {.fd = 0, .events = POLLIN};
    int ready = poll(&input, 1, left > 0 ? (int)left : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return;
    take_in(in);
    if (!keep) {
      is_complete(in);
      in->json.at = in->length = 0;
    }
    if (now_ms() >= until) return;
  }
}

/* Writes all of it without ever blocking for good; false, and `errno`, when the reader is gone or takes nothing. */
int write_all(int to, const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  for (size_t left = length; left > 0;) {
    ssize_t count = send(to, at, left, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) {
      struct pollfd output = {.fd = to, .events = POLLOUT};
      int ready = poll(&output, 1, patience_for_readers);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return errno = ready < 0 ? errno : ETIMEDOUT, 0;
      /* A pipe that can be written to takes this much (PIPE_BUF) at once; more could block. */
      count = write(to, at, left < 4096 ? left : 4096);
    } else if (count < 0 && errno == EAGAIN) {
      struct pollfd output = {.fd = to, .events = POLLOUT};
      if (poll(&output, 1, patience_for_readers) == 0) return errno = ETIMEDOUT, 0;
      continue;
    }
    if (count < 0 && errno != EINTR && errno != EAGAIN) return 0;
    if (count > 0) at += count, left -= (size_t)count;
  }
  return 1;
}

static int replay(int to, const struct payload *in) {
  static const char blank[4096] = {' '};
  size_t kept = in->length < most_kept ? in->length : most_kept;
  if (!write_all(to, in->bytes, kept)) return 0;
  /* Too large to be handled, whoever counts it: only how much it was is left of these. */
  for (size_t left = in->dropped, size; left > 0; left -= size) {
    size = left < sizeof blank ? left : sizeof blank;
    if (!write_all(to, blank, size)) return 0;
  }
  return write_all(to, in->bytes + kept, in->length - kept);
}

/* An anonymous file: nobody has to stay behind to fill it. */
static int as_file(const struct call *call, const struct payload *in) {
#ifdef MFD_CLOEXEC
  int file = memfd_create("hooktape", MFD_CLOEXEC);
#else
  int file = openat(call->run, call->id, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file >= 0) unlinkat(call->run, call->id, 0);
#endif
  (void)call;
  if (file < 0) return -1;
  if (replay(file, in) && lseek(file, 0, SEEK_SET) == 0) return file;
  close(file);
  return -1;
}

/* A process that writes what was kept, then what still comes, for as long as there is a reader. It holds no pipe but these. */
static int as_pipe(struct payload *in) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  pid_t feeder = fork();
  if (feeder < 0) return close(ends[0]), close(ends[1]), -1;
  if (feeder > 0) return close(ends[1]), ends[0];
  signal(SIGPIPE, SIG_IGN);
  close(ends[0]), close(1), close(2);
  int going = replay(ends[1], in);
  while (going && !in->ended) {
    struct pollfd both[2] = {{.fd = 0, .events = POLLIN}, {.fd = ends[1]}};
    if (poll(both, 2, -1) < 0 && errno != EINTR) break;
    if (both[1].revents) break;
    if (!both[0].revents) continue;
    in->length = 0;
    going = take_in(in) && write_all(ends[1], in->bytes, in->length);
  }
  _exit(0);
}

/* Makes standard input what it would have been had nobody read from it. */
int give_back(const struct call *call, struct payload *in) {
  if (in->length == 0) return 1;
  int whole = in->dropped == 0 && (in->ended || is_complete(in));
  int again = whole ? as_file(call, in) : -1;
  if (again < 0) again = as_pipe(in);
  if (again < 0) return 0;
  int done = dup2(again, 0) == 0;
  close(again);
  return done;
}
