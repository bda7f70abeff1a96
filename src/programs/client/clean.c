/* What this program starts finds nothing in its environment that could load code into it, or keep it from starting. */
#include "client.h"
#include "starting.h"
#include <string.h>

extern char **environ;

/* Whatever the linker reads, and functions that bash takes over in place of programs. */
static const char *const families[] = {"LD_", "DYLD_", "BASH_FUNC_", "__BASH_FUNC<"};

static int is_read_at_start(const char *variable) {
  size_t name = strcspn(variable, "=");
  for (size_t at = 0; at < sizeof families / sizeof *families; at++)
    if (strncmp(variable, families[at], strlen(families[at])) == 0) return 1;
  for (size_t at = 0; at < sizeof starting / sizeof *starting; at++)
    if (strlen(starting[at]) == name && strncmp(variable, starting[at], name) == 0) return 1;
  return 0;
}

void clean_start(void) {
  char **kept = environ;
  for (char **variable = environ; *variable; variable++)
    if (!is_read_at_start(*variable)) *kept++ = *variable;
  *kept = NULL;
}
