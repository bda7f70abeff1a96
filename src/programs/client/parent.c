/*
 * The in-process entrypoint as a child, and what it would answer should it be lost: docs/decisions/0019 and 0029 are the contract. The
 * child has none of the agent's streams: what it has to say is said here. Where it is ended for being late, or ends before it has
 * answered, what it handed over last is answered.
 */
#include "held.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* What the child gets beside its standard streams stands where nobody looks who counts up from 3; up to `emptied` is /dev/null. */
enum { emptied = 20, handed = 200, handed_out, handed_err };
enum { patience_after_signal = 1000, patience_after_answer = 2, patience_after_end = 1000 };
/* Beyond the deadline, until it has begun: starting Node takes its time where a machine is out of breath. What it says then moves its end. */
enum { patience_to_begin = 15000 };

/* Stands in what is held for how the child came to its end. */
static const char how_token[] = "<how it ended>";

static int signals[2];

static void told(int signum) {
  int error = errno;
  unsigned char byte = (unsigned char)signum;
  if (write(signals[1], &byte, 1) < 0) errno = error;
  errno = error;
}

/* `<uuid>.ndjson`: a file of the spool and of nowhere else. */
static int is_name(const unsigned char *name, size_t length) {
  static const char end[] = ".ndjson";
  if (length != 36 + sizeof end - 1 || memcmp(name + 36, end, sizeof end - 1) != 0) return 0;
  for (size_t at = 0; at < 36; at++)
    if (!strchr("0123456789abcdef-", name[at]) || !name[at]) return 0;
  return 1;
}

/* With all it started where it leads a group of its own; see `begin`. */
static void end_child(const struct child *child, int signum) {
#ifdef __linux__
  kill(-child->pid, signum);
#endif
  kill(child->pid, signum);
}

static int has_ended(struct child *child) {
  if (!child->ended && waitpid(child->pid, &child->status, WNOHANG) == child->pid) child->ended = 1;
  return child->ended;
}

/* Until it has ended, or its time is over; the signal by which the agent had us end, if any. */
static int await(struct child *child) {
  int listening = 1;
  while (!has_ended(child)) {
    int64_t left = child->until - now_ms();
    if (left <= 0) return 0;
    struct pollfd both[2] = {{.fd = listening ? child->pipe : -1, .events = POLLIN}, {.fd = signals[0], .events = POLLIN}};
    if (poll(both, 2, (int)left) < 0 && errno != EINTR) return 0;
    if (listening && both[0].revents) listening = hear(child);
    unsigned char byte;
    while (read(signals[0], &byte, 1) == 1)
      if (byte != SIGCHLD) return byte;
  }
  if (listening) hear(child);
  take_frames(child, 1);
  return 0;
}

/* How the child came to its end, in words that stand in a block's reason too. */
static void tell_end(const struct child *child, int late, char *to) {
  if (late) to = stpcpy(to, "was ended when its time was over");
  else if (WIFSIGNALED(child->status)) to = put_text(stpcpy(to, "was ended by signal "), WTERMSIG(child->status));
  else to = put_text(stpcpy(to, "ended with exit code "), WEXITSTATUS(child->status));
  *to = 0;
}

/* The file that the child wrote its facts to, which it can hand over no more; -1 where there is none. */
static int open_record(int spool, const struct part *name, char *open) {
  if (spool < 0 || !is_name(name->bytes, name->length)) return -1;
  memcpy(open, name->bytes, name->length);
  strcpy(open + name->length, ".open");
  return open_ours(spool, open, O_WRONLY | O_APPEND);
}

static void record(int file, struct part facts) {
  /* Whatever was cut off in the middle of a line is a line of its own. */
  if (file >= 0 && facts.length > 0 && write_all(file, "\n", 1)) write_all(file, facts.bytes, facts.length);
}

/* First it is recorded: the agent may end this as soon as it has its answer. */
static int answer_held(const struct call *call, struct child *child, int late) {
  char how[64], open[longest_name + 8];
  struct held *held = &child->held, *instead = &child->instead;
  struct part loss;
  tell_end(child, late, how);
  struct reply reply = {.code = held->code,
                        .out = filled(held->parts[OUT], how_token, how),
                        .err = filled(held->parts[ERR], how_token, how),
                        .has_instead = instead->is_said,
                        .code_instead = instead->code,
                        .err_instead = filled(instead->parts[ERR], how_token, how),
                        .undelivered = filled(instead->parts[TAIL], how_token, how)};
  int spool = call->home < 0 ? -1 : open_ours(call->home, "spool", O_RDONLY | O_DIRECTORY);
  int file = open_record(spool, &held->parts[NAME], open);
  record(file, timed(filled(held->parts[TAIL], how_token, how)));
  int code = deliver(&reply, &loss);
  record(file, loss);
  if (file >= 0) {
    char ready[longest_name + 1];
    memcpy(ready, held->parts[NAME].bytes, held->parts[NAME].length);
    ready[held->parts[NAME].length] = 0;
    close(file);
    renameat(spool, open, spool, ready);
  }
  if (spool >= 0) close(spool);
  return code;
}

