/** What of the command a command line runs: V8 keeps the code of each by itself. */
export const commandPart = ([name = "overview"]: readonly string[]): string =>
  /^[a-z]+$/.test(name) ? name : "none"
