/* What is said of a call before its payload. */
#include "client.h"
#include "allowed.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

const char magic[4] = {'H', 'K', 'T', '1'};

void put_number(unsigned char *at, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) at[byte] = (unsigned char)(value >> 8 * byte);
}

/* In decimal digits, without an end. */
char *put_text(char *to, int64_t value) {
  if (value > 9) to = put_text(to, value / 10);
  *to = (char)('0' + value % 10);
  return to + 1;
}

/* When this program started, by both clocks. */
char *put_start(const struct call *call, char *to) {
  to = put_text(to, call->at);
  *to++ = ' ';
  return put_text(to, call->from);
}

static unsigned char *entry(unsigned char *to, const char *name, const char *value) {
  size_t length = strlen(name);
  memcpy(to, name, length);
  memcpy(to + length, value, strlen(value) + 1);
  return to + length + strlen(value) + 1;
}

static int is_allowed(const char *variable) {
  for (size_t at = 0; at < sizeof allowed / sizeof *allowed; at++) {
    size_t length = strlen(allowed[at]);
    if (strncmp(variable, allowed[at], length) == 0 && variable[length] == '=') return 1;
  }
  return 0;
}

/* Magic, length and head. With a token it goes to a host that runs handlers for us; without, to a file, and keeps no secrets. */
unsigned char *make_head(const struct call *call, const char *token, size_t *length) {
  char cwd[8192];
  char start[72], *end = put_start(call, start);
  *end++ = ' ';
  *put_text(end, monotonic_us() - call->from) = 0;
  if (!getcwd(cwd, sizeof cwd)) cwd[0] = 0;
  size_t room = 8 + 256 + strlen(call->agent) + strlen(call->event) + strlen(cwd) + sizeof HOOKTAPE_BUILD;
  if (token) room += strlen(token);
  for (char **variable = environ; *variable; variable++) room += strlen(*variable) + 5;
  unsigned char *head = malloc(room), *at = head + 8;
  if (!head) return NULL;
  if (token) at = entry(at, "token=", token);
  at = entry(at, "agent=", call->agent);
  at = entry(at, "event=", call->event);
  at = entry(at, "call=", call->id);
  at = entry(at, "cwd=", cwd);
  at = entry(at, "build=", HOOKTAPE_BUILD);
  if (token) at = entry(at, "kinds=", "3");
  at = entry(at, "start=", start);
  for (char **variable = environ; *variable; variable++)
    if (token || is_allowed(*variable)) at = entry(at, "env.", *variable);
  memcpy(head, magic, 4);
  put_number(head + 4, (uint32_t)(at - head - 8));
  *length = (size_t)(at - head);
  return head;
}
