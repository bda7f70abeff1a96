/*
 * Starts commands for a process that runs handlers. That process is Node, which takes several times as long to start one: it is large.
 * It asks on our standard input and hears on our standard output, in frames: a length, a kind, the command's number, and what the kind
 * brings. src/trust/starter.ts is the other side; docs/decisions/0115 says why.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A frame's length counts what follows it: the kind, the number and the rest. */
enum { length_size = 4, head_size = 5, longest_frame = 64 * 1024 * 1024 };
enum { most_commands = 64, piece = 64 * 1024 };
/* What is asked: to run a command, to end it with all it started, to let go of what it left open. */
enum { run = 'r', end = 'e', leave = 'l' };
/* What is told: it could not be started, wrote to one of its streams, has ended; and that nothing of it is left here. */
enum { not_started = 'n', wrote_out = 'o', wrote_err = 'w', exited = 'x', closed = 'c' };

enum { in, out, err, unbegun, streams };

struct command {
  uint32_t number;
  pid_t pid;             /* 0 where this place is free */
  int streams[streams];  /* our ends; -1 once closed. A byte in `unbegun` says that there was nothing to execute. */
  unsigned char *input;  /* what is still to be written to it stands from `written` on */
  size_t length, written;
  int has_exited, is_left;
};

static struct command commands[most_commands];
static int signals[2];

static struct { unsigned char *bytes; size_t length, room; } asked;
static struct { unsigned char bytes[2 * piece]; size_t length; } told;

static uint32_t number_at(const unsigned char *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_number(unsigned char *at, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) at[byte] = (unsigned char)(value >> 8 * byte);
}

/* Who started whom, as far as the system tells. */
enum { most_processes = 32768, most_below = 4096, most_looks = 16 };
static struct process { pid_t pid, parent; } processes[most_processes];

static pid_t parent_of(const char *pid) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%s/stat", pid);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  /* The program's name stands in brackets and may hold anything. */
  const char *after = strrchr(text, ')');
  int parent = 0;
  return after && sscanf(after + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

/* How many there are. */
static int list_processes(void) {
  DIR *folder = opendir("/proc");
  int count = 0;
  for (struct dirent *entry; folder && count < most_processes && (entry = readdir(folder));) {
    pid_t pid = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? atoi(entry->d_name) : 0;
    pid_t parent = pid > 0 ? parent_of(entry->d_name) : 0;
    if (parent > 0) processes[count++] = (struct process){.pid = pid, .parent = parent};
  }
  if (folder) closedir(folder);
  return count;
}

/* All that was found below the one that is ended, over all looks: what is stopped has to be ended as well. */
static pid_t below[most_below];

static int is_among(pid_t pid, int found) {
  for (int at = 0; at < found; at++)
    if (below[at] == pid) return 1;
  return 0;
}

/* Stops what is below one and was not known before; how many are known then. A child has mostly the greater number, so few rounds find them all. */
static int stop_below(pid_t root, int found) {
  int count = list_processes();
  for (int before = -1; before != found;) {
    before = found;
    for (int at = 0; at < count && found < most_below; at++) {
      struct process *one = &processes[at];
      if (one->pid == root || (one->parent != root && !is_among(one->parent, found)) || is_among(one->pid, found)) continue;
      kill(one->pid, SIGSTOP);
      below[found++] = one->pid;
    }
  }
  return found;
}

/*
 * With its group and all below it: what `timeout` or `setsid` started has a group of its own. It is stopped first, since one that ends leaves
 * what it started to nobody; what is stopped starts nothing more. Of what starts others all the time, or is more than `below` holds, some is left.
 * Where the system does not tell who started whom, it is the group.
 */
static void kill_all(const struct command *command) {
  int found = 0, known = -1;
  kill(command->pid, SIGSTOP);
  for (int look = 0; look < most_looks && found != known; look++) {
    known = found;
    found = stop_below(command->pid, found);
  }
  if (kill(-command->pid, SIGKILL) != 0) kill(command->pid, SIGKILL);
  for (int at = 0; at < found; at++) kill(below[at], SIGKILL);
}

/* Whoever asked is gone, and nobody is there to hear of a command: none goes on. */
static void give_up(int code) {
  for (int at = 0; at < most_commands; at++)
    if (commands[at].pid > 0) kill_all(&commands[at]);
  _exit(code);
}

static void flush(void) {
  for (size_t at = 0; at < told.length;) {
    ssize_t written = write(1, told.bytes + at, told.length - at);
    if (written > 0) at += (size_t)written;
    else if (errno != EINTR) give_up(0);
  }
  told.length = 0;
}

static void tell(unsigned char kind, uint32_t number, const void *bytes, size_t length) {
  if (told.length + length_size + head_size + length > sizeof told.bytes) flush();
  unsigned char *at = told.bytes + told.length;
  put_number(at, (uint32_t)(head_size + length));
  at[length_size] = kind;
  put_number(at + length_size + 1, number);
  if (length > 0) memcpy(at + length_size + head_size, bytes, length);
  told.length += length_size + head_size + length;
}

static void noticed(int signum) {
  int error = errno;
  unsigned char byte = (unsigned char)signum;
  if (write(signals[1], &byte, 1) < 0) errno = error;
  errno = error;
}

static void close_stream(struct command *command, int stream) {
  if (command->streams[stream] < 0) return;
  close(command->streams[stream]);
  command->streams[stream] = -1;
}

static int make_pipe(int *ends) {
  if (pipe(ends) != 0) return 0;
  for (int at = 0; at < 2; at++) fcntl(ends[at], F_SETFD, FD_CLOEXEC);
  return 1;
}

/* The command in place of this copy of us. `words` ends with NULL. */
static void become(char **words, char **environment, const char *directory, int (*pipes)[2]) {
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  environ = environment;
  if (dup2(pipes[in][0], 0) == 0 && dup2(pipes[out][1], 1) == 1 && dup2(pipes[err][1], 2) == 2 && chdir(directory) == 0)
    execvp(words[0], words);
  if (write(pipes[unbegun][1], "", 1) < 0) _exit(126);
  _exit(127);
}

static int start(struct command *command, char **words, char **environment, const char *directory) {
  int pipes[streams][2];
  int made = 0;
  while (made < streams && make_pipe(pipes[made])) made++;
  pid_t pid = made < streams ? -1 : fork();
  if (pid == 0) become(words, environment, directory, pipes);
  for (int stream = 0; stream < made; stream++) {
    int ours = stream == in ? 1 : 0;
    close(pipes[stream][1 - ours]);
    command->streams[stream] = pipes[stream][ours];
    fcntl(pipes[stream][ours], F_SETFL, O_NONBLOCK);
    if (pid < 0) close_stream(command, stream);
  }
  if (pid < 0) return 0;
  /* Here as well: it may be ended before it came to it itself. */
  setpgid(pid, pid);
  command->pid = pid;
  return 1;
}

/* A number of texts, each ending with a zero, as a list that ends with NULL; where they end, or NULL where they do not fit. */
static const unsigned char *take_texts(const unsigned char *at, const unsigned char *until, uint32_t count, char **list) {
  for (uint32_t nth = 0; nth < count; nth++) {
    const unsigned char *zero = memchr(at, 0, (size_t)(until - at));
    if (!zero) return NULL;
    list[nth] = (char *)at;
    at = zero + 1;
  }
  list[count] = NULL;
  return at;
}

static struct command *command_of(uint32_t number) {
  for (int at = 0; at < most_commands; at++)
    if (commands[at].pid > 0 && commands[at].number == number) return &commands[at];
  return NULL;
}

static void give_input(struct command *command) {
  while (command->written < command->length) {
    ssize_t written = write(command->streams[in], command->input + command->written, command->length - command->written);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) return;
    if (written < 0) break;
    command->written += (size_t)written;
  }
  close_stream(command, in);
}

