/** Writes what was trusted into the store: one writer at a time, so that nobody's word is lost. */
import { type OwnerLock, takeOwnerLock } from "../../state/ownerLock.ts"
import {
  isNewerTrust,
  newerTrust,
  readTrust,
  type Trusted,
  type TrustStore,
  trustFile,
  withTrusted,
  writeTrust
} from "../../trust/store.ts"

const pauseMs = 20
const patienceMs = 5000

/** Synchronous: it is done in microseconds, and its lock is its process's. */
export const changeTrust = (state: string, change: (store: TrustStore) => TrustStore): TrustStore => {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  let lock: OwnerLock | undefined
  for (let waited = 0; waited < patienceMs; waited += pauseMs) {
    lock = takeOwnerLock(`${trustFile(state)}.owner`)
    if (lock !== undefined) break
    Atomics.wait(sleeper, 0, 0, pauseMs)
  }
  if (lock === undefined) throw new Error("another process is writing trust.json")
  try {
    if (isNewerTrust(state)) throw new Error(newerTrust)
    const changed = change(readTrust(state))
    writeTrust(state, changed)
    return changed
  } finally {
    lock.release()
  }
}

export const addTrusted = (state: string, added: readonly Trusted[]): TrustStore =>
  changeTrust(state, (store) => withTrusted(store, added))
