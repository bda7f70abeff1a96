/** What a build leaves for the loader: which file serves which event. Read on every hook, so it is small and plain. */
import { join } from "node:path"
import { fileKey } from "./fileKey.ts"
import { hooksFolder } from "./project.ts"

/** A file or directory a build was made from. A missing one has the size and time -1, so that its coming is seen. */
export interface Source {
  readonly file: string
  readonly mtimeMs: number
  readonly size: number
  /** When the file or its name was last changed; where it is there. */
  readonly ctimeMs?: number
  /** Files only. */
  readonly sha256?: string
  /** `package`: the package.json of something bundled; it changes when the package does. */
  readonly kind: "user" | "project" | "config" | "dir" | "package"
}

/** A hook whose own failure is to stop the action. */
export interface Guard {
  readonly name: string
  readonly owner: "user" | "project"
  /** Of its content. */
  readonly digest: string
  /** Where it is found. */
  readonly source: string
  readonly events: readonly string[]
  /** When its content was trusted, milliseconds since 1970. */
  readonly trustedAt: number
  /** It stands for guards that are not known, and this is why and what to do. Nobody keeps one. */
  readonly unknown?: string
}

/** Why trust alone does not help; what waits for trust has no kind. */
export type WithheldKind = "taken" | "broken" | "gone" | "unstarted" | "revoked" | "policy"

/** A file that is not run, or not as it is now; or one hook of it, known by name only. */
export interface WithheldFile {
  readonly file: string
  readonly reason: string
  /** Builds of versions before have none: until they are made again, what they leave out is told as what waits for trust. */
  readonly kind?: WithheldKind
}

export interface Manifest {
  readonly version: 1
  /** Null where only the user's hooks are in it. */
  readonly project: string | null
  readonly build: string
  /** Content hash of the settings it was made with. */
  readonly config?: string
  /** Where the bundles lie. */
  readonly dir: string
  /** Canonical or `agent.<Native>` event → file in `dir`. */
  readonly events: Readonly<Record<string, string>>
  /** Serves every event that no hook wants. */
  readonly default: string
  /** Files in `dir` that bundles load when they need them. */
  readonly beside?: readonly string[]
  /** Agent → its own event name → canonical event. An event that is not here is `agent.<Native>`. */
  readonly natives: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly sources: readonly Source[]
  /** Files of the project that are left out, such as those not trusted. */
  readonly withheld: readonly WithheldFile[]
  /** Files that are not as they were trusted: what was trusted runs. */
  readonly held?: readonly WithheldFile[]
  /** Digests of what is in it. */
  readonly contents?: readonly string[]
  /** The hooks of the user and the project that stand guard. */
  readonly guards?: readonly Guard[]
  /** The last builds of this project, newest first: kept on disk for what still runs them. */
  readonly history: readonly string[]
  /** What of the sources as they are now does not build; what worked before is in use. */
  readonly failed?: readonly string[]
  /** How long an invocation may take, where the configuration says so. */
  readonly deadlineMs?: number
  /** What to run to build again. */
  readonly cli: string
  /** The events that hooks subscribe to by name. */
  readonly wanted?: readonly string[]
  /** Those of them at which a hook stands guard: its failure is to block, or to ask. */
  readonly guarded?: readonly string[]
  /** The events whose bundle holds no code but hooktape's own, of shipped hooks and of commands: a host may load it itself. */
  readonly ours?: readonly string[]
  /** The hooks in it that come with hooktape, and whether each is on. */
  readonly shipped?: Readonly<Record<string, boolean>>
  /** It was built without those, because whoever built it wanted so: what builds it again does not ask its own environment. */
  readonly withoutDefaults?: true
  /** Its bundles have the client say their reply: what leads to the agent itself is closed before a hook is loaded. */
  readonly throughClient?: true
  /** The version of hooktape that built it. */
  readonly hooktape?: string
}

/** The user's own hooks, for every directory without hooks of its own. */
export const userManifest = (state: string): string => join(state, "projects", "user.json")

export const projectManifest = (state: string, project: string): string =>
  join(state, "projects", `${fileKey(project)}.json`)

/** The canonical event of an agent's own. */
export const eventOf = (manifest: Manifest, agent: string, native: string): string => {
  const known = manifest.natives[agent]
  return (
    (known !== undefined && Object.hasOwn(known, native) ? known[native] : undefined) ?? `agent.${native}`
  )
}

/** The bundle that serves an event. */
export const bundleOf = (manifest: Manifest, event: string): string =>
  join(
    manifest.dir,
    (Object.hasOwn(manifest.events, event) ? manifest.events[event] : undefined) ?? manifest.default
  )

/** Of a bundle only the tables of its call's agent run, and are in its cache: the word for these in the cache's name. */
export const partOf = ({ natives }: Manifest, agent: string): string =>
  Object.hasOwn(natives, agent) ? agent : "unknown"

/** Whether no code but hooktape's own can be asked at any of them; where a build of before does not say, somebody else's may. */
export const isOurs = ({ events, ours = [] }: Manifest, asked: readonly string[]): boolean =>
  asked.every((event) => ours.includes(event) || !Object.hasOwn(events, event))

/** Where a project's own hooks are. */
export const folderOf = (project: string): string => join(project, hooksFolder)
