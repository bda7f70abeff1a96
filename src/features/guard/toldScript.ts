/** Scripts on the disk that a shell is told to run: the walk notes them, and whoever judges the command reads them. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { absolute } from "./paths.ts"
import { scriptKey, type Verdict } from "./rule.ts"
import { unknown } from "./script.ts"

/** More scripts than these nobody starts with one command. */
const maxScripts = 4

/** By its name alone: any program may be a script, and hardly any is written to be run once. */
const named = /\.(?:sh|bash|zsh|ksh)$/

/** The file that a shell is given, or that is started as a script. */
const fileOf = ({ args, name, path = "" }: Call, isShell: boolean): string | undefined => {
  if (!isShell && name !== "source" && name !== ".")
    return path.includes("/") && named.test(path) ? path : undefined
  const texts = args.map(first)
  const at = texts.findIndex((text) => !/^[-+]./.test(text))
  // With `-c` or `-s` it is no file.
  const isFile = at >= 0 && !texts.slice(0, at).some((text) => /^-[a-z]*[cs][a-z]*$/.test(text))
  return isFile && !isDynamic(args[at]) ? texts[at] : undefined
}

const isDynamic = (arg: Argument | undefined): boolean => arg === undefined || arg.values.length !== 1

/** Only on this machine, and where it is known in which folder. */
export const scriptDoes = (call: Call, isShell: boolean): Verdict | undefined => {
  const { cwd, place, remote, written } = call.state
  const { scripts } = place
  if (scripts === undefined || remote || cwd === undefined) return undefined
  const file = fileOf(call, isShell)
  const path =
    file === undefined || file === "-" || file.includes(unknown) ? undefined : absolute(file, call.state)
  if (path === undefined || path.startsWith("/dev/") || path.startsWith("/proc/") || written.has(path))
    return undefined
  const started = { path, cwd }
  const key = scriptKey(started)
  const seen = scripts.seen.get(key)
  if (seen === undefined && scripts.wanted.size < maxScripts) scripts.wanted.set(key, started)
  return seen ?? undefined
}
