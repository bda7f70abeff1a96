/* Reads as much of a JSON object as a route asks for. What is nested is passed over: a host would refuse what is wrong in it, and no hook would see it. */
#include "json.h"
#include <string.h>

int is(struct text text, const char *value) {
  return text.length == strlen(value) && memcmp(text.at, value, text.length) == 0;
}

static const char *blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at;
}

/* Behind the closing quote of a text that begins at `at`, or nothing. `is_plain`: it says what its bytes say. */
static const char *text_end(const char *at, const char *end, int *is_plain) {
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\') at++, *is_plain = 0;
  return at < end ? at + 1 : NULL;
}

/* Behind any value. */
static const char *value_end(const char *at, const char *end) {
  long depth = 0;
  int is_plain;
  while (at < end) {
    if (*at == '"') {
      if (!(at = text_end(at, end, &is_plain))) return NULL;
    } else if (*at == '{' || *at == '[') depth++, at++;
    else if (*at == '}' || *at == ']') {
      if (depth == 0) return at;
      depth--, at++;
    } else if (*at == ',' && depth == 0) return at;
    else {
      at++;
      continue;
    }
    if (depth == 0) return at;
  }
  return NULL;
}

/* True where the text is one object, read to its end, in which no name is written in another way than plainly. */
int scan(struct text object, struct field *fields, int count) {
  const char *at = object.at, *end = at + object.length;
  at = blanks(at, end);
  if (at == end || *at != '{') return 0;
  at = blanks(at + 1, end);
  if (at < end && *at == '}') return blanks(at + 1, end) == end;
  while (at < end && *at == '"') {
    int is_plain = 1;
    const char *name = at + 1;
    if (!(at = text_end(at, end, &is_plain)) || !is_plain) return 0;
    struct text key = {name, (size_t)(at - 1 - name)};
    at = blanks(at, end);
    if (at == end || *at != ':') return 0;
    at = blanks(at + 1, end);
    const char *value = at;
    if (at == end || !(at = value_end(at, end))) return 0;
    for (int one = 0; one < count; one++) {
      if (!is(key, fields[one].name)) continue;
      fields[one].count++;
      fields[one].value = (struct text){value, (size_t)(at - value)};
    }
    at = blanks(at, end);
    if (at < end && *at == '}') return blanks(at + 1, end) == end;
    if (at == end || *at != ',') return 0;
    at = blanks(at + 1, end);
  }
  return 0;
}

static int is_text(struct text value) {
  int is_plain;
  return value.length >= 2 && value.at[0] == '"' &&
         text_end(value.at, value.at + value.length, &is_plain) == value.at + value.length;
}

/* What a text says, where that is what its bytes say; else nothing. */
struct text plain_text(struct text value) {
  if (!is_text(value) || memchr(value.at, '\\', value.length)) return (struct text){value.at, 0};
  return (struct text){value.at + 1, value.length - 2};
}

/* What a text says, where it is written without numbers: how long that is, or -1. */
int unescape(struct text value, char *text, size_t room) {
  static const char written[] = "\"\\/nt", meant[] = "\"\\/\n\t";
  if (!is_text(value)) return -1;
  size_t length = 0;
  for (const char *at = value.at + 1, *end = value.at + value.length - 1; at < end; at++) {
    const char *escape = NULL;
    if (*at == '\\' && (++at == end || !(escape = memchr(written, *at, sizeof written - 1)))) return -1;
    if (length == room) return -1;
    text[length++] = escape ? meant[escape - written] : *at;
  }
  return (int)length;
}
