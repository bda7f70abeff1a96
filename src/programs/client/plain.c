/*
 * Whether a command only looks, told at a glance: what src/features/guard/plain.ts says as well, of the commands in plain.h. What is
 * not certain is asked.
 */
#include "client.h"
#include "plain.h"
#include "words.h"
#include <string.h>
#include <strings.h>

enum { longest_command = 2000 };

static int is_digit(char one) { return one >= '0' && one <= '9'; }

/* A name of a variable that weakens the guards, wherever it stands and however it is quoted. */
static int names_variable(struct text command) {
  static const char name[] = "HOOKTAPE";
  for (size_t from = 0; from < command.length; from++) {
    size_t found = 0;
    for (size_t at = from; at < command.length && name[found]; at++)
      if (command.at[at] == name[found]) found++;
      else if (!strchr("\"'\\", command.at[at])) break;
    if (!name[found]) return 1;
  }
  return 0;
}

/* Names of files that lie there would take its place, and be options. */
static int is_open(struct text written) {
  struct text rest = written;
  while (begins(rest, "''") || begins(rest, "\"\"")) rest = (struct text){rest.at + 2, rest.length - 2};
  if (begins(rest, "*") || begins(rest, "?")) return 1;
  for (rest = written; begins(rest, "\"") || begins(rest, "'");) rest = (struct text){rest.at + 1, rest.length - 1};
  return begins(rest, "-") && (memchr(rest.at, '*', rest.length) || memchr(rest.at, '?', rest.length));
}

static int is_document(struct text written) { return begins(written, "\"$("); }

static struct text entry(const char *at, const char *ends) { return (struct text){at, strcspn(at, ends)}; }

/* The entry behind this one of a list that is divided by one sign. */
static const char *behind(struct text one) { return one.at + one.length + (one.at[one.length] != 0); }

static int is_same(struct text one, struct text other) {
  return one.length == other.length && memcmp(one.at, other.at, one.length) == 0;
}

static int is_listed(const char *list, struct text one) {
  for (; *list; list = behind(entry(list, " ")))
    if (is_same(entry(list, " "), one)) return 1;
  return 0;
}

/* Letters and digits behind one dash, without those that are left out. */
static int is_cluster(struct text option, const char *except) {
  if (!except || option.length < 2) return 0;
  for (size_t at = 1; at < option.length; at++)
    if (!is_name(option.at[at]) || option.at[at] == '_' || strchr(except, option.at[at])) return 0;
  return 1;
}

static int names_hooktape(struct text text) {
  for (; text.length > 0; text.at++, text.length--)
    if (begins(text, "hooktape")) return 1;
  return 0;
}

/* `src/parser.test.ts`: each part begins with a letter or a digit. */
static int is_test_name(struct text name) {
  int begun = 0;
  for (size_t at = 0; at < name.length; at++) {
    int divides = name.at[at] == '.' || name.at[at] == '/';
    if (divides ? !begun : !is_name(name.at[at]) && !(begun && name.at[at] == '-')) return 0;
    begun = !divides;
  }
  return begun && !names_hooktape(name);
}

/* No part of it begins with a dot, save those that are nothing else. */
static int is_place(struct text place) {
  for (size_t at = 0; at < place.length; at++) {
    char one = place.at[at];
    if (one != '.') {
      if (!is_name(one) && !strchr("/:@+%,^|$() -", one)) return 0;
      continue;
    }
    int within = at > 0 && (is_name(place.at[at - 1]) || place.at[at - 1] == '-');
    while (at + 1 < place.length && place.at[at + 1] == '.') at++;
    char next = at + 1 < place.length ? place.at[at + 1] : '/';
    if (next != '/' && !(within && (is_name(next) || next == '-'))) return 0;
  }
  return place.length > 0 && !names_hooktape(place);
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
    case ANY: case WHATEVER: return 1;
    case NONE: return 0;
    case ONE: case MESSAGE: return nth == 0;
    case NAMES: case SCRIPT: return is_test_name(one);
    case PLACES: return is_place(one);
    case LINES: return nth > 0 || are_lines(one);
  }
  return 0;
}

