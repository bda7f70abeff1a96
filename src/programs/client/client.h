/* The client of hooktape: the small program that an agent starts for each hook call. docs/decisions/0006 is its contract. */
#ifndef HOOKTAPE_CLIENT_H
#define HOOKTAPE_CLIENT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "json.h"
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Where it does not exist, sockets are told once and for all. */
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

struct call {
  const char *agent, *event;
  char id[37];       /* a UUIDv7 */
  char *state;       /* absolute path of the state directory */
  int home, run;     /* it and run/ in it; -1 where they are missing or not private */
  int64_t deadline;  /* milliseconds that a call may take */
  int64_t at, from;  /* microseconds at its start: since 1970, and of the clock that only goes on */
};

/* What came on standard input, kept for whoever answers in the end. */
struct payload {
  unsigned char *bytes;
  size_t length, room;
  size_t dropped;  /* bytes beyond what is kept, between the last of `most_kept` and what follows it */
  int ended;
  struct { size_t at; long depth; int started, quoted, escaped, complete; } json;
};

struct part { unsigned char *bytes; size_t length; };
struct reply {
  int code, has_instead, code_instead;
  struct part out, err;
  struct part err_instead; /* where `has_instead`: what is said where standard output does not take `out` */
  struct part undelivered; /* the fact that it was, for the spool; nothing where nobody made one */
};

/* payload.c */
enum { most_kept = 16 * 1024 * 1024, read_size = 64 * 1024 };
int64_t now_ms(void);
int64_t monotonic_us(void);
int take_in(struct payload *in);
void collect(struct payload *in, int64_t until, int keep);
int is_complete(struct payload *in);
int give_back(const struct call *call, struct payload *in);
int write_all(int to, const void *bytes, size_t length);

/* deliver.c */
struct part filled(struct part in, const char *from, const char *to);
struct part timed(struct part facts);
int deliver(const struct reply *reply, struct part *loss);
void spool_facts(const struct call *call, struct part facts);

/* exchange.c */
int find_host(const struct call *call, char *token, size_t room);
int ask_host(const struct call *call, int host, const char *token, struct payload *in, struct reply *reply);

/* head.c */
extern const char magic[4];
void put_number(unsigned char *at, uint32_t value);
char *put_text(char *to, int64_t value);
char *put_start(const struct call *call, char *to);
unsigned char *make_head(const struct call *call, const char *token, size_t *length);

/* clean.c */
void clean_start(void);

/* off.c */
void say_off(const struct call *call);

/* blank.c */
int open_blank(const struct call *call, int spool, char *name);

/* route.c */
struct answer { const char *text; size_t length; };
int is_routed(const struct call *call, struct payload *in, struct answer *answer);

/* plain.c */
int is_plain(struct text command, int *starts_script);

/* seal.c */
enum { key_size = 32, nonce_size = 12, tag_size = 16 };
int seal(const struct call *call, unsigned char *text, size_t length, unsigned char *nonce, unsigned char *tag);

/* nohost.c */
int is_ours(int descriptor, int directory);
int open_ours(int at, const char *name, int flags);
int only_background(const struct call *call);
int spool_call(const struct call *call, struct payload *in);
void start_host(const struct call *call);
int has_host(const struct call *call);
void reached(const struct call *call);
int may_stop(const struct call *call);
int unreachable(const struct call *call, struct payload *in, const char *why);
int lose_entrypoint(const struct call *call, struct payload *in);

/* parent.c */
enum { not_run = -1, lost = -2 };
int run_child(const struct call *call, const char *path, char **arguments);

/* When a file, and when anything about it, was last changed: a timespec of `struct stat`. */
#ifdef __APPLE__
#define st_modified st_mtimespec
#define st_changed st_ctimespec
#else
#define st_modified st_mtim
#define st_changed st_ctim
#endif

#endif
