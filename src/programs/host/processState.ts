/** What a process says of itself and any hook may set: put back before each call, as in a process of the call's own. */

const { title } = process
const [argv, execArgv] = [[...process.argv], [...process.execArgv]]

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  Array.isArray(one) && one.length === other.length && other.every((text, at) => text === one[at])

export const restoreProcess = (): void => {
  // stream-bypass: taken back, not set
  process.exitCode = undefined
  if (process.title !== title) process.title = title
  if (!isSame(process.argv, argv)) process.argv = [...argv]
  if (!isSame(process.execArgv, execArgv)) process.execArgv = [...execArgv]
}
