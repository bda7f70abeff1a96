/** The processes above this one, the nearest first: from /proc where there is one, else as `ps` tells. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, readlinkSync } from "node:fs"
import type { Seen } from "./agentPrograms.ts"

/** Nobody nests deeper, and no circle is walked for ever. */
const most = 64

const quietly = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const words = (file: string): readonly string[] =>
  readFileSync(file, "utf8")
    .split("\0")
    .filter((word) => word !== "")

const environmentOf = (folder: string): Readonly<Record<string, string>> | undefined =>
  quietly(() =>
    Object.fromEntries(
      words(`${folder}/environ`).map((entry) => {
        const equals = entry.indexOf("=")
        return [entry.slice(0, equals), entry.slice(equals + 1)]
      })
    )
  )

/** `pid (name) state parent …`: the name may hold anything, brackets too. */
const statIn = /^\d+ \((.*)\) \S (\d+) /s

const fromProc = (pid: number): Seen | undefined => {
  const folder = `/proc/${pid}`
  const stat = statIn.exec(quietly(() => readFileSync(`${folder}/stat`, "utf8")) ?? "")
  if (stat === null) return undefined
  return {
    pid,
    parent: Number(stat[2]),
    name: stat[1] ?? "",
    program: quietly(() => readlinkSync(`${folder}/exe`))?.replace(/ \(deleted\)$/, ""),
    args: quietly(() => words(`${folder}/cmdline`)) ?? [],
    cwd: quietly(() => readlinkSync(`${folder}/cwd`)),
    // The first process's environment is the machine's, or a container's, and says nothing of who works in it.
    env: pid === 1 ? undefined : environmentOf(folder)
  }
}

/**
 * A line of parent, name and arguments cannot be split safely where names hold spaces: two calls can. Each column is asked for by an
 * option of its own: to a BSD's `ps`, and by POSIX, what follows `=` is the heading, `,comm=` too.
 */
export const fromPs = (pid: number, program = "/bin/ps"): Seen | undefined => {
  const ask = (...columns: readonly string[]): string =>
    spawnSync(program, ["-ww", ...columns.flatMap((column) => ["-o", `${column}=`]), "-p", String(pid)], {
      encoding: "utf8",
      timeout: 5000,
      windowsHide: true,
      env: { LC_ALL: "C" }
    }).stdout?.trim() ?? ""
  const found = /^\s*(\d+)\s+(.*)$/s.exec(ask("ppid", "comm"))
  if (found === null) return undefined
  return { pid, parent: Number(found[1]), name: found[2] ?? "", args: ask("args").split(/\s+/) }
}

export const seen = (pid: number): Seen | undefined =>
  existsSync("/proc/self/stat") ? fromProc(pid) : fromPs(pid)

export const ancestors = (
  parent: number = process.ppid,
  look: (pid: number) => Seen | undefined = seen
): readonly Seen[] => {
  const found: Seen[] = []
  for (let pid = parent; pid > 0 && found.length < most; ) {
    const one = look(pid)
    if (one === undefined) break
    found.push(one)
    pid = one.parent
  }
  return found
}