/* One of the list, letters, or one of the list that ends in `=` with a place behind it. */
static int is_option(const struct rule *rule, struct text one) {
  if (is_listed(rule->options, one)) return 1;
  const char *equals = memchr(one.at, '=', one.length);
  size_t length = equals ? (size_t)(equals + 1 - one.at) : 0;
  if (length && is_listed(rule->options, (struct text){one.at, length}) && is_place((struct text){one.at + length, one.length - length}))
    return 1;
  return begins(one, "-") && is_cluster(one, rule->except);
}

/* Whether the words begin as a phrase does: how many those are, or -1. */
static int phrase_words(struct text phrase, const struct words *words) {
  int count = 0;
  for (const char *at = phrase.at; at < phrase.at + phrase.length; at = behind(entry(at, " |")))
    if (++count >= words->count || !is_same(entry(at, " |"), words->all[count].meant)) return -1;
  return count;
}

static int fits_behind(const struct rule *rule, const struct words *words, int at) {
  int operands = 0;
  for (; at < words->count; at++) {
    struct word one = words->all[at];
    if (is_open(one.written) || (is_document(one.written) && rule->operands != MESSAGE)) return 0;
    if (is_option(rule, one.meant)) continue;
    if (begins(one.meant, "-") || !is_operand(rule->operands, one.meant, operands++)) return 0;
  }
  return operands > 0 || (rule->operands != ONE && rule->operands != LINES && rule->operands != MESSAGE);
}

static int has_document(const struct words *words) {
  for (int at = 1; at < words->count; at++)
    if (is_document(words->all[at].written)) return 1;
  return 0;
}

static int fits(const struct rule *rule, const struct words *words) {
  if (!is_listed(rule->names, words->all[0].written)) return 0;
  if (rule->operands == WHATEVER) return !has_document(words);
  const char *first = rule->first;
  do {
    struct text phrase = entry(first, "|");
    int count = phrase_words(phrase, words);
    if (count >= 0 && fits_behind(rule, words, count + 1)) return 1;
    first = behind(phrase);
  } while (*first);
  return 0;
}

/*
 * What was seen among the commands of a line: some start a script of a package, some do something with the places that they are given,
 * some go to another folder, or to one where guarded files may lie under names that say nothing of it.
 */
struct seen { int scripts, acts, moves, hides; };

static int may_be_secret(struct text path) {
  if (path.length > 1 && path.at[0] == '.' && path.at[1] != '/') return 1;
  for (; path.length > 0; path.at++, path.length--)
    for (const char *part = of_secrets; *part; part = behind(entry(part, " "))) {
      size_t length = entry(part, " ").length;
      if (length <= path.length && strncasecmp(part, path.at, length) == 0) return 1;
    }
  return 0;
}

/* What prints files: one that may be a secret is for a guard to see. */
static int prints(const struct words *words, struct seen *seen) {
  for (int at = 1; at < words->count; at++) {
    struct text one = words->all[at].meant;
    if (begins(one, "-")) continue;
    if (may_be_secret(one)) return 0;
    seen->acts = 1;
  }
  return 1;
}

static int is_harmless(const struct words *words, struct seen *seen) {
  if (words->count == 0) return 1;
  for (size_t at = 0; at < sizeof rules / sizeof *rules; at++) {
    if (!fits(&rules[at], words)) continue;
    if (is(words->all[0].written, "cd")) {
      seen->moves = 1;
      seen->hides |= words->count != 2 || !is_place(words->all[1].meant);
    }
    if (is_listed(printers, words->all[0].written)) return prints(words, seen);
    seen->scripts |= rules[at].operands == SCRIPT;
    seen->acts |= rules[at].operands == PLACES || rules[at].operands == NAMES;
    return 1;
  }
  return 0;
}

/* Whether no more is to be said: a script of another folder is not the one that is looked at here. */
static int is_settled(struct seen seen, int *starts_script) {
  *starts_script = seen.scripts;
  return !(seen.scripts && seen.moves) && !(seen.acts && seen.hides);
}

int is_plain(struct text command, int *starts_script) {
  static char meant[longest_command];
  struct words words = {.count = 0};
  struct seen seen = {0};
  size_t used = 0;
  if (command.length == 0 || command.length > longest_command || names_variable(command)) return 0;
  for (size_t at = 0; at < command.length; at++)
    if (command.at[at] != '\n' && command.at[at] != '\t' && ((unsigned char)command.at[at] < ' ' || command.at[at] == 127)) return 0;
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