/* No descriptor that a program would try leads anywhere; what is the agent's and ours stands beyond those. */
static int hand_over(int ours) {
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(ours, handed) < 0 || dup2(1, handed_out) < 0 || dup2(2, handed_err) < 0) return 0;
  for (int at = 3; at <= emptied; at++) dup2(nothing, at);
  for (int at = emptied + 1; at < handed; at++) close(at);
  return 1;
}

/* The child as it would be had this process become it, but for its descriptors. */
static void begin(const char *path, char **arguments, int ours, pid_t parent) {
#ifdef __linux__
  /* Its own group, so that what it starts can be ended with it; it does not outlive whoever ends us. */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
#else
  (void)parent;
#endif
  int held = hand_over(ours);
  if (!held) unsetenv("HOOKTAPE_HOLD");
  execv(path, arguments);
  if (write(held ? handed : ours, (const char[]){not_started}, 1) < 0) _exit(127);
  _exit(127);
}

static int make_pair(int kind, int *ends) {
  if ((kind ? socketpair(AF_UNIX, kind, 0, ends) : pipe(ends)) != 0) return 0;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

/* "200.<secret>": the child's descriptor, and what each of its frames has to know. */
static int tell_child(void) {
  char named[8 + secret_size];
  char *end = put_text(named, handed);
  *end++ = '.';
  return make_secret(end) && setenv("HOOKTAPE_HOLD", named, 1) == 0;
}

/* What it said last is heard. One that the kernel does not let go of is left behind: no agent waits for it. */
static void end_for_good(struct child *child) {
  end_child(child, SIGKILL);
  child->until = now_ms() + patience_after_end;
  while (!child->ended && now_ms() < child->until) await(child);
  hear(child);
  take_frames(child, 1);
}

/* The exit code for the call; `not_run` where nothing could be started, `lost` where it ended by a signal before it had an answer. */
int run_child(const struct call *call, const char *path, char **arguments) {
  static const int passed[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  struct child child = {.until = now_ms() + call->deadline + patience_to_begin};
  int ends[2];
  if (!make_pair(SOCK_STREAM, ends) || !make_pair(0, signals) || !tell_child()) return not_run;
  fcntl(signals[1], F_SETFL, O_NONBLOCK);
  /* Blocked by whoever started us it would never tell that the child has ended, nor the child of its own. */
  sigset_t ends_of_children;
  sigemptyset(&ends_of_children);
  sigaddset(&ends_of_children, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &ends_of_children, NULL);
  pid_t parent = getpid();
  child.pid = fork();
  if (child.pid < 0) return not_run;
  if (child.pid == 0) begin(path, arguments, ends[1], parent);
  struct sigaction action = {.sa_handler = told, .sa_flags = SA_RESTART | SA_NOCLDSTOP}, before;
  sigaction(SIGCHLD, &action, NULL);
  for (size_t at = 0; at < sizeof passed / sizeof *passed; at++)
    if (sigaction(passed[at], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(passed[at], &action, NULL);
  close(ends[1]);
  child.pipe = ends[0];
  signal(SIGPIPE, SIG_IGN);
  /* Who writes to standard input is to see its end when the child closes it. */
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, 0);
  int signum = await(&child), late = !child.ended;
  if (signum) {
    /* The child gets the same, and some time for it. What was decided is answered: whoever sent the signal may read it, or has it now. */
    end_child(&child, signum);
    child.until = now_ms() + patience_after_signal;
    await(&child);
    int in_time = child.ended;
    end_for_good(&child);
    if (child.held.kind == HOLDS) {
      /* Nobody may read: no answer is waited with for long. */
      alarm(patience_after_answer);
      return answer_held(call, &child, !in_time);
    }
    signal(signum, SIG_DFL);
    raise(signum);
    return 128 + signum;
  }
  if (late) end_for_good(&child);
  if (child.failed && child.ended && WIFEXITED(child.status) && WEXITSTATUS(child.status) == 127) return not_run;
  int clean = !late && WIFEXITED(child.status);
  if (child.held.kind == HOLDS) return answer_held(call, &child, late);
  if (clean) return WEXITSTATUS(child.status);
  return child.held.kind == ANSWERS ? child.held.code : lost;
}
