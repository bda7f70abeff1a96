/* Says of each command on standard input, which end with a NUL, whether the client takes it for plain: 1, 2 where it starts a script, or 0. */
#include "client.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  static char command[1 << 20];
  size_t length = 0;
  for (int one = getchar(); one != EOF; one = getchar()) {
    if (one != 0) {
      if (length < sizeof command) command[length++] = (char)one;
      continue;
    }
    /* Of its own size, so that a sanitizer sees what is read behind it. */
    char *own = length ? memcpy(__builtin_malloc(length), command, length) : command;
    int starts_script = 0;
    putchar(!is_plain((struct text){own, length}, &starts_script) ? '0' : starts_script ? '2' : '1');
    if (length) __builtin_free(own);
    length = 0;
  }
  return 0;
}
