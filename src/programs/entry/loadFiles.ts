/** Loads the files of users' hooks: one that throws, ends the process or never comes to its end must not take what others would answer with it. */
import { callUnderWay } from "../../runtime/call.ts"
import { monotonic } from "../../runtime/elapsed.ts"
import { SpunTooLong, watched } from "../../runtime/watchdog.ts"

export interface LoadedFile {
  readonly module?: unknown
  readonly thrown?: unknown
}

type Load = () => unknown

/** So much of what is left of a call may go by while files are loaded: who answers needs the rest. */
const share = 0.6
/** A busy machine may blink: so long it may take in any case. */
const leastMs = 1000
/** After so many files without end nobody waits for another. */
const maxSpun = 3

/** Where calls are handled one after the other, by a process of a host, that one looks after it. */
const timeToLoad = (): number | undefined => {
  const call = callUnderWay()
  return call && Math.max(leastMs, share * (call.deadlineMs - (monotonic() - call.began)))
}

export const loadFile = (file: string, load: Load): LoadedFile => {
  const { exit, reallyExit, abort } = process as NodeJS.Process & { readonly reallyExit: () => never }
  const refuse = (): never => {
    throw new Error(`tried to end the process while loading ${file}`)
  }
  Object.assign(process, { exit: refuse, reallyExit: refuse, abort: refuse })
  try {
    return { module: load() }
  } catch (thrown) {
    return { thrown }
  } finally {
    Object.assign(process, { exit, reallyExit, abort })
  }
}

/** All are loaded under one watch: it costs more than a small file does. */
export const loadFiles = (files: Readonly<Record<string, Load>>): Record<string, LoadedFile> => {
  const loaded: Record<string, LoadedFile> = {}
  const names = Object.keys(files)
  let at = 0
  const loadRest = (): void => {
    for (; at < names.length; at++) {
      const name = names[at] as string
      loaded[name] = loadFile(name, files[name] as Load)
    }
  }
  for (let spun = 0; at < names.length; ) {
    const ms = timeToLoad()
    if (ms === undefined) {
      loadRest()
      return loaded
    }
    const { exit, reallyExit, abort } = process as NodeJS.Process & { readonly reallyExit: () => never }
    try {
      if (spun < maxSpun) watched(ms, loadRest)
      else throw new SpunTooLong("it was not loaded, since others did not come to their end")
    } catch (error) {
      if (!(error instanceof SpunTooLong)) throw error
      // What is ended so comes by no `finally`.
      Object.assign(process, { exit, reallyExit, abort })
      const name = names[at++] as string
      const message = spun++ < maxSpun ? `did not finish loading within ${Math.round(ms)} ms` : error.message
      loaded[name] = { thrown: new Error(message) }
    }
  }
  return loaded
}
