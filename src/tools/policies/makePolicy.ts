/** Makes a policy of a folder's hooks and their settings, as a build would read them. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parseConfig } from "../../state/config.ts"
import type { Config } from "../../state/configShape.ts"
import { codeDigest, concerning, concerningAll, hookDigest } from "../../trust/digest.ts"
import { readCompiled, readKept } from "../../trust/kept.ts"
import type { Policy, PolicyHook } from "../../trust/policies/Policy.ts"
import { BuildError } from "../build/BuildError.ts"
import { type Core, findCore } from "../build/core.ts"
import { loadHooks } from "../build/decideFile.ts"
import { loadTimeoutMs } from "../build/evaluate.ts"
import { type Level, readLevel } from "../build/gather.ts"
import type { Inspected } from "../build/inspect.ts"
import { keep } from "../build/keep.ts"

export interface PolicyOptions extends Pick<Policy, "name" | "version" | "made" | "everywhere"> {
  /** Holds `.hooktape/`. A real path. */
  readonly folder: string
  readonly core?: Core
  readonly loadTimeoutMs?: number
}

const wrong = (problems: BuildError["problems"]) => new BuildError({ op: "check", problems })

const configOf = ({ configFile, configText }: Level) => {
  const parsed = configText === null ? Either.right<Config>({}) : parseConfig(configFile, configText)
  return Either.isLeft(parsed) ? wrong(parsed.left) : Effect.succeed(parsed.right)
}

const policyHook = Effect.fn("policy.hook")(function* (
  core: Core,
  inspected: Inspected,
  { base, config, scratch, timeoutMs }: { base: string; config: Config; scratch: string; timeoutMs: number }
) {
  const { file, locals } = inspected
  const code = codeDigest(base, file, locals)
  const { hooks, problems } = yield* loadHooks(inspected, { code, scratch, timeoutMs })
  if (problems.length > 0) return yield* wrong(problems)
  const settings = concerning(
    config,
    hooks.map(({ hook }) => hook)
  )
  const digest = hookDigest(code, settings)
  yield* keep({ core, state: scratch, digest, base, inspected, hooks, settings })
  const kept = readKept(scratch, digest)
  const compiled = kept && readCompiled(scratch, kept)
  if (kept === undefined || compiled === undefined)
    return yield* wrong([{ file, reason: "cannot be kept as it is" }])
  return { code, kept, compiled } satisfies PolicyHook
})

/** Fails with all that is wrong with the hooks, or with the folder having none. */
export const makePolicy = Effect.fn("policy.make")(function* (options: PolicyOptions) {
  const { everywhere, folder, made, name, version } = options
  const core = options.core ?? findCore()
  const timeoutMs = options.loadTimeoutMs ?? loadTimeoutMs
  const scratch = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "hooktape-policy-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const { level } = yield* readLevel({ core, scratch }, folder)
  const config = yield* configOf(level)
  if (level.refused.length + level.unstarted.length > 0)
    return yield* wrong([...level.refused, ...level.unstarted])
  if (level.inspected.length === 0)
    return yield* wrong([{ file: join(folder, ".hooktape", "hooks"), reason: "has no hooks to sign" }])
  const hooks = yield* Effect.forEach(level.inspected, (one) =>
    policyHook(core, one, { base: folder, config, scratch, timeoutMs })
  )
  return {
    name,
    version,
    made,
    everywhere,
    hooks,
    settings: concerningAll(config)
  } satisfies Policy
}, Effect.scoped)
