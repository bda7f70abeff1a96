/** Whether the hooks that would run are the ones that are there. */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import type { Fact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { count } from "../../../features/timeline/words.ts"
import { staleness } from "../../../runtime/builds/rebuild.ts"
import { remediesFor } from "../../../runtime/builds/trustHint.ts"
import { readConfig } from "../../../state/config.ts"
import type { Config } from "../../../state/configShape.ts"
import { folderOf, type Manifest, projectManifest, userManifest } from "../../../state/manifest.ts"
import { printable } from "../../../state/terminalText.ts"
import { readManifest } from "../../../tools/build/output.ts"
import { shippedNow } from "../../../tools/build/shipped.ts"
import { neededVariable } from "../neededVariable.ts"
import { withheldText } from "../render/words.ts"
import type { Current } from "./activity.ts"
import { type Check, fail, ok, warn } from "./Check.ts"
import { runInstall } from "./installCommand.ts"
import { switchedOff } from "./switches.ts"

/** What to do about a problem stands on a line of its own elsewhere. */
const oneLine = (text: string): string =>
  text.replace(/([.!?:]?)\s*\n\s*/g, (_, end: string) => `${end === "" ? "." : end} `)

/** Whether a hook is in the build that serves a project now; where no fact tells what is in it, it may be. */
export const currentHooks = (state: string, built: readonly Recorded[]): Current => {
  const hooksOf = new Map<string, readonly string[]>()
  for (const { known, data } of built) {
    const fact = data as Fact
    if (known && fact.type === "HOOKS_BUILT") hooksOf.set(`${fact.project} ${fact.build}`, fact.hooks)
  }
  return (hook, project) => {
    const own = project !== null && existsSync(folderOf(project)) ? project : ""
    const manifest = readManifest(own === "" ? userManifest(state) : projectManifest(state, own))
    const hooks = manifest && hooksOf.get(`${own} ${manifest.build}`)
    return hooks === undefined || hooks.includes(hook)
  }
}

const isThere = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

const shippedHooks = "shipped hooks"

const checkBuild = (
  name: string,
  manifest: Manifest | undefined,
  command: string,
  env: NodeJS.ProcessEnv,
  config: Config,
  switchedOff: ReadonlySet<string>
): readonly Check[] => {
  if (!manifest)
    return [
      fail(
        name,
        "nothing is built",
        name === "project"
          ? 'Read its hooks, then run "hooktape trust": that builds them.'
          : `Run "${command}".`
      )
    ]
  const checks: Check[] = []
  const bundles = [manifest.default, ...Object.values(manifest.events)]
  const isWhole = bundles.every((bundle) => isThere(join(manifest.dir, bundle)))
  if (manifest.failed && manifest.failed.length > 0) {
    const [first = ""] = manifest.failed
    const before = isWhole
      ? "The build before is in use."
      : "The build before is gone: until then only guards run."
    checks.push(
      fail(
        name,
        `the hooks do not build: ${printable(oneLine(first))}`,
        `Correct it, then run "${command}". ${before}`
      )
    )
  } else if (!existsSync(manifest.dir)) {
    checks.push(fail(name, `the build at ${manifest.dir} is gone`, `Run "${command}".`))
  } else if (!isWhole) {
    checks.push(fail(name, `bundles of the build at ${manifest.dir} are gone or empty`, `Run "${command}".`))
  } else if (!existsSync(manifest.cli)) {
    checks.push(
      fail(
        name,
        `${manifest.cli} is gone: hooks that change cannot be built`,
        `Install hooktape again. ${runInstall()}`
      )
    )
  } else if (staleness(manifest) === "stale") {
    checks.push(
      warn(
        name,
        "older than its hooks; the next hook call builds first",
        `Run "${command}" to have that done.`
      )
    )
  } else {
    const hasNone = manifest.contents?.length === 0
    const events = count(Object.keys(manifest.events).length, "event")
    checks.push(ok(name, hasNone ? "none yet; the build is fresh" : `fresh, for ${events}`))
  }
  const shipped = shippedNow(manifest.shipped ?? {}, config)
  const isOn = (hook: string): boolean => shipped[hook] === true && !switchedOff.has(hook)
  const wanted = Object.keys(shipped).filter(isOn)
  const on = wanted.filter((hook) => neededVariable(hook, env) === undefined)
  const waiting = wanted.flatMap((hook) => {
    const variable = neededVariable(hook, env)
    return variable === undefined ? [] : [`${hook} (${variable} is not true here)`]
  })
  const off = Object.keys(shipped).filter((hook) => !isOn(hook))
  if (wanted.length + off.length > 0) {
    const idle = [...off, ...waiting]
    const rest = idle.length === 0 ? "" : `; off: ${idle.join(", ")}`
    checks.push(ok(shippedHooks, `on: ${on.length === 0 ? "none" : on.join(", ")}${rest}`))
  }
  if (manifest.withheld.length > 0) {
    const files = manifest.withheld.map(withheldText).join(", ")
    const remedy = remediesFor(manifest.withheld).join(" ")
    checks.push(warn("trust", `left out: ${printable(files)}`, remedy))
  }
  const { held = [] } = manifest
  if (held.length > 0) {
    const files = held.map(withheldText).join(", ")
    const said = `the last version in force runs on: ${printable(files)}`
    checks.push(warn("trust", said, remediesFor(held).join(" ")))
  }
  return checks
}

export const checkBuilds = (
  state: string,
  project: string,
  userFolder: string,
  env: NodeJS.ProcessEnv = process.env
): readonly Check[] => {
  const config = Either.getOrElse(readConfig(join(userFolder, "config.json")), (): Config => ({}))
  const off = switchedOff(state, project)
  const user = checkBuild(
    "build",
    readManifest(userManifest(state)),
    "hooktape build --user",
    env,
    config,
    off
  )
  if (!existsSync(folderOf(project))) return user
  const own = checkBuild(
    "project",
    readManifest(projectManifest(state, project)),
    "hooktape build",
    env,
    config,
    off
  )
  // What comes along is told once, of the build that serves this project.
  const isTold = own.some(({ name }) => name === shippedHooks)
  return [...user.filter(({ name }) => !isTold || name !== shippedHooks), ...own]
}
