/* Times whole processes, interleaved: every candidate runs once per round, in an order shuffled anew, so that a machine
 * whose speed drifts slows all of them alike and per-round ratios stay true.
 *
 * usage: runner ROUNDS WARMUP PAYLOAD [PAUSE] < candidates
 * PAUSE: so many milliseconds before each counted run.
 * A candidate is one line of fields separated by tabs: the program and its arguments. The payload file is its standard input.
 * Output: one line per counted run: round, candidate index, milliseconds, exit code, bytes on standard output.
 * A run lasts from before the spawn until the process is reaped and its standard output is at its end, as an agent waits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_CANDIDATES 64
#define MOST_ARGUMENTS 32

extern char **environ;

static char *candidates[MOST_CANDIDATES][MOST_ARGUMENTS];
static int count = 0;
static char *payload;
static size_t payload_size;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static void read_candidates(void) {
  char *line = NULL;
  size_t room = 0;
  while (count < MOST_CANDIDATES && getline(&line, &room, stdin) > 0) {
    line[strcspn(line, "\n")] = 0;
    char *rest = strdup(line), *field;
    int at = 0;
    while (at < MOST_ARGUMENTS - 1 && (field = strsep(&rest, "\t"))) candidates[count][at++] = field;
    if (at > 0) count++;
  }
  free(line);
}

static void read_payload(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  payload_size = (size_t)ftell(file);
  rewind(file);
  payload = malloc(payload_size + 1);
  if (fread(payload, 1, payload_size, file) != payload_size) fail(path);
  fclose(file);
}

static void run(int round, int index) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  pid_t pid;
  double started = now();
  int error = posix_spawnp(&pid, candidates[index][0], &actions, NULL, candidates[index], environ);
  if (error) {
    errno = error;
    fail(candidates[index][0]);
  }
  close(in[0]);
  close(out[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  size_t sent = 0, received = 0;
  char buffer[65536];
  int writing = payload_size > 0;
  if (!writing) close(in[1]);
  /* A program that closes its output early may still read. */
  for (int reading = 1; reading || writing;) {
    struct pollfd waits[2] = {{reading ? out[0] : -1, POLLIN, 0}, {writing ? in[1] : -1, POLLOUT, 0}};
    if (poll(waits, 2, -1) < 0) fail("poll");
    if (writing && waits[1].revents) {
      ssize_t written = write(in[1], payload + sent, payload_size - sent);
      if (written > 0) sent += (size_t)written;
      if (sent == payload_size || (written < 0 && errno != EAGAIN)) {
        close(in[1]);
        writing = 0;
      }
    }
    if (waits[0].revents) {
      ssize_t got = read(out[0], buffer, sizeof buffer);
      if (got <= 0) reading = 0;
      else received += (size_t)got;
    }
  }
  int status;
  waitpid(pid, &status, 0);
  double ended = now();
  close(out[0]);
  posix_spawn_file_actions_destroy(&actions);
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (round >= 0) printf("%d %d %.4f %d %zu\n", round, index, ended - started, code, received);
}

int main(int argc, char **argv) {
  if (argc != 4 && argc != 5) {
    fprintf(stderr, "usage: runner ROUNDS WARMUP PAYLOAD [PAUSE] < candidates\n");
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);
  int rounds = atoi(argv[1]), warmup = atoi(argv[2]), pause_ms = argc == 5 ? atoi(argv[4]) : 0;
  read_payload(argv[3]);
  read_candidates();
  srand((unsigned)getpid());
  for (int round = -warmup; round < rounds; round++) {
    int order[MOST_CANDIDATES];
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
      int j = rand() % (i + 1), swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    for (int i = 0; i < count; i++) {
      struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000L};
      if (round >= 0 && pause_ms > 0) nanosleep(&pause, NULL);
      run(round, order[i]);
    }
  }
  return 0;
}
