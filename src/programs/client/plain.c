/*
 * Whether a command only looks, told at a glance: what src/features/guard/plain.ts says as well, of the commands in plain.h. What is
 * not certain is asked.
 */
#include "client.h"
#include "plain.h"
#include <string.h>

enum { longest_command = 2000, most_words = 64 };

/* As it is written, and without its quotes. */
struct word { struct text written, meant; };

struct words { struct word all[most_words]; int count; };

static int is_digit(char one) { return one >= '0' && one <= '9'; }
static int is_capital(char one) { return one >= 'A' && one <= 'Z'; }
static int is_name(char one) { return is_digit(one) || is_capital(one) || (one >= 'a' && one <= 'z') || one == '_'; }

/* Of what stands for itself in a word, outside of quotes. */
static int is_bare(char one) { return is_name(one) || (one != 0 && strchr("./:@%+,^*?~-", one)); }

static int begins(struct text text, const char *with) {
  size_t length = strlen(with);
  return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* A name that may be a variable's, with what is set. */
static int has_assignment(struct text command) {
  int run = 0;
  for (size_t at = 0; at < command.length; at++) {
    char one = command.at[at];
    if (is_capital(one) || is_digit(one) || one == '_') run++;
    else if ((one == '=' || one == ':') && run >= 3) return 1;
    else if ((one != '"' && one != '\'') || (at > 0 && (command.at[at - 1] == '"' || command.at[at - 1] == '\''))) run = 0;
  }
  return 0;
}

/* How long a word is that begins there; 0 where none does. */
static size_t word_length(struct text rest) {
  size_t at = 0;
  while (at < rest.length) {
    char one = rest.at[at];
    if (one == '\'' || one == '"') {
      size_t end = at + 1;
      while (end < rest.length && rest.at[end] != one && rest.at[end] != '\n' && !(one == '"' && strchr("$`\\!", rest.at[end]))) end++;
      if (end == rest.length || rest.at[end] != one) return at;
      at = end + 1;
    } else if (is_bare(one)) at++;
    else if (one == '=' && at + 1 < rest.length && (is_bare(rest.at[at + 1]) || strchr("'\"", rest.at[at + 1]))) at++;
    else return at;
  }
  return at;
}

/* Output that is thrown away, or goes where errors go: how long that is, or 0. */
static size_t redirection_length(struct text rest) {
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

/* Names of files that lie there would take its place, and be options. */
static int is_open(struct text written) {
  struct text rest = written;
  while (begins(rest, "''") || begins(rest, "\"\"")) rest = (struct text){rest.at + 2, rest.length - 2};
  if (begins(rest, "*") || begins(rest, "?")) return 1;
  for (rest = written; begins(rest, "\"") || begins(rest, "'");) rest = (struct text){rest.at + 1, rest.length - 1};
  return begins(rest, "-") && (memchr(rest.at, '*', rest.length) || memchr(rest.at, '?', rest.length));
}

static int is_listed(const char *list, struct text one) {
  for (const char *at = list; *at;) {
    size_t length = strcspn(at, " ");
    if (length == one.length && memcmp(at, one.at, length) == 0) return 1;
    at += length + (at[length] == ' ');
  }
  return 0;
}

/* Letters and digits behind one dash, without those that are left out. */
static int is_cluster(struct text option, const char *except) {
  if (!except || option.length < 2) return 0;
  for (size_t at = 1; at < option.length; at++)
    if (!is_name(option.at[at]) || option.at[at] == '_' || strchr(except, option.at[at])) return 0;
  return 1;
}

/* `src/parser.test.ts`: each part begins with a letter or a digit. */
static int is_test_name(struct text name) {
  int begun = 0;
  for (size_t at = 0; at < name.length; at++) {
    int divides = name.at[at] == '.' || name.at[at] == '/';
    if (divides ? !begun : !is_name(name.at[at]) && !(begun && name.at[at] == '-')) return 0;
    if (begins((struct text){name.at + at, name.length - at}, "hooktape")) return 0;
    begun = !divides;
  }
  return begun;
}

/* `5p`, `1,20p`. */
static int are_lines(struct text script) {
  size_t at = 0, from = 0;
  while (at < script.length && is_digit(script.at[at])) at++;
  if (at > 0 && at < script.length && script.at[at] == ',') {
    from = ++at;
    while (at < script.length && is_digit(script.at[at])) at++;
  }
  return at > from && at + 1 == script.length && script.at[at] == 'p';
}

static int is_operand(enum operands operands, struct text one, int nth) {
  switch (operands) {
    case ANY: return 1;
    case NONE: return 0;
    case ONE: return nth == 0;
    case NAMES: return is_test_name(one);
    case LINES: return nth > 0 || are_lines(one);
  }
  return 0;
}

static int fits(const struct rule *rule, const struct words *words) {
  if (!is(words->all[0].written, rule->name)) return 0;
  if (rule->always) return 1;
  int at = 1, operands = 0;
  for (const char *first = rule->first; *first; at++) {
    size_t length = strcspn(first, " ");
    if (at >= words->count || words->all[at].meant.length != length || memcmp(words->all[at].meant.at, first, length) != 0) return 0;
    first += length + (first[length] == ' ');
  }
  for (; at < words->count; at++) {
    struct text one = words->all[at].meant;
    if (is_open(words->all[at].written)) return 0;
    if (begins(one, "-") ? !is_listed(rule->options, one) && !is_cluster(one, rule->except)
                         : !is_operand(rule->operands, one, operands++))
      return 0;
  }
  return (rule->operands != ONE && rule->operands != LINES) || operands > 0;
}

/* What was seen among the commands of a line: some start a script of a package, some go to another folder. */
struct seen { int scripts, moves; };

static int is_harmless(const struct words *words, struct seen *seen) {
  if (words->count == 0) return 1;
  for (size_t at = 0; at < sizeof rules / sizeof *rules; at++) {
    if (!fits(&rules[at], words)) continue;
    if (rules[at].operands == NAMES) seen->scripts = 1;
    if (is(words->all[0].written, "cd")) seen->moves = 1;
    return 1;
  }
  return 0;
}

/* Whether no more is to be said: a script of another folder is not the one that is looked at here. */
static int is_settled(struct seen seen, int *starts_script) {
  *starts_script = seen.scripts;
  return !seen.scripts || !seen.moves;
}

int is_plain(struct text command, int *starts_script) {
  static char meant[longest_command];
  struct words words = {.count = 0};
  struct seen seen = {0};
  size_t used = 0;
  if (command.length == 0 || command.length > longest_command || has_assignment(command)) return 0;
  for (size_t at = 0; at < command.length; at++)
    if (command.at[at] != '\n' && command.at[at] != '\t' && (command.at[at] < ' ' || command.at[at] > '~')) return 0;
  for (struct text rest = command; rest.length > 0;) {
    size_t length = strchr(" \t", rest.at[0]) ? 1 : redirection_length(rest);
    if (length == 0 && (length = word_length(rest)) > 0) {
      if (words.count == most_words) return 0;
      struct word *word = &words.all[words.count++];
      *word = (struct word){{rest.at, length}, {meant + used, 0}};
      for (size_t at = 0; at < length; at++)
        if (!strchr("\"'", rest.at[at])) meant[used++] = rest.at[at];
      word->meant.length = (size_t)(meant + used - word->meant.at);
    } else if (length == 0) {
      length = begins(rest, "&&") || begins(rest, "||") ? 2 : strchr("|;\n", rest.at[0]) ? 1 : 0;
      if (length == 0 || !is_harmless(&words, &seen)) return 0;
      words.count = 0;
    }
    rest = (struct text){rest.at + length, rest.length - length};
  }
  return is_harmless(&words, &seen) && is_settled(seen, starts_script);
}