/* <words u32> <variables u32> directory\0 word\0… NAME=value\0… input */
static int begin(uint32_t number, const unsigned char *at, const unsigned char *until) {
  struct command *command = NULL;
  for (int place = 0; place < most_commands && !command; place++)
    if (commands[place].pid == 0) command = &commands[place];
  if (!command || until - at < 8) return 0;
  uint32_t words = number_at(at), variables = number_at(at + 4);
  size_t most = (size_t)(until - at);
  if (words == 0 || words > most || variables > most) return 0;
  char **lists = malloc((2 + (size_t)words + 1 + (size_t)variables + 1) * sizeof *lists);
  if (!lists) return 0;
  char **directory = lists, **word = lists + 2, **variable = word + words + 1;
  at = take_texts(at + 8, until, 1, directory);
  if (at) at = take_texts(at, until, words, word);
  if (at) at = take_texts(at, until, variables, variable);
  *command = (struct command){.number = number, .length = at ? (size_t)(until - at) : 0};
  if (command->length > 0 && (command->input = malloc(command->length))) memcpy(command->input, at, command->length);
  int is_whole = at && (command->length == 0 || command->input);
  int is_started = is_whole && start(command, word, variable, directory[0]);
  if (is_started) give_input(command);
  else free(command->input);
  free(lists);
  return is_started;
}

static void answer(unsigned char kind, uint32_t number, const unsigned char *at, const unsigned char *until) {
  struct command *command = kind == run ? NULL : command_of(number);
  if (kind == run) {
    if (command_of(number) || !begin(number, at, until)) tell(not_started, number, NULL, 0);
  } else if (command && kind == end) kill_all(command);
  else if (command && kind == leave) {
    command->is_left = 1;
    for (int stream = 0; stream < unbegun; stream++) close_stream(command, stream);
  }
}

