/** A station with client and host, and everything that was ever started for it: found by its home, ended with the test. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { isLocked } from "../../../src/log/hostLock.ts"
import { endProcessesOf, processesOf } from "../agents/processes.ts"
import { type Station, station } from "../entrypoint.ts"
import { equip } from "../host.ts"

export interface Furnishing {
  readonly hooks: Readonly<Record<string, string>>
  readonly deadlineMs?: number
  /** Not where whoever furnishes it builds them in another way. */
  readonly builds?: boolean
}

/** Builds the hooks and puts in place what an installation does. */
export const furnish = async (
  place: Station,
  { builds = true, deadlineMs = 60_000, hooks }: Furnishing
): Promise<void> => {
  place.putUser("config.json", JSON.stringify({ deadlineMs }))
  for (const [name, text] of Object.entries(hooks)) place.putUser(`hooks/${name}.ts`, text)
  if (builds) await place.build()
  await equip(place)
}

const places = new Set<Station>()

export const furnished = async (furnishing: Furnishing): Promise<Station> => {
  const place = await station()
  places.add(place)
  await furnish(place, furnishing)
  return place
}

/** After a test, however it ended. */
export const endPlaces = (): void => {
  for (const { home } of places) endProcessesOf(home)
  places.clear()
}

/** Until it holds; a test's time-out ends what never does. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<unknown> =>
  Effect.runPromise(
    Effect.repeat(
      Effect.promise(async () => holds()),
      { schedule: Schedule.spaced("20 millis"), until: (done) => done }
    )
  )

export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")
  } catch {
    return ""
  }
}

export const processesAt = ({ home }: Station): readonly number[] => processesOf(home)

/** Asks every host there to end; how many processes of any kind there still are. */
export const endHosts = (place: Station): number => {
  const there = processesAt(place)
  for (const pid of there) {
    if (!commandOf(pid).includes("host.cjs")) continue
    try {
      process.kill(pid, "SIGTERM")
    } catch {
      // It has ended by itself.
    }
  }
  return there.length
}

/** What a host that is gone may leave behind: nothing that runs, holds a lock, listens, or is on its way. */
export const remains = async (place: Station) => {
  const { state } = place
  return {
    processes: processesAt(place).map(commandOf),
    locked: await Effect.runPromise(isLocked(join(state, "run", "host.lock"))),
    sockets: readdirSync(join(state, "run")).filter((name) => name.endsWith(".sock")),
    spooled: readdirSync(join(state, "spool")).filter((name) => name !== "errors" && name !== "blank")
  }
}

export const nothing = { processes: [], locked: false, sockets: [], spooled: [] }
