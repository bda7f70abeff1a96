/*
 * The client's breaker: `<state> <number of the first> <step>…`. A step `-<threshold>` is a call that nobody could handle, with that threshold in the environment and
 * none where nothing follows; `+` is one that somebody handled. What the client says of each is on standard error, with a NUL behind it.
 */
#include "client.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) return 1;
  struct payload nothing = {0};
  struct call call = {.agent = "claude-code", .event = "SessionStart", .state = arguments[1], .deadline = 1000};
  call.home = open(arguments[1], O_RDONLY | O_DIRECTORY);
  call.run = openat(call.home, "run", O_RDONLY | O_DIRECTORY);
  if (call.run < 0) return 1;
  for (int at = 3; at < count; at++) {
    const char *step = arguments[at];
    snprintf(call.id, sizeof call.id, "%08d-0000-7000-8000-000000000000", atoi(arguments[2]) + at - 3);
    setenv("HOOKTAPE_FAIL_LOUD_THRESHOLD", step + 1, 1);
    if (*step == '-' && !step[1]) unsetenv("HOOKTAPE_FAIL_LOUD_THRESHOLD");
    int code = 0;
    if (*step == '+') reached(&call);
    else code = unreachable(&call, &nothing, "no-host");
    putchar('0' + code);
    if (write(2, "", 1) != 1) return 1;
  }
  free(nothing.bytes);
  return 0;
}