/* Everything that came, frame by frame; what is not whole yet is kept. */
static void listen_to(void) {
  if (asked.room - asked.length < piece) {
    size_t room = asked.room ? 2 * asked.room : 4 * piece;
    unsigned char *bytes = realloc(asked.bytes, room);
    if (!bytes) give_up(1);
    asked.bytes = bytes, asked.room = room;
  }
  ssize_t length = read(0, asked.bytes + asked.length, asked.room - asked.length);
  if (length < 0 && errno == EINTR) return;
  if (length <= 0) give_up(0);
  asked.length += (size_t)length;
  size_t at = 0;
  while (asked.length - at >= length_size) {
    uint32_t size = number_at(asked.bytes + at);
    if (size < head_size || size > longest_frame) give_up(1);
    if (asked.length - at - length_size < size) break;
    const unsigned char *frame = asked.bytes + at + length_size;
    answer(frame[0], number_at(frame + 1), frame + head_size, frame + size);
    at += length_size + size;
  }
  asked.length -= at;
  memmove(asked.bytes, asked.bytes + at, asked.length);
}

/* Until it has nothing more to say for now; one that writes without end is not the only one. */
static void take_output(struct command *command, int stream) {
  static unsigned char bytes[piece];
  for (int left = 4; left > 0 && command->streams[stream] >= 0; left--) {
    ssize_t length = read(command->streams[stream], bytes, sizeof bytes);
    if (length < 0 && errno == EINTR) continue;
    if (length < 0 && errno == EAGAIN) return;
    if (length > 0) tell(stream == out ? wrote_out : wrote_err, command->number, bytes, (size_t)length);
    else close_stream(command, stream);
  }
}

/* It stays a zombie until all of it is closed: until then its number is nobody else's, and its group can be ended. */
static void look_for_end(struct command *command) {
  siginfo_t how = {.si_pid = 0};
  if (command->has_exited || waitid(P_PID, (id_t)command->pid, &how, WEXITED | WNOHANG | WNOWAIT) != 0) return;
  if (how.si_pid != command->pid) return;
  command->has_exited = 1;
  unsigned char byte, code[8];
  int is_begun = read(command->streams[unbegun], &byte, 1) != 1;
  close_stream(command, unbegun);
  close_stream(command, in);
  if (!is_begun) {
    tell(not_started, command->number, NULL, 0);
    command->is_left = 1;
    for (int stream = 0; stream < unbegun; stream++) close_stream(command, stream);
    return;
  }
  for (int stream = out; stream <= err; stream++) take_output(command, stream);
  put_number(code, how.si_code == CLD_EXITED ? (uint32_t)how.si_status : UINT32_MAX);
  put_number(code + 4, how.si_code == CLD_EXITED ? 0 : (uint32_t)how.si_status);
  tell(exited, command->number, code, sizeof code);
}

static void let_go(struct command *command) {
  if (!command->has_exited || command->streams[out] >= 0 || command->streams[err] >= 0) return;
  while (waitpid(command->pid, NULL, 0) < 0 && errno == EINTR) continue;
  if (!command->is_left) tell(closed, command->number, NULL, 0);
  free(command->input);
  *command = (struct command){0};
}

int main(void) {
  if (pipe(signals) != 0) return 1;
  for (int at = 0; at < 2; at++) {
    fcntl(signals[at], F_SETFD, FD_CLOEXEC);
    fcntl(signals[at], F_SETFL, O_NONBLOCK);
  }
  signal(SIGPIPE, SIG_IGN);
  struct sigaction action = {.sa_handler = noticed, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
  sigaction(SIGCHLD, &action, NULL);
  for (;;) {
    struct pollfd all[2 + most_commands * unbegun] = {{.fd = 0, .events = POLLIN}, {.fd = signals[0], .events = POLLIN}};
    struct pollfd *one = all + 2;
    for (int at = 0; at < most_commands; at++)
      for (int stream = 0; stream < unbegun; stream++)
        *one++ = (struct pollfd){
          .fd = commands[at].pid > 0 ? commands[at].streams[stream] : -1, .events = stream == in ? POLLOUT : POLLIN};
    if (poll(all, sizeof all / sizeof *all, -1) < 0 && errno != EINTR) give_up(1);
    for (unsigned char bytes[64]; read(signals[0], bytes, sizeof bytes) > 0;) continue;
    for (int at = 0; at < most_commands; at++) {
      struct command *command = &commands[at];
      if (command->pid == 0) continue;
      const struct pollfd *its = all + 2 + at * unbegun;
      if (its[in].revents && command->streams[in] >= 0) give_input(command);
      for (int stream = out; stream <= err; stream++)
        if (its[stream].revents && command->streams[stream] >= 0) take_output(command, stream);
      look_for_end(command);
      let_go(command);
    }
    if (all[0].revents) listen_to();
    flush();
  }
}
