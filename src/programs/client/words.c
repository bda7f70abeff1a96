/*
 * What stands for itself in a command line, as src/features/guard/plain.ts has it: words without an expansion, save of how a command ended,
 * documents that are handed over as one, and output that is thrown away.
 */
#include "words.h"
#include <string.h>

int is_name(char one) {
  return (one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z') || one == '_';
}

/* Of what stands for itself in a word, outside of quotes. */
static int is_bare(char one) { return is_name(one) || (one != 0 && strchr("./:@%+,^*?~-", one)); }

int begins(struct text text, const char *with) {
  size_t length = strlen(with);
  return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* What a word says of how a command ended: a number. */
static size_t status_length(struct text rest) {
  return begins(rest, "$?") ? 2 : begins(rest, "${PIPESTATUS[0]}") ? 16 : 0;
}

/* How long a document is that is handed over as a word: what a commit says. Nothing in it is anything but text, for any shell. */
static size_t document_length(struct text rest) {
  static const char opening[] = "\"$(cat <<'EOF'\n", closing[] = "\nEOF\n)\"";
  if (!begins(rest, opening)) return 0;
  for (size_t at = sizeof opening - 2; at < rest.length && !strchr("$`\\\"", rest.at[at]); at++) {
    struct text line = {rest.at + at, rest.length - at};
    if (!begins(line, "\nEOF\n")) continue;
    size_t length = at + sizeof closing - 1;
    return begins(line, closing) && (length == rest.length || strchr(" \t|;&\n", rest.at[length])) ? length : 0;
  }
  return 0;
}

/* Behind the closing quote of a text that begins there, or 0. */
static size_t quoted_length(struct text rest) {
  char quote = rest.at[0];
  for (size_t at = 1; at < rest.length; at++) {
    char one = rest.at[at];
    if (one == quote) return at + 1;
    if (quote == '\'') continue;
    size_t status = status_length((struct text){rest.at + at, rest.length - at});
    if (status) at += status - 1;
    else if (one == '\\' && at + 1 < rest.length && !strchr("\"$`\\!\n", rest.at[at + 1])) at++;
    else if (strchr("$`\\!", one)) return 0;
  }
  return 0;
}

/* How long a word is that begins there; 0 where none does. */
size_t word_length(struct text rest) {
  size_t at = 0, length;
  if ((length = document_length(rest)) > 0) return length;
  while (at < rest.length) {
    char one = rest.at[at];
    struct text from = {rest.at + at, rest.length - at};
    if (one == '\'' || one == '"') length = quoted_length(from);
    else if (one == '$') length = status_length(from);
    else length = is_bare(one) || (one == '=' && at + 1 < rest.length && (is_bare(rest.at[at + 1]) || strchr("'\"", rest.at[at + 1])));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

/* Output that is thrown away, or goes where errors go: how long that is, or 0. */
size_t redirection_length(struct text rest) {
  size_t length = 0;
  if (begins(rest, "2>&1")) length = 4;
  else {
    struct text from = rest;
    if (rest.length > 0 && strchr("12&", rest.at[0])) from = (struct text){rest.at + 1, rest.length - 1};
    if (begins(from, ">/dev/null")) length = 10;
    else if (begins(from, "> /dev/null") || begins(from, ">\t/dev/null")) length = 11;
    else return 0;
    length += (size_t)(from.at - rest.at);
  }
  return length == rest.length || strchr(" \t|;&\n", rest.at[length]) ? length : 0;
}
