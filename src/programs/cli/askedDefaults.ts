/** Whether a build may leave out the hooks that come with hooktape because HOOKTAPE_DEFAULTS=off says so. */
import * as Effect from "effect/Effect"
import { manifestAt } from "../../runtime/builds/refresh.ts"
import { projectManifest, userManifest } from "../../state/manifest.ts"
import type { AskedDefaults } from "../../tools/build/shipped.ts"
import { BeneathAgent } from "../../trust/BeneathAgent.ts"

interface Built {
  readonly state: string
  readonly project?: string
}

const stands = ({ project, state }: Built) =>
  (project === undefined ? undefined : manifestAt(projectManifest(state, project))) ??
  manifestAt(userManifest(state))

/** A person's environment is their word. An agent's may have come from a repository's settings: there, what was built before counts. */
export const askedDefaults = (
  built: Built,
  env: NodeJS.ProcessEnv = process.env
): Effect.Effect<AskedDefaults, never, BeneathAgent> =>
  Effect.gen(function* () {
    if (env["HOOKTAPE_DEFAULTS"] !== "off") return undefined
    const { sign } = yield* BeneathAgent
    if ((yield* sign) === undefined) return undefined
    return stands(built)?.withoutDefaults ? false : "settings"
  })
