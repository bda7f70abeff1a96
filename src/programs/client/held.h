/* What a child hands over: what to answer should it be lost, and what to say at once. docs/decisions/0019 and 0029 are the contract. */
#ifndef HOOKTAPE_HELD_H
#define HOOKTAPE_HELD_H
#include "client.h"
#include <sys/types.h>

enum { OUT, ERR, NAME, TAIL, PARTS };
enum { HOLDS = 1, ANSWERS = 2, SAYS = 3, INSTEAD = 4, BEGINS = 5 };
enum { secret_size = 32, longest_name = 64 };

/* In place of a frame, from a child that was never another program. */
enum { not_started = 'X' };

struct held {
  int kind, code, is_said;
  unsigned char *bytes;
  struct part parts[PARTS];
};
struct child {
  pid_t pid;
  int pipe, ended, status, failed;
  int64_t until; /* by then it has said something more, or is given up */
  unsigned char *bytes;
  size_t length, room;
  struct held held, instead, coming; /* `instead`: where what is held is not delivered; it comes before it */
};

/* held.c */
int make_secret(char *text); /* room for `secret_size` and a 0 */
int hear(struct child *child);
void take_frames(struct child *child, int last);

#endif
