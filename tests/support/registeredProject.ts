/** A project's own registration as a release before would have written it, with the record of what it wrote. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Either from "effect/Either"
import { planInstall } from "../../src/tools/install/plan.ts"
import { recordFile } from "../../src/tools/install/store.ts"

export interface RegisteredProject {
  readonly project: string
  readonly file: string
  /** What this version would have written. */
  readonly today: string
}

export const registerAsBefore = (
  state: string,
  project: string,
  scope: "project" | "local" = "project"
): RegisteredProject => {
  const name = scope === "project" ? "settings.json" : "settings.local.json"
  const file = join(project, ".claude", name)
  const plan = planInstall({
    agent: "claude-code",
    scope,
    file,
    bin: join(state, "bin", "hook"),
    events: ["Stop"],
    currentText: undefined
  })
  const { nextText, record } = Either.getOrThrow(plan)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, nextText.replace('"timeout": 10', '"timeout": 4'))
  writeFileSync(recordFile(state, file), JSON.stringify(record))
  return { project, file, today: nextText }
}
