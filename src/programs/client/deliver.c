/* Says a reply to the agent. What cannot be said whole is said the other way, where there is one, and recorded as lost. */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Stand in a fact for what is known only when it happens; src/runtime/undelivered.ts. */
static const char time_token[] = "\"at\":1111111111111,", why_token[] = "<why it was not delivered>";

/* A copy with every `from` as `to`; as it is without memory. */
struct part filled(struct part in, const char *from, const char *to) {
  size_t from_length = strlen(from), to_length = strlen(to), room = in.length + 1;
  for (size_t at = 0; at + from_length <= in.length; at++)
    if (memcmp(in.bytes + at, from, from_length) == 0) room += to_length;
  unsigned char *bytes = malloc(room), *end = bytes;
  if (!bytes) return in;
  for (size_t at = 0; at < in.length;) {
    if (at + from_length <= in.length && memcmp(in.bytes + at, from, from_length) == 0) {
      memcpy(end, to, to_length);
      end += to_length, at += from_length;
    } else *end++ = in.bytes[at++];
  }
  return (struct part){bytes, (size_t)(end - bytes)};
}

/* Facts that happen now. */
struct part timed(struct part facts) {
  char at[32];
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  char *end = put_text(stpcpy(at, "\"at\":"), (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000);
  strcpy(end, ",");
  return filled(facts, time_token, at);
}

static const struct {
  int error;
  const char *name;
} names[] = {{EPIPE, "EPIPE: nobody reads it any more"},
             {ECONNRESET, "ECONNRESET: nobody reads it any more"},
             {EBADF, "EBADF: it is closed"},
             {ENOSPC, "ENOSPC: no space is left for it"},
             {EDQUOT, "EDQUOT: no space is left for it"},
             {EFBIG, "EFBIG: it may not grow"},
             {EIO, "EIO: it could not be written"},
             {ETIMEDOUT, "ETIMEDOUT: it took nothing for too long"}};

/* Whether all of it was said; `why` not otherwise. */
static int say_to(int to, struct part text, int *why) {
  if (write_all(to, text.bytes, text.length)) return 1;
  *why = errno;
  return 0;
}

/* The fact that a reply did not arrive, with the reason. */
static struct part undelivered(struct part fact, int why) {
  char number[32];
  const char *name = number;
  *put_text(stpcpy(number, "error "), why) = 0;
  for (size_t at = 0; at < sizeof names / sizeof *names; at++)
    if (names[at].error == why) name = names[at].name;
  return timed(filled(fact, why_token, name));
}

/* The exit code, and in `loss` the fact to be recorded, if any. */
int deliver(const struct reply *reply, struct part *loss) {
  int why = 0, unsaid;
  signal(SIGPIPE, SIG_IGN);
  if (reply->has_instead) {
    unsaid = !say_to(1, reply->out, &why);
    if (unsaid) write_all(2, reply->err_instead.bytes, reply->err_instead.length);
    else write_all(2, reply->err.bytes, reply->err.length);
  } else {
    /* As the edge does it: who stops reading at the end of standard output has heard the rest by then. */
    unsaid = !say_to(2, reply->err, &why);
    unsaid = !say_to(1, reply->out, &why) || unsaid;
  }
  *loss = unsaid ? undelivered(reply->undelivered, why) : (struct part){NULL, 0};
  return unsaid && reply->has_instead ? reply->code_instead : reply->code;
}

/* Into a file of the spool of its own: whole under its name, or not at all. */
void spool_facts(const struct call *call, struct part facts) {
  char name[64], aside[64];
  if (facts.length == 0 || call->home < 0) return;
  strcpy(stpcpy(name, call->id), ".ndjson");
  strcpy(stpcpy(aside, name), ".part");
  int spool = open_ours(call->home, "spool", O_RDONLY | O_DIRECTORY);
  if (spool < 0) return;
  int file = open_ours(spool, aside, O_WRONLY | O_CREAT | O_EXCL);
  if (file >= 0) {
    int done = write_all(file, facts.bytes, facts.length) && renameat(spool, aside, spool, name) == 0;
    if (!done) unlinkat(spool, aside, 0);
    close(file);
  }
  close(spool);
}
