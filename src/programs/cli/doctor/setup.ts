/** What has to be there before any hook can run: the runtime, the state directory, the launcher and the loader. */
import { lstatSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { count } from "../../../features/timeline/words.ts"
import { spoolDirectory } from "../../../log/spool/spoolWriter.ts"
import { currentUnreachable, failLoudThreshold } from "../../../log/spool/unreachable.ts"
import { reasonFor } from "../../../log/spool/unreachableFacts.ts"
import { isExecutable } from "../../../state/isExecutable.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { namesIn } from "../../../state/namesIn.ts"
import {
  contentOf,
  entryOf,
  hookOf,
  launcherText,
  loaderOf,
  shippedClient,
  shippedLoader
} from "../prepare.ts"
import { type Check, fail, ok, warn } from "./Check.ts"
import { runInstall } from "./installCommand.ts"

const least = [20, 19] as const

export const checkRuntime = (version: string): Check => {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
    ? ok("node", `${version} at ${process.execPath}`)
    : fail("node", `${version} is too old`, `Use Node ${least.join(".")} or newer. ${runInstall()}`)
}

export const checkSwitch = (env: NodeJS.ProcessEnv): Check =>
  env["HOOKTAPE"] === "0"
    ? warn("switch", "HOOKTAPE=0 is set: no hook runs from here", "Unset HOOKTAPE.")
    : ok("switch", "on")

const octal = (mode: number): string => `0${(mode & 0o777).toString(8)}`

/** Windows tells who may read something in another way, which is not looked at: a folder of the user's profile is theirs alone. */
const isOpenToOthers = ({ mode }: Stats): boolean => process.platform !== "win32" && (mode & 0o077) !== 0

export const checkState = (state: string): Check => {
  const stat = lstatSync(state, { throwIfNoEntry: false })
  if (!stat) return fail("state", `${state} does not exist`, runInstall())
  if (stat.isSymbolicLink())
    return fail("state", `${state} is a symbolic link`, "Replace it by a directory, or set HOOKTAPE_HOME.")
  if (!stat.isDirectory())
    return fail("state", `${state} is not a directory`, "Move it away, or set HOOKTAPE_HOME.")
  if (process.getuid && stat.uid !== process.getuid()) {
    return fail("state", `${state} belongs to another user`, "Set HOOKTAPE_HOME to a directory of your own.")
  }
  if (isOpenToOthers(stat)) {
    return fail(
      "state",
      `${state} has mode ${octal(stat.mode)}: others can look in`,
      `Run: chmod 700 '${state}'`
    )
  }
  return ok("state", state)
}

/** About what a hook call with a large payload takes. */
const needed = 256 * 1024

/** Hooks answer without a place to write to, and nobody would notice that nothing is recorded. */
export const checkRoom = (state: string): Check => {
  const trial = join(state, `room.${process.pid}.tmp`)
  try {
    writeFileSync(trial, Buffer.alloc(needed), { flag: "wx", mode: 0o600 })
    return ok("room", "the state directory takes what is recorded")
  } catch (cause) {
    return fail(
      "room",
      `hook calls cannot be recorded: ${messageOf(cause)}`,
      "Free some space there and let it be written, or set HOOKTAPE_HOME to another disk."
    )
  } finally {
    rmSync(trial, { force: true })
  }
}

/** What is there of a log that was made a moment ago, by whoever wanted to open it. */
const emptyLog = 4096

/** What to do about a log that does not open. One that was taken away leaves its other files to the host that has it open. */
export const logRemedy = (state: string, hasRoom: boolean): string => {
  if (!hasRoom) return "It may be whole: see to the room first."
  const stat = lstatSync(join(state, "log.sqlite"), { throwIfNoEntry: false })
  return stat === undefined || (stat.isFile() && stat.size <= emptyLog)
    ? 'It was taken away while a process had it open. Run "hooktape host stop", then "hooktape doctor" again.'
    : 'Run "hooktape log repair": what can be read of it is kept, and the damaged log as well.'
}

export const checkKey = (state: string): Check => {
  const file = join(state, "key")
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) return warn("key", "not made yet: payloads have no digest", runInstall())
  if (isOpenToOthers(stat))
    return fail("key", `${file} has mode ${octal(stat.mode)}`, `Run: chmod 600 '${file}'`)
  if (stat.size !== 32) return fail("key", `${file} is damaged`, "Remove it; a new one is made.")
  return ok("key", "private")
}

