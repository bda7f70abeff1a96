/* One question to the host, and its answer. The connection stands before standard input is touched; no wait is without end. */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { header_size = 14, more_size = 12, usual_answer = 4096, longest_answer = 64 * 1024 * 1024 };
enum { most_unsent = 256 * 1024, longest_chunk = 1024 * 1024 };
/* A host that says nothing at all for that long is stuck; one that is at work says so with a reply of kind 2, again and again
   where its second byte is set. */
enum { patience = 2000, most_patience = 600000, patience_to_connect = 250 };

static uint32_t number(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static int is_own_process(int host) {
#ifdef SO_PEERCRED
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(host, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(host, &user, &group) == 0 && user == geteuid();
#endif
}

/* The address holds about a hundred bytes; a longer path is reached from within its directory. */
static int connect_to(const struct call *call, int host) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  static const char inside[] = "/run/host.sock";
  size_t length = strlen(call->state);
  if (length + sizeof inside <= sizeof address.sun_path) {
    memcpy(address.sun_path, call->state, length);
    memcpy(address.sun_path + length, inside, sizeof inside);
    return connect(host, (struct sockaddr *)&address, sizeof address);
  }
  int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (here < 0) return -1;
  memcpy(address.sun_path, "host.sock", sizeof "host.sock");
  int done = fchdir(call->run) == 0 ? connect(host, (struct sockaddr *)&address, sizeof address) : -1;
  int error = errno;
  if (fchdir(here) != 0) done = -1, error = ENOENT;
  close(here);
  errno = error;
  return done;
}

/* A connection to a host of this user, and the token it wants to hear; -1 where there is none. */
int find_host(const struct call *call, char *token, size_t room) {
  int file = call->run < 0 ? -1 : open_ours(call->run, "token", O_RDONLY);
  if (file < 0) return -1;
  ssize_t length = read(file, token, room - 1);
  close(file);
  if (length <= 0) return -1;
  token[length] = 0;
  token[strcspn(token, "\r\n")] = 0;
#ifdef SOCK_CLOEXEC
  int host = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
#else
  int host = socket(AF_UNIX, SOCK_STREAM, 0);
  fcntl(host, F_SETFD, FD_CLOEXEC);
  fcntl(host, F_SETFL, O_NONBLOCK);
#endif
  if (host < 0) return -1;
#ifdef SO_NOSIGPIPE
  setsockopt(host, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
  int64_t until = now_ms() + patience_to_connect;
  while (connect_to(call, host) != 0 && errno != EISCONN) {
    int busy = errno == EAGAIN || errno == EINTR || errno == EINPROGRESS || errno == EALREADY;
    if (!busy || now_ms() >= until) return close(host), -1;
    /* Its queue is full: nothing to be told of when it no longer is. */
    poll(NULL, 0, 5);
  }
  return is_own_process(host) ? host : (close(host), -1);
}

enum { HEAD, SIZE, BODY, END };

struct sending {
  struct iovec parts[4];
  size_t sent, framed; /* offsets into the payload: up to where it was sent, and up to where a chunk was announced */
  unsigned char size[4];
  int ended, deaf;
};

static int has_more(const struct sending *out, const struct payload *in) {
  int begun = out->parts[HEAD].iov_len || out->parts[SIZE].iov_len || out->parts[END].iov_len;
  return !out->deaf && (begun || out->sent < in->length || (in->ended && !out->ended));
}

static void frame_next(struct sending *out, const struct payload *in) {
  static unsigned char nothing[4];
  size_t chunk = in->length - out->sent;
  if (chunk > longest_chunk) chunk = longest_chunk;
  if (chunk > 0) {
    put_number(out->size, (uint32_t)chunk);
    out->parts[SIZE] = (struct iovec){out->size, sizeof out->size};
    out->framed = out->sent + chunk;
  }
  if (in->ended && out->framed == in->length && !out->ended) {
    out->parts[END] = (struct iovec){nothing, sizeof nothing};
    out->ended = 1;
  }
}

/* Sends what it can; false when it has to wait. A host that stopped listening may have answered all the same. */
static int send_some(int host, struct sending *out, struct payload *in) {
  while (has_more(out, in)) {
    if (!out->parts[SIZE].iov_len && out->sent == out->framed && !out->parts[END].iov_len) frame_next(out, in);
    /* The payload moves when it grows. */
    out->parts[BODY] = (struct iovec){in->bytes + out->sent, out->framed - out->sent};
    struct msghdr message = {.msg_iov = out->parts, .msg_iovlen = 4};
    ssize_t count = sendmsg(host, &message, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return 0;
    if (count < 0) return out->deaf = 1;
    size_t left = (size_t)count;
    for (int part = HEAD; part <= END; part++) {
      size_t taken = left < out->parts[part].iov_len ? left : out->parts[part].iov_len;
      if (taken == 0) continue;
      out->parts[part].iov_base = (char *)out->parts[part].iov_base + taken;
      out->parts[part].iov_len -= taken;
      if (part == BODY) out->sent += taken;
      left -= taken;
    }
  }
  return 1;
}

struct arriving { unsigned char *bytes; size_t length, room; };

/* Kinds of replies. A long answer holds what is to be said, and to be recorded, where the agent cannot be told. */
enum { ANSWER = 0, WORKING = 2, LONG_ANSWER = 3 };

/* Room for so many bytes of an answer. */
static int make_room(struct arriving *heard, size_t room) {
  unsigned char *bytes = heard->room < room ? realloc(heard->bytes, room) : heard->bytes;
  if (!bytes) return -1;
  heard->bytes = bytes;
  if (heard->room < room) heard->room = room;
  return 0;
}

/* As `hear_some`, of an answer whose header is there. */
static int take_answer(struct arriving *heard, struct reply *reply, size_t out, size_t err) {
  unsigned char *at = heard->bytes, *texts = at + header_size;
  size_t whole = header_size + out + err, instead = 0, undelivered = 0;
  int is_long = at[4] == LONG_ANSWER;
  if (is_long) {
    if (heard->length < whole + more_size) return make_room(heard, whole + more_size);
    instead = number(at + whole + 4), undelivered = number(at + whole + 8);
    if (instead > longest_answer || undelivered > longest_answer) return -1;
    whole += more_size + instead + undelivered;
  }
  if (heard->length < whole) return make_room(heard, whole);
  unsigned char *more = texts + out + err;
  *reply = (struct reply){.code = at[5], .out = {texts, out}, .err = {texts + out, err}};
  if (is_long) {
    reply->has_instead = more[0], reply->code_instead = more[1];
    reply->err_instead = (struct part){more + more_size, instead};
    reply->undelivered = (struct part){more + more_size + instead, undelivered};
  }
  return 1;
}

/* 1 with a whole answer, 0 while it is not, -1 when it never will be. */
static int hear_some(int host, struct arriving *heard, struct reply *reply, int64_t silence, int64_t *until) {
  if (heard->length == heard->room) {
    size_t room = heard->room + usual_answer;
    unsigned char *bytes = realloc(heard->bytes, room);
    if (!bytes) return -1;
    heard->bytes = bytes;
    heard->room = room;
  }
  ssize_t count = recv(host, heard->bytes + heard->length, heard->room - heard->length, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (count <= 0) return -1;
  heard->length += (size_t)count;
  unsigned char *at = heard->bytes;
  while (heard->length >= header_size) {
    size_t out = number(at + 6), err = number(at + 10);
    if (memcmp(at, magic, 4) != 0 || (at[4] != ANSWER && at[4] != WORKING && at[4] != LONG_ANSWER)) return -1;
    if (at[4] != WORKING) return out > longest_answer || err > longest_answer ? -1 : take_answer(heard, reply, out, err);
    int64_t most = at[5] ? silence : most_patience;
    *until = now_ms() + ((int64_t)out < most ? (int64_t)out : most);
    heard->length -= header_size;
    memmove(at, at + header_size, heard->length);
  }
  return memcmp(heard->bytes, magic, heard->length < 4 ? heard->length : 4) == 0 ? 0 : -1;
}

/* True with an answer. Without one, standard input is where `in` says and the connection is closed. */
int ask_host(const struct call *call, int host, const char *token, struct payload *in, struct reply *reply) {
  struct arriving heard = {0};
  struct sending out = {0};
  unsigned char *head = make_head(call, token, &out.parts[HEAD].iov_len);
  out.parts[HEAD].iov_base = head;
  int64_t silence = call->deadline < patience ? call->deadline : patience, until = now_ms() + silence;
  int answered = 0, full = 0;
  while (head && !answered) {
    /* What is kept is kept for good; what is beyond it has to leave before more is read. */
    int reading = !in->ended && !out.deaf && (in->length <= most_kept || out.sent == in->length);
    int more = has_more(&out, in);
    struct pollfd both[2] = {{.fd = reading ? 0 : -1, .events = POLLIN},
                             {.fd = host, .events = full ? POLLIN | POLLOUT : POLLIN}};
    int64_t left = until - now_ms();
    if (left <= 0) break;
    /* What lies ready goes out in one piece: each piece wakes the host. */
    int ready = poll(both, 2, more && !full ? 0 : (int)left);
    if (ready < 0 && errno != EINTR) break;
    if (ready <= 0 && !more) continue;
    if (ready > 0 && both[1].revents & ~POLLOUT) {
      answered = hear_some(host, &heard, reply, silence, &until);
      continue;
    }
    if (ready > 0 && both[0].revents) {
      take_in(in);
      if (out.sent > most_kept) out.sent = out.framed = most_kept;
      if (in->length - out.sent < most_unsent) continue;
    }
    if (!full || (ready > 0 && both[1].revents & POLLOUT)) full = !send_some(host, &out, in);
  }
  close(host);
  return answered == 1;
}
