/** How a process of the host ends: at once, whatever a library left open. */

/** As it is before handlers are kept from it. */
// stream-bypass: ends the host or a process of handlers; no agent reads their streams or sees their exit codes
const { exit } = process

/** With what went wrong, where something did. */
export const exitProcess = (problem?: string): never => {
  // stream-bypass: for whoever starts a host by hand to see why it does not come up; no agent reads its streams
  if (problem !== undefined) process.stderr.write(["hooktape host: ", problem, "\n"].join(""))
  return exit(problem === undefined ? 0 : 1)
}
