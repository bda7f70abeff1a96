/** The environment of the call that is handled: the process's own, but where one process answers calls of several sessions. */
export type Environment = Readonly<Record<string, string | undefined>>

/** By name: who answers calls and who asks may be two copies of this module, a host's and a bundle's. */
const slot = Symbol.for("hooktape/environment")
const realm = globalThis as unknown as Record<symbol, (() => Environment | undefined) | undefined>

/**
 * What shipped hooks read in place of `process.env`. A host's own thread knows it only until a handler first waits: what is needed
 * after that is read before.
 */
export const callEnvironment = (): Environment => realm[slot]?.() ?? process.env

/** For whoever answers calls of several sessions: how to find the environment of the one that is under way. */
export const provideEnvironment = (find: () => Environment | undefined): void => {
  realm[slot] = find
}
