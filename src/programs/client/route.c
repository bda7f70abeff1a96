/*
 * Whether anybody has a word on a call: told by what the host wrote for this directory (src/programs/host/routes.ts). What is not
 * known for certain is asked.
 */
#include "client.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { most_routes = 64 * 1024, most_payload = 1024 * 1024, longest_path = 8192 };
/* An agent that is slow to say all of it is heard by the host meanwhile. */
enum { patience_for_payload = 200 };

/* Variables that change what a call is, as far as the client knows them, are told to the host; so are those it does not know. */
static int is_plainly_asked(const struct call *call) {
  static const char *const harmless[] = {"HOME=", "FALLBACK=", "FAIL_LOUD_THRESHOLD=", "SESSION_MONITOR=", "SESSION_MONITOR_DEEP="};
  for (char **variable = environ; *variable; variable++) {
    const char *name = *variable;
    if (name[0] == 'C' && strncmp(name, "CURSOR_PROJECT_DIR=", 19) == 0 && strcmp(call->agent, "cursor") == 0) return 0;
    if (name[0] != 'H' || strncmp(name, "HOOKTAPE_", 9) != 0) continue;
    size_t at = 0, count = sizeof harmless / sizeof *harmless;
    while (at < count && strncmp(name + 9, harmless[at], strlen(harmless[at])) != 0) at++;
    if (at == count) return 0;
  }
  return 1;
}

/* As src/state/fileKey.ts, over bytes. */
static void name_of(const char *path, char *name) {
  static const char hex[] = "0123456789abcdef";
  uint32_t words[2] = {0x811c9dc5, 0x01000193};
  for (; *path; path++) {
    words[0] = (words[0] ^ (unsigned char)*path) * 0x01000193u;
    words[1] = (words[1] ^ (unsigned char)*path) * 0x01000197u;
  }
  for (int at = 0; at < 16; at++) name[at] = hex[words[at / 8] >> (28 - 4 * (at % 8)) & 15];
  name[16] = 0;
}

/* The whole of this directory's routes, or nothing. */
static struct text read_routes(const struct call *call, const char *directory) {
  static char text[most_routes];
  char name[sizeof "routes/" + 16];
  struct text routes = {text, 0};
  name_of(directory, stpcpy(name, "routes/"));
  int file = call->run < 0 ? -1 : open_ours(call->run, name, O_RDONLY);
  if (file < 0) return routes;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  /* What does not fit was not read whole. */
  if (length <= 0 || length == sizeof text - 1 || text[length - 1] != '\n' || memchr(text, 0, (size_t)length)) return routes;
  text[length] = 0;
  routes.length = (size_t)length;
  return routes;
}

/* The next line without its end, and the rest after it. */
static struct text next_line(struct text *rest) {
  const char *end = memchr(rest->at, '\n', rest->length);
  struct text line = {rest->at, (size_t)(end - rest->at)};
  rest->at = end + 1;
  rest->length -= line.length + 1;
  return line;
}

static struct text next_word(struct text *rest, char separator) {
  const char *end = memchr(rest->at, separator, rest->length);
  struct text word = {rest->at, end ? (size_t)(end - rest->at) : rest->length};
  rest->at += word.length + (end ? 1 : 0);
  rest->length -= word.length + (end ? 1 : 0);
  return word;
}

static int is_number(struct text text, uint64_t value) {
  uint64_t read = 0;
  /* As many digits as every number of 64 bits can have. */
  if (text.length == 0 || text.length > 19) return 0;
  for (size_t at = 0; at < text.length; at++) {
    if (text.at[at] < '0' || text.at[at] > '9') return 0;
    read = read * 10 + (uint64_t)(text.at[at] - '0');
  }
  return read == value;
}

static uint64_t in_ns(struct timespec time) { return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec; }

/*
 * `-<path>` is not there; `+<inode> <path>` is, whatever it holds; `=<inode> <size> <modified> <changed> <path>` is as it was. Times
 * are nanoseconds since 1970.
 */
static int holds(struct text line) {
  char path[longest_path];
  struct stat stat;
  char kind = line.at[0];
  struct text rest = {line.at + 1, line.length - 1}, numbers[4];
  int count = kind == '=' ? 4 : kind == '+' ? 1 : 0;
  for (int at = 0; at < count; at++) numbers[at] = next_word(&rest, ' ');
  if (rest.length == 0 || rest.length >= sizeof path) return 0;
  memcpy(path, rest.at, rest.length);
  path[rest.length] = 0;
  int is_there = fstatat(AT_FDCWD, path, &stat, 0) == 0;
  if (count == 0) return !is_there && (errno == ENOENT || errno == ENOTDIR);
  if (!is_there || !is_number(numbers[0], (uint64_t)stat.st_ino)) return 0;
  return count == 1 || (is_number(numbers[1], (uint64_t)stat.st_size) && is_number(numbers[2], in_ns(stat.st_modified)) &&
                        is_number(numbers[3], in_ns(stat.st_changed)));
}

/* A line of this call: its answer, and the tools that it is for. `>`: each of their calls; `$`: those whose command is plain. */
static int find_line(const struct call *call, char kind, struct text routes, struct text *reply, struct text *tools) {
  size_t agent = strlen(call->agent), event = strlen(call->event);
  while (routes.length > 0) {
    struct text line = next_line(&routes);
    if (line.length < agent + event + 3 || line.at[0] != kind || line.at[1 + agent] != ' ') continue;
    if (memcmp(line.at + 1, call->agent, agent) != 0 || memcmp(line.at + 2 + agent, call->event, event) != 0) continue;
    if (line.at[2 + agent + event] != '\t') continue;
    *tools = (struct text){line.at + agent + event + 3, line.length - agent - event - 3};
    *reply = next_word(tools, '\t');
    return 1;
  }
  return 0;
}

