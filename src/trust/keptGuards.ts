/**
 * Which guards a project's last build had, and the user's own: beside what was trusted, so that a build that is gone takes no guard
 * with it. Light: the loader asks, and only when a build is gone.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileKey } from "../state/fileKey.ts"
import type { Guard } from "../state/manifest.ts"

/** Without a project: of the hooks that serve every directory without its own. */
export const guardsFile = (state: string, project?: string): string =>
  join(state, "trusted", "guards", `${project === undefined ? "user" : fileKey(project)}.json`)

const isGuard = (value: unknown): boolean => {
  const { digest, events, name, source } = (value ?? {}) as Partial<Record<keyof Guard, unknown>>
  return [digest, name, source].every((text) => typeof text === "string") && Array.isArray(events)
}

/** Nothing is kept under such a digest: where it is asked for, it fails, and a guard that fails blocks. */
const unreadable = (file: string): Guard => ({
  name: "guards of a newer hooktape",
  owner: "user",
  digest: "",
  source: file,
  events: ["tool.before"],
  trustedAt: 0
})

/** Those of a newer version as far as they can be read; one that cannot is not taken for none. */
const fromNewer = (file: string, guards: unknown): readonly Guard[] => {
  const all: readonly unknown[] = Array.isArray(guards) ? guards : [undefined]
  return [
    ...all.filter((one): one is Guard => isGuard(one)),
    ...(all.every(isGuard) ? [] : [unreadable(file)])
  ]
}

const read = (file: string): readonly Guard[] | undefined => {
  try {
    const { guards, version } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly version: number
      readonly guards: readonly Guard[]
    }
    if (version > 1) return fromNewer(file, guards)
    return version === 1 ? guards.filter(isGuard) : undefined
  } catch {
    return undefined
  }
}

/** Those that guard this project. */
export const readGuards = (state: string, project: string): readonly Guard[] =>
  read(guardsFile(state, project)) ?? read(guardsFile(state)) ?? []
