/* Stands in for a state's bin/hook: runs the real one beside it, hook.real, and notes how long the agent waited for it.
 *
 * usage: as bin/hook. Appends a line to <state>/waited: event, milliseconds.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  char real[4096], notes[4096], line[256];
  size_t length = strlen(arguments[0]);
  if (count < 3 || length < 9 || length > sizeof real - 16) return 1;
  snprintf(real, sizeof real, "%s.real", arguments[0]);
  /* <state>/bin/hook */
  snprintf(notes, sizeof notes, "%.*s/waited", (int)(length - 9), arguments[0]);
  double began = now();
  pid_t child = fork();
  if (child == 0) {
    arguments[0] = real;
    execv(real, arguments);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
  int size = snprintf(line, sizeof line, "%s %.3f\n", arguments[2], now() - began);
  int file = open(notes, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || write(file, line, (size_t)size) != size) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
