/*
 * <state>/bin/hook <agent> <NativeEvent>: asks the host, relays what it answers, and runs the in-process entrypoint where
 * there is no host or it fails. What it cannot do it leaves to others; it is never the reason that an agent waits.
 */
#include "client.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#endif

enum { usual_deadline = 5000, short_deadline = 1000, longest_token = 256 };

static int is_set(const char *name, const char *value) {
  const char *set = getenv(name);
  return set && strcmp(set, value) == 0;
}

/*
 * A descriptor that the agent closed would be given to the next file that is opened. What is written there fails as it would have: it is
 * to be known that nobody reads it. The entrypoint finds it closed again.
 */
static void keep_standard_descriptors(void) {
  for (int at = 0; at < 3; at++)
    if (fcntl(at, F_GETFD) < 0 && open("/dev/null", O_RDONLY | O_CLOEXEC) != at) _exit(0);
}

static void make_id(struct call *call) {
  char *id = call->id;
  static const char hex[] = "0123456789abcdef";
  unsigned char bytes[16];
  struct timespec time;
  call->from = monotonic_us();
  clock_gettime(CLOCK_REALTIME, &time);
  call->at = (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
  uint64_t now = (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
  if (getentropy(bytes + 6, 10) != 0) {
    uint64_t other = (uint64_t)time.tv_nsec << 32 ^ (uint64_t)getpid();
    memcpy(bytes + 6, &other, 8), memcpy(bytes + 14, &other, 2);
  }
  for (int at = 0; at < 6; at++) bytes[at] = (unsigned char)(now >> 8 * (5 - at));
  bytes[6] = (unsigned char)(0x70 | (bytes[6] & 0x0f));
  bytes[8] = (unsigned char)(0x80 | (bytes[8] & 0x3f));
  for (int at = 0; at < 16; at++) {
    if (at == 4 || at == 6 || at == 8 || at == 10) *id++ = '-';
    *id++ = hex[bytes[at] >> 4];
    *id++ = hex[bytes[at] & 15];
  }
  *id = 0;
}

/* Two levels above this program. Agents call it by its absolute path. */
static char *find_state(const char *program) {
  static char path[8192];
  size_t length = program ? strlen(program) : 0;
  if (length > 0 && program[0] == '/' && length < sizeof path) memcpy(path, program, length + 1);
  else {
#ifdef __APPLE__
    uint32_t room = sizeof path;
    if (_NSGetExecutablePath(path, &room) != 0) return NULL;
#else
    ssize_t found = readlink("/proc/self/exe", path, sizeof path - 1);
    if (found <= 0) return NULL;
    path[found] = 0;
#endif
  }
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = 0;
  }
  return path;
}

/* As a child, or in place of this process where none can be made; the exit code, or less than nothing where it does not come to an answer. */
static int run_entrypoint(struct call *call, struct payload *in, char **arguments) {
  static char path[8192 + 16];
  strcpy(stpcpy(path, call->state), "/bin/entry");
  if (access(path, X_OK) != 0 || !give_back(call, in)) return not_run;
  char named[96], *end = stpcpy(stpcpy(named, call->id), " ");
  *put_start(call, end) = 0;
  clean_start();
  setenv("HOOKTAPE_CALL", named, 1);
  arguments[0] = path;
  int code = run_child(call, path, arguments);
  if (code == not_run) {
    unsetenv("HOOKTAPE_HOLD");
    execv(path, arguments);
  }
  return code;
}

/* The call is on disk for a host to take in: the agent goes on at once. */
static int leave(const struct call *call, struct answer answer) {
  if (!has_host(call)) start_host(call);
  if (answer.length > 0) {
    signal(SIGPIPE, SIG_IGN);
    write_all(1, answer.text, answer.length);
    write_all(1, "\n", 1);
  }
  return 0;
}

static int handle(struct call *call, int count, char **arguments) {
  struct payload in = {0};
  struct reply reply;
  struct answer answer;
  char token[longest_token];
  /* What is no hook call, the entrypoint has words for. */
  int is_alone = count != 3 || is_set("HOOKTAPE_HOST", "off");
  if (!is_alone && is_routed(call, &in, &answer) && spool_call(call, &in)) return leave(call, answer);
  int host = is_alone ? -2 : find_host(call, token, sizeof token);
  if (host >= 0 && ask_host(call, host, token, &in, &reply)) {
    reached(call);
    struct part loss;
    int code = deliver(&reply, &loss);
    spool_facts(call, loss);
    return code;
  }
  if (host == -1) {
    /* The mark of a probe is not among what may be left on disk: handlers would run. */
    if (!getenv("HOOKTAPE_PROBE") && only_background(call) && spool_call(call, &in)) {
      start_host(call);
      return 0;
    }
    start_host(call);
  }
  /* A repository's agent settings can set any variable: by none of them a tool runs that its guards have not seen. */
  if (is_set("HOOKTAPE_FALLBACK", "off") && !may_stop(call)) return unreachable(call, &in, "no-host");
  int code = run_entrypoint(call, &in, arguments);
  if (code == lost) return lose_entrypoint(call, &in);
  return code >= 0 ? code : unreachable(call, &in, "no-entrypoint");
}

int main(int count, char **arguments) {
  static char nobody[] = "";
  char *own[] = {nobody, NULL};
  if (count < 1) arguments = own;
  if (count == 2 && strcmp(arguments[1], "--version") == 0) {
    static const char build[] = HOOKTAPE_BUILD "\n";
    return write_all(1, build, sizeof build - 1) ? 0 : 1;
  }
  keep_standard_descriptors();
  /* Where no file may grow, a write fails and does not end the call. */
  signal(SIGXFSZ, SIG_IGN);
  struct call call = {.agent = count > 1 ? arguments[1] : nobody, .event = count > 2 ? arguments[2] : nobody};
  int hurried = strcmp(call.event, "SessionEnd") == 0 || strcmp(call.event, "Interrupt") == 0;
  call.deadline = hurried ? short_deadline : usual_deadline;
  if (is_set("HOOKTAPE", "0")) {
    struct payload in = {0};
    collect(&in, now_ms() + call.deadline, 0);
    signal(SIGPIPE, SIG_IGN);
    say_off(&call);
    return 0;
  }
  make_id(&call);
  call.state = find_state(arguments[0]);
  /* Neither a place nor anybody to tell. */
  if (!call.state) return 0;
  call.home = open_ours(AT_FDCWD, call.state[0] ? call.state : "/", O_RDONLY | O_DIRECTORY);
  call.run = call.home < 0 ? -1 : open_ours(call.home, "run", O_RDONLY | O_DIRECTORY);
  return handle(&call, count, arguments);
}
