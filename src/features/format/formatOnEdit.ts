/** Formats a file that the agent has edited, with what its language or its project is formatted with. */
import { lstatSync, realpathSync, statSync } from "node:fs"
import { relative, resolve, sep } from "node:path"
import { diagnostic, type Intent, modelContext, userHint } from "../../../events/intents.ts"
import { defineHook } from "../../hooks/defineHook.ts"
import type { Services } from "../../hooks/Services.ts"
import { placeOf } from "../../runtime/services/place.ts"
import { isInForce, readTrust } from "../../trust/store.ts"
import { allowed, type Consents } from "./allowed.ts"
import { editionOf, findTool } from "./findTool.ts"
import { type Commands, configured, filled, type Tool, usual } from "./formatters.ts"
import { refusal } from "./refusal.ts"
import { outside } from "./repositoryCode.ts"

const longestMs = 30_000

/** The real path of a plain file in the project; null for anything else. A link may lead anywhere. */
const insideOf = (
  file: string,
  project: string
): { readonly file: string; readonly project: string } | null => {
  try {
    const real = { file: realpathSync(file), project: realpathSync(project) }
    const inside = real.file.startsWith(real.project + sep) && lstatSync(real.file).isFile()
    return inside ? real : null
  } catch {
    return null
  }
}

/** Where nothing is kept nobody can have said yes. */
const isConsented = (services: Services, digest: string): boolean => {
  try {
    return isInForce(readTrust(placeOf(services).state), digest)
  } catch {
    return false
  }
}

const stampOf = (file: string): string => {
  const { mtimeMs, size } = statSync(file)
  return `${mtimeMs} ${size}`
}

/** What to run where, or why nothing. */
type Found =
  | { readonly commands: Commands; readonly cwd: string; readonly tool?: Tool["name"] }
  | { readonly skipped: string }

const commandsFor = async (
  services: Services,
  language: string,
  file: string,
  project: string
): Promise<Found | undefined> => {
  const formatter = Object.hasOwn(usual, language) ? usual[language] : undefined
  if (formatter === undefined) return undefined
  if (typeof formatter === "string") {
    const tool = await findTool(services, file, project)
    if (tool === undefined)
      return { skipped: `the project formats ${language} with neither prettier nor biome` }
    return { commands: [tool.command], cwd: tool.folder, tool: tool.name }
  }
  // They find their settings by the file's place; from the project a version manager would run what the project names.
  if (language !== "rust") return { commands: formatter, cwd: outside }
  const edition = await editionOf(services, file, project)
  return {
    commands: edition === undefined ? formatter : [["rustfmt", "--edition", edition, "{file}"]],
    cwd: outside
  }
}

const missing = { exitCode: null, failure: "missing", stderr: "", stdout: "" } as const

const lastWords = (text: string): string => text.trim().split("\n").slice(-3).join(" ").slice(0, 300)

export const formatOnEdit = defineHook({
  name: "format-on-edit",
  on: "file.edited",
  priority: 100,
  deadline: "30 seconds",
  needsDirectory: true,
  settings: { commands: {}, timeout: longestMs, projectTools: false, tell: true },
  run: async ({
    change,
    cwd,
    language,
    path,
    project: root,
    services,
    session,
    settings
  }): Promise<Intent | readonly Intent[] | undefined> => {
    if (change === "delete") return undefined
    const own = configured(settings, language)
    if (own === false || (own === undefined && !Object.hasOwn(usual, language))) return undefined
    const { call, run } = services
    const named = resolve(cwd, path)
    const inside = await call("inside", { file: named, project: root }, () => insideOf(named, root))
    if (inside === null) return diagnostic("debug", `${path} is no file of this project: not formatted`)
    const { file, project } = inside
    // Only the user's own configuration can say so: a project's is for the project's own hooks.
    const consents: Consents = {
      all: () => settings["projectTools"] === true,
      content: (digest) => isConsented(services, digest)
    }
    const found: Found | undefined =
      own === undefined
        ? await commandsFor(services, language, file, project)
        : { commands: own, cwd: project }
    if (found === undefined) return undefined
    if ("skipped" in found) return diagnostic("debug", `${path} is not formatted: ${found.skipped}`)
    const timeout = typeof settings["timeout"] === "number" ? settings["timeout"] : longestMs
    const stamp = () => stampOf(file)
    const before = await call("stamp", { file, when: "before" }, stamp)
    for (const words of found.commands) {
      const { args, command } = filled(words, file)
      const { cwd: place, tool } = found
      const asked = { command, args, cwd: place, file, project, ...(tool === undefined ? {} : { tool }) }
      const answer = await call("may run", asked, async () => ({ ...(await allowed(asked, consents)) }))
      if ("refused" in answer) return refusal({ ...answer, command, path, session, services })
      const { exitCode, failure, stderr, stdout } =
        "missing" in answer
          ? missing
          : await run(answer.program, args, {
              cwd: answer.cwd,
              environment: { outside: project },
              timeout,
              maxOutput: 16_384
            })
      if (failure === "missing")
        return diagnostic("debug", `${path} is not formatted: there is no ${command}`)
      if (exitCode !== 0) {
        const said = lastWords(stderr) || lastWords(stdout)
        const how =
          failure === "timed-out"
            ? `was not done within ${Math.round(timeout)} ms`
            : `ended with ${failure ?? exitCode}`
        throw new Error(
          `${command} ${how}, ${relative(project, file)} may not be formatted${said === "" ? "" : `: ${said}`}`
        )
      }
    }
    const after = await call("stamp", { file, when: "after" }, stamp)
    if (after === before || settings["tell"] === false) return undefined
    return modelContext(
      `${relative(project, file)} was formatted after your edit: read it again before you change it.`
    )
  },
  onError: (error) => userHint(`format-on-edit: ${error.message}`)
})