/** What agents start: the native client, or the launcher itself where no client runs. */
export const checkHook = (state: string, client = shippedClient()): Check => {
  const file = hookOf(state)
  const there = contentOf(file)
  if (there === undefined) return fail("hook", `${file} is missing`, runInstall())
  if (!isExecutable(file)) return fail("hook", `${file} is not executable`, `Run: chmod 700 '${file}'`)
  const shipped = contentOf(client)
  if (shipped !== undefined && there.equals(shipped)) return ok("hook", "the native client, of this version")
  if (there.toString("latin1", 0, 2) !== "#!") {
    return warn("hook", "a native client of another version than this command", runInstall())
  }
  if (there.toString("utf8") !== launcherText(state)) {
    return warn("hook", "it was written by another version, or for another Node", runInstall())
  }
  return shipped === undefined
    ? ok("hook", "the launcher: there is no native client for this machine, and each hook starts Node")
    : warn("hook", "the launcher, though there is a native client: each hook starts Node", runInstall())
}

export const checkLauncher = (state: string): Check => {
  const file = entryOf(state)
  const text = contentOf(file)?.toString("utf8")
  if (text === undefined) return fail("launcher", `${file} is missing`, runInstall())
  if (!isExecutable(file)) return fail("launcher", `${file} is not executable`, `Run: chmod 700 '${file}'`)
  const node = /^\[ -x '((?:[^']|'\\'')+)' \]/m.exec(text)?.[1]?.replaceAll("'\\''", "'")
  if (node !== undefined && !isExecutable(node)) {
    return fail("launcher", `it starts ${node}, which is gone`, runInstall())
  }
  return text === launcherText(state)
    ? ok("launcher", file)
    : warn("launcher", "it was written by another version, or for another Node", runInstall())
}

export const checkLoader = (state: string): Check => {
  const there = contentOf(loaderOf(state))
  if (there === undefined) return fail("loader", `${loaderOf(state)} is missing`, runInstall())
  return contentOf(shippedLoader())?.equals(there)
    ? ok("loader", "of this version")
    : warn("loader", "it is of another version than this command", runInstall())
}

/** Whether calls are handled at all: hooks fall silent when they are not, and stay so below the threshold. */
export const checkReach = (state: string, env: NodeJS.ProcessEnv): Check => {
  const missed = currentUnreachable(state)
  const last = missed.at(-1)
  if (last === undefined) return ok("reach", "no hook call was left without an answer")
  const calls = `${count(missed.length, "hook call")} in a row could be handled nowhere, the last because ${reasonFor(last.why)}`
  const fix =
    last.why === "no-host"
      ? "Unset HOOKTAPE_FALLBACK, or see that the host starts."
      : last.why === "no-record"
        ? `See that ${spoolDirectory(state)} can be written.`
        : runInstall()
  return missed.length >= failLoudThreshold(env) ? fail("reach", calls, fix) : warn("reach", calls, fix)
}

/** Looked at when everything was taken in: what waits belongs to invocations at work, or to a log that does not open. */
export const checkSpool = (state: string): Check => {
  const spool = spoolDirectory(state)
  const waiting = namesIn(spool).filter((name) => name.endsWith(".ndjson")).length
  const errors = namesIn(join(spool, "errors")).length
  if (errors > 0) {
    return warn(
      "spool",
      `${count(errors, "file")} with lines that could not be read`,
      `Look into ${join(spool, "errors")}; remove what you do not need.`
    )
  }
  return ok("spool", waiting === 0 ? "empty" : `${count(waiting, "invocation")} waiting to be taken in`)
}