static int names(struct text list, struct text one) {
  while (list.length > 0) {
    struct text word = next_word(&list, '\t');
    if (word.length == one.length && memcmp(word.at, one.at, one.length) == 0) return 1;
  }
  return 0;
}

/* Whether the session is one of those that the routes are for; where they are for all, nothing is said of any. */
static int is_entered(struct text routes, struct text session) {
  int is_guarded = 0;
  while (routes.length > 0) {
    struct text line = next_line(&routes);
    if (is(line, "guarded")) is_guarded = 1;
    if (line.length > 8 && memcmp(line.at, "session ", 8) == 0 && line.length - 8 == session.length &&
        memcmp(line.at + 8, session.at, session.length) == 0)
      return 1;
  }
  return !is_guarded;
}

static int are_unchanged(struct text routes) {
  while (routes.length > 0) {
    struct text line = next_line(&routes);
    if (line.length > 0 && strchr("-+=", line.at[0]) && !holds(line)) return 0;
  }
  return 1;
}

/* As src/features/guard/directoryOf.ts: where the tool's input may say another folder for the command. */
enum { folder_fields = 7 };
static const char *const folders[folder_fields] = {"workdir", "dir_path", "directory", "cwd", "working_directory", "workingDirectory",
                                                   "working_dir"};

/* As manifestNames in src/features/guard/recipes/packageManifest.ts. */
static const char *const manifests[] = {"/package.json", "/package.json5", "/package.yaml"};

/* Whether a package is in reach, in this folder or above it: what its scripts do, the guards read. Writes over `directory`. */
static int has_package(char *directory) {
  char *end = directory + strlen(directory);
  if ((size_t)(end - directory) + sizeof "/package.json5" > longest_path) return 1;
  for (;;) {
    struct stat stat;
    for (size_t at = 0; at < sizeof manifests / sizeof *manifests; at++) {
      strcpy(end, manifests[at]);
      if (fstatat(AT_FDCWD, directory, &stat, AT_SYMLINK_NOFOLLOW) == 0 || (errno != ENOENT && errno != ENOTDIR)) return 1;
    }
    *end = 0;
    if (end == directory) return 0;
    while (end > directory && *--end != '/') continue;
    *end = 0;
  }
}

/* Whether the call says of no other folder that it is there, and no package is in reach of this one. */
static int is_far_from_packages(const char *directory, struct text payload_directory, const struct field *said) {
  char here[longest_path], told[longest_path];
  int length = unescape(payload_directory, told, sizeof told);
  for (int at = 0; at < folder_fields; at++)
    if (said[at].count > 0) return 0;
  if (length <= 0 || !is((struct text){told, (size_t)length}, directory)) return 0;
  return !has_package(strcpy(here, directory));
}

/* Whether what a shell is given here only looks; `input` is the tool's. */
static int is_plain_call(struct text input, const char *directory, struct text payload_directory) {
  static char command[2048];
  struct field fields[1 + folder_fields] = {{.name = "command"}};
  for (int at = 0; at < folder_fields; at++) fields[1 + at].name = folders[at];
  if (!scan(input, fields, 1 + folder_fields) || fields[0].count != 1) return 0;
  int length = unescape(fields[0].value, command, sizeof command), starts_script = 0;
  if (length <= 0 || !is_plain((struct text){command, (size_t)length}, &starts_script)) return 0;
  return !starts_script || is_far_from_packages(directory, payload_directory, fields + 1);
}

/* True where nobody has a word on the call, and then what its agent is answered. What was read of the payload is kept. */
int is_routed(const struct call *call, struct payload *in, struct answer *answer) {
  char directory[longest_path];
  if (!is_plainly_asked(call) || !getcwd(directory, sizeof directory)) return 0;
  struct text routes = read_routes(call, directory), reply, tools, shells, other;
  if (routes.length == 0 || !is(next_line(&routes), "HKR1 " HOOKTAPE_BUILD)) return 0;
  if (routes.length == 0 || !is(next_line(&routes), directory)) return 0;
  int has_tools = find_line(call, '>', routes, &reply, &tools), has_shells = find_line(call, '$', routes, &other, &shells);
  if (!has_tools && !has_shells) return 0;
  collect(in, now_ms() + patience_for_payload, 1);
  if (in->length > most_payload || in->dropped > 0 || !(in->ended || is_complete(in))) return 0;
  struct field fields[] = {{.name = "tool_name"}, {.name = "session_id"}, {.name = "tool_input"}, {.name = "cwd"}};
  if (!scan((struct text){(const char *)in->bytes, in->length}, fields, 4) || fields[0].count > 1 || fields[1].count > 1) return 0;
  struct text tool = plain_text(fields[0].value);
  int is_quiet = has_tools && (is(tools, "*") || (tool.length > 0 && names(tools, tool)));
  if (!is_quiet) {
    if (!has_shells || tool.length == 0 || !names(shells, tool) || fields[2].count != 1 || fields[3].count > 1) return 0;
    if (!is_plain_call(fields[2].value, directory, fields[3].value)) return 0;
    reply = other;
  }
  if (!is_entered(routes, plain_text(fields[1].value)) || !are_unchanged(routes)) return 0;
  *answer = (struct answer){reply.at, reply.length};
  return 1;
}
