/**
 * Which guards a project's last build had, and the user's own: beside what was trusted, so that a build that is gone takes no guard
 * with it. Light: the loader asks, and only when a build is gone.
 */
import { join } from "node:path"
import { fileKey } from "../state/fileKey.ts"
import type { Guard, Manifest } from "../state/manifest.ts"
import { ofNewer } from "../state/newerFile.ts"
import { readRegular } from "../state/readRegular.ts"
import { isNewerTrust, newerTrust, trustFile } from "./store.ts"

/** Without a project: of the hooks that serve every directory without its own. */
export const guardsFile = (state: string, project?: string): string =>
  join(state, "trusted", "guards", `${project === undefined ? "user" : fileKey(project)}.json`)

const isGuard = (value: unknown): boolean => {
  const { digest, events, name, source } = (value ?? {}) as Partial<Record<keyof Guard, unknown>>
  return [digest, name, source].every((text) => typeof text === "string") && Array.isArray(events)
}

/** What cannot be told is not taken for nothing: it stops the action in the place of the guards that there may be. */
const unknown = (name: string, source: string, why: string): Guard => ({
  name,
  owner: "user",
  digest: "",
  source,
  events: ["tool.before"],
  trustedAt: 0,
  unknown: why
})

const unreadable = (file: string, isNewer: boolean): Guard =>
  isNewer
    ? unknown("guards of a newer hooktape", file, ofNewer(file))
    : unknown(
        "unreadable guards",
        file,
        `${file} cannot be read, and with it which guards there are: "hooktape build" writes it anew`
      )

/** As far as they can be read. */
const guardsIn = (file: string, text: string): readonly Guard[] => {
  try {
    const { guards, version } = JSON.parse(text) as Readonly<Record<"guards" | "version", unknown>>
    const isNewer = typeof version === "number" && version > 1
    const all: readonly unknown[] = Array.isArray(guards) && (version === 1 || isNewer) ? guards : [undefined]
    return [
      ...all.filter((one): one is Guard => isGuard(one)),
      ...(all.every(isGuard) ? [] : [unreadable(file, isNewer)])
    ]
  } catch {
    return [unreadable(file, false)]
  }
}

/** Undefined where none were kept. */
const read = (file: string): readonly Guard[] | undefined => {
  try {
    return guardsIn(file, readRegular(file).toString("utf8"))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : [unreadable(file, false)]
  }
}

/** A newer version may keep them in another place. */
const notFound = (state: string): readonly Guard[] =>
  isNewerTrust(state)
    ? [
        unknown(
          "guards of a newer hooktape",
          trustFile(state),
          `${newerTrust}; which guards there are is not found without it`
        )
      ]
    : []

export interface Guarded {
  readonly state: string
  readonly project: string
  /** Whether the project may have hooks of its own: the user's guards are no substitute for what it has. */
  readonly own: boolean
  /** Of the build that is gone, as far as it is known. */
  readonly before?: Pick<Manifest, "guards" | "project"> | undefined
}

/** Those that guard this project. */
export const readGuards = ({ before, own, project, state }: Guarded): readonly Guard[] => {
  const { guards } = before ?? {}
  const ofProject = read(guardsFile(state, project)) ?? (before?.project === project ? guards : undefined)
  if (ofProject !== undefined) return ofProject
  const ofUser = read(guardsFile(state))
  return [...(ofUser ?? guards ?? []), ...(own || ofUser === undefined ? notFound(state) : [])]
}

/** Those of the project alone, where a build of the user's hooks serves in the place of its own. */
export const projectGuards = (state: string, project: string): readonly Guard[] =>
  readGuards({ state, project, own: true }).filter(
    ({ owner, unknown }) => owner === "project" || unknown !== undefined
  )
