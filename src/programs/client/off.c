/* What a session is told where HOOKTAPE=0 is set: that hooktape is off, and which file says so. */
#include "client.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { longest_path = 4096, most_read = 256 * 1024, deepest = 64 };

struct source {
  const char *agent, *home, *variable; /* the user's folder: below HOME, or where the variable says */
  const char *files[4];                /* the strongest first, as the agent reads them */
};

static const struct source sources[] = {
    {"claude-code", ".claude", "CLAUDE_CONFIG_DIR", {".claude/settings.local.json", ".claude/settings.json"}},
    {"codex", ".codex", "CODEX_HOME", {".codex/config.toml"}},
    {"gemini-cli", ".gemini", NULL, {".gemini/.env", ".env", ".gemini/settings.json"}},
};

/* `HOOKTAPE`, then `=` or `:`, then a 0, with quotes and blanks between them; not behind the sign of a comment. */
static int sets_off(const char *text) {
  static const char name[] = "HOOKTAPE";
  for (const char *at = text; (at = strstr(at, name)); at++) {
    const char *line = at, *value = at + sizeof name - 1;
    while (line > text && line[-1] != '\n') line--;
    line += strspn(line, " \t");
    if (*line == '#' || (line[0] == '/' && line[1] == '/')) continue;
    if (at > text && strchr("\"' \t\n{,", at[-1]) == NULL) continue;
    value += strspn(value, "\"' \t");
    if (*value != '=' && *value != ':') continue;
    value += 1 + strspn(value + 1, "\"' \t");
    if (*value == '0' && !strchr("0123456789.", value[1] ? value[1] : ' ')) return 1;
  }
  return 0;
}

static int file_sets_off(const char *path) {
  static char text[most_read];
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  return sets_off(text);
}

static int joined(char *path, const char *folder, const char *name) {
  size_t length = strlen(folder);
  if (length + strlen(name) + 2 > longest_path) return 0;
  memcpy(path, folder, length);
  path[length] = '/';
  strcpy(path + length + 1, name);
  return 1;
}

/* In this directory, in those above it, then in the user's own folder. */
static int find_source(const struct source *source, char *path) {
  char folder[longest_path];
  if (getcwd(folder, sizeof folder))
    for (int level = 0; level < deepest && folder[0]; level++) {
      for (int at = 0; at < 4 && source->files[at]; at++)
        if (joined(path, folder, source->files[at]) && file_sets_off(path)) return 1;
      *strrchr(folder, '/') = 0;
      if (!strchr(folder, '/')) break;
    }
  const char *own = source->variable ? getenv(source->variable) : NULL, *home = getenv("HOME");
  if (!own && home && joined(folder, home, source->home)) own = folder;
  for (int at = 0; own && at < 4 && source->files[at]; at++) {
    const char *name = strrchr(source->files[at], '/');
    if (joined(path, own, name ? name + 1 : source->files[at]) && file_sets_off(path)) return 1;
  }
  return 0;
}

/* The agents that have a field for the human at a session's start; to others there is nothing to say. */
void say_off(const struct call *call) {
  static char path[longest_path], message[2 * longest_path + 256];
  if (strcmp(call->event, "SessionStart") != 0) return;
  for (size_t at = 0; at < sizeof sources / sizeof *sources; at++) {
    if (strcmp(call->agent, sources[at].agent) != 0) continue;
    const char *where = find_source(&sources[at], path) ? path : "the environment";
    char *to = stpcpy(message, "{\"systemMessage\":\"hooktape is off: HOOKTAPE=0 is set in ");
    for (; *where; where++) {
      if ((unsigned char)*where < 0x20) continue;
      if (*where == '"' || *where == '\\') *to++ = '\\';
      *to++ = *where;
    }
    to = stpcpy(to, ". No hook guards this session.\"}\n");
    write_all(1, message, (size_t)(to - message));
  }
}
