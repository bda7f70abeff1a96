/** `hooktape trust`: records what the project's hook files and all they import contain now. Running it is the consent. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { discoverProject, realPath } from "../hooks/discover.ts"
import { folderOf } from "../hooks/manifest.ts"
import { type Contents, contentsOf, hashOf, readTrust, type Trusted, writeTrust } from "../hooks/trust.ts"
import { messageOf } from "../log/messageOf.ts"
import { BuildError } from "./BuildError.ts"
import { type Core, findCore } from "./core.ts"
import { inspect } from "./inspect.ts"
import { readRegular } from "./regular.ts"

export interface TrustOptions {
  readonly state: string
  readonly project: string
  readonly core?: Core
}

export interface TrustResult {
  readonly project: string
  readonly files: readonly {
    readonly file: string
    readonly hash: string
    /** Against what was trusted before. */
    readonly change: "new" | "changed" | "same"
  }[]
}

const configOf = (project: string): string | null => {
  try {
    return hashOf(readRegular(join(folderOf(project), "config.json")))
  } catch {
    return null
  }
}

const changeOf = (before: string | undefined | null, now: string): "new" | "changed" | "same" =>
  before === undefined || before === null ? "new" : before === now ? "same" : "changed"

export const trustProject = Effect.fn("trust")(function* (options: TrustOptions) {
  const core = options.core ?? findCore()
  const { state } = options
  const project = realPath(options.project) ?? options.project
  const { files, problems } = discoverProject(project)
  if (problems.length > 0) return yield* new BuildError({ op: "discover", problems })
  // Nothing is written here, but the compiler wants a place that its output would have.
  const inspected = yield* Effect.forEach(files, (file) => inspect(core, file, state, project), {
    concurrency: 4
  })
  const broken = inspected.flatMap(({ script }) => (Either.isLeft(script) ? script.left.problems : []))
  if (broken.length > 0) return yield* new BuildError({ op: "compile", problems: broken })
  const contents: Contents = Object.assign({}, ...inspected.map(({ locals }) => contentsOf(project, locals)))
  const before = readTrust(state, project)
  const trusted: Trusted = { config: configOf(project), files: contents }
  yield* Effect.try({
    try: () => writeTrust(state, project, trusted),
    catch: (cause) =>
      new BuildError({
        op: "write",
        problems: [{ file: join(state, "trust.json"), reason: `cannot be written: ${messageOf(cause)}` }]
      })
  })
  const listed = Object.entries(contents).map(([file, hash]) => {
    const had = before !== undefined && Object.hasOwn(before.files, file) ? before.files[file] : undefined
    return { file, hash, change: changeOf(had, hash) }
  })
  const config =
    trusted.config === null
      ? []
      : [
          {
            file: ".hooktape/config.json",
            hash: trusted.config,
            change: changeOf(before?.config, trusted.config)
          }
        ]
  const result: TrustResult = { project, files: [...listed, ...config] }
  return result
})
