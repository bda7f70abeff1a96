/* Reads the frames of a child, and nothing else that comes from it: its handlers can write where it does. */
#include "held.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

/* So much is read at once, which is more than waits in any socket: one that writes without end does not keep the time from being over. */
enum { most_at_once = 16 * 1024 * 1024 };
enum { mark_size = 4 + secret_size, frame_size = mark_size + 24, longest_part = 64 * 1024 * 1024 };

/* What each frame of this call begins with: "HKH2" and a secret, which the frame ends with as well. */
static char mark[mark_size + 1] = "HKH2";

static uint32_t number(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* As the child is told it; false without randomness. */
int make_secret(char *text) {
  static const char hex[] = "0123456789abcdef";
  unsigned char bytes[secret_size / 2];
  if (getentropy(bytes, sizeof bytes) != 0) return 0;
  for (int at = 0; at < secret_size; at++) mark[4 + at] = hex[bytes[at / 2] >> 4 * (at % 2) & 15];
  strcpy(text, mark + 4);
  return 1;
}

/* Says it at once, and tells the child what became of it: an error's number, or 0. */
static void say(const struct child *child, const struct held *said) {
  unsigned char outcome[4];
  errno = 0;
  int heard = write_all(2, said->parts[ERR].bytes, said->parts[ERR].length);
  heard = write_all(1, said->parts[OUT].bytes, said->parts[OUT].length) && heard;
  put_number(outcome, heard ? 0 : errno ? (uint32_t)errno : EIO);
  write_all(child->pipe, outcome, sizeof outcome);
}

static void accept_frame(struct child *child, struct held taken, uint32_t left) {
  if (taken.kind == SAYS) {
    /* What the agent took to read it is not on the child's time: it says the other way what was not taken. */
    int64_t before = now_ms();
    say(child, &taken);
    child->until += now_ms() - before;
    free(taken.bytes);
    return;
  }
  int64_t until = now_ms() + (left < 3600000 ? (int64_t)left : 3600000);
  if (taken.kind == BEGINS) {
    child->until = until;
    free(taken.bytes);
    return;
  }
  if (taken.kind == INSTEAD) {
    free(child->coming.bytes);
    child->coming = taken;
    return;
  }
  free(child->held.bytes);
  free(child->instead.bytes);
  child->held = taken;
  child->instead = child->coming;
  child->coming = (struct held){0};
  child->until = until;
}

/*
 * How many bytes of what there is from `from` on are done with: a whole frame, or one byte that begins none. 0 where more has to
 * come. A handler that writes here begins no frame, since it does not know the secret; where it wrote into one, that is dropped.
 */
static size_t take_frame(struct child *child, size_t from) {
  unsigned char *at = child->bytes + from;
  size_t there = child->length - from, whole = frame_size + secret_size, lengths[PARTS];
  if (memcmp(at, mark, there < mark_size ? there : mark_size) != 0) return 1;
  if (there < frame_size) return 0;
  unsigned char *fields = at + mark_size;
  if (fields[0] < HOLDS || fields[0] > BEGINS) return 1;
  for (int part = 0; part < PARTS; part++) {
    lengths[part] = number(fields + 8 + 4 * part);
    if (lengths[part] > longest_part) return 1;
    whole += lengths[part];
  }
  if (lengths[NAME] > longest_name) return 1;
  if (there < whole) return 0;
  if (memcmp(at + whole - secret_size, mark + 4, secret_size) != 0) return 1;
  struct held taken = {.kind = fields[0], .code = fields[1], .is_said = fields[2], .bytes = malloc(whole)};
  if (!taken.bytes) return whole;
  memcpy(taken.bytes, at, whole);
  unsigned char *next = taken.bytes + frame_size;
  for (int part = 0; part < PARTS; next += lengths[part++]) taken.parts[part] = (struct part){next, lengths[part]};
  accept_frame(child, taken, number(fields + 4));
  return whole;
}

/* `last`: nothing more comes, and what is not whole begins nothing. */
void take_frames(struct child *child, int last) {
  size_t at = 0;
  while (at < child->length) {
    size_t done = take_frame(child, at);
    if (done == 0 && !last) break;
    at += done ? done : 1;
  }
  child->length -= at;
  memmove(child->bytes, child->bytes + at, child->length);
}

/* What there is to read, and no more; false at the end. */
int hear(struct child *child) {
  for (size_t heard = 0; heard < most_at_once;) {
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
    child->length += (size_t)count, heard += (size_t)count;
    if (child->length == 1 && child->bytes[0] == not_started) child->failed = 1;
    take_frames(child, 0);
  }
  return 1;
}
