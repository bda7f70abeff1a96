/** What the processes of a host hold open, where the system tells: nothing of an agent's may be among it. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"

export const canLook = existsSync("/proc/self/fd")

/** Descriptor → what stands behind it, as `/proc` names it. */
export type Descriptors = ReadonlyMap<number, string>

export const descriptorsOf = (pid: number): Descriptors => {
  const folder = `/proc/${pid}/fd`
  return new Map(
    readdirSync(folder).flatMap((name) => {
      try {
        return [[Number(name), readlinkSync(`${folder}/${name}`)] as const]
      } catch {
        // Closed since.
        return []
      }
    })
  )
}

/** Inodes of what listens: a TCP port, or a Unix socket with a name. */
const listening = (): ReadonlySet<string> => {
  const rows = (file: string) =>
    existsSync(file)
      ? readFileSync(file, "utf8")
          .split("\n")
          .slice(1)
          .map((line) => line.trim().split(/\s+/))
      : []
  return new Set([
    ...["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) =>
      rows(file).flatMap((cells) => (cells[3] === "0A" ? [cells[9] ?? ""] : []))
    ),
    ...rows("/proc/net/unix").flatMap((cells) => (cells[7] === undefined ? [] : [cells[6] ?? ""]))
  ])
}

/** Descriptors of one process that lead to another process, or could. */
export interface Ties {
  readonly pid: number
  /** Connected sockets: what listens is left out. */
  readonly sockets: readonly string[]
  /** Pipes of which no process of the same family holds the other end. */
  readonly pipes: readonly string[]
}

/** Both ends of a pipe have one inode; which end a descriptor is, its flags say. */
const endOf = (pid: number, fd: number): "read" | "write" | "both" => {
  const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8"))?.[1] ?? "0"
  return (["read", "write", "both"] as const)[Number.parseInt(flags, 8) & 3] ?? "both"
}

export const tiesOf = (family: readonly number[]): readonly Ties[] => {
  const listeners = listening()
  const held = family.map((pid) => ({ pid, descriptors: descriptorsOf(pid) }))
  const ends = new Set(
    held.flatMap(({ pid, descriptors }) =>
      [...descriptors].flatMap(([fd, target]) => {
        if (!target.startsWith("pipe:")) return []
        const end = endOf(pid, fd)
        return end === "both" ? [`${target} read`, `${target} write`] : [`${target} ${end}`]
      })
    )
  )
  const isWhole = (pipe: string) => ends.has(`${pipe} read`) && ends.has(`${pipe} write`)
  return held.map(({ pid, descriptors }) => ({
    pid,
    sockets: [...descriptors.values()].filter((target) => {
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
      return inode !== undefined && !listeners.has(inode)
    }),
    pipes: [...descriptors.values()].filter((target) => target.startsWith("pipe:") && !isWhole(target))
  }))
}
