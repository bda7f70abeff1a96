/** Formats a file that the agent has edited, with what its language or its project is formatted with. */
import { lstatSync, realpathSync, statSync } from "node:fs"
import { relative, resolve, sep } from "node:path"
import { diagnostic, type Intent, modelContext, userHint } from "../../events/intents.ts"
import { defineHook } from "../hooks/defineHook.ts"
import type { Services } from "../hooks/Services.ts"
import { editionOf, findTool, isCommitted } from "./format/findTool.ts"
import { type Commands, configured, filled, usual } from "./format/formatters.ts"

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

const stampOf = (file: string): string => {
  const { mtimeMs, size } = statSync(file)
  return `${mtimeMs} ${size}`
}

/** What to run where, or why nothing. */
type Found = { readonly commands: Commands; readonly cwd: string } | { readonly skipped: string }

const commandsFor = async (
  services: Services,
  wanted: {
    readonly language: string
    readonly file: string
    readonly project: string
    readonly trusting: boolean
  }
): Promise<Found | undefined> => {
  const { file, language, project, trusting } = wanted
  const formatter = Object.hasOwn(usual, language) ? usual[language] : undefined
  if (formatter === undefined) return undefined
  if (typeof formatter === "string") {
    const tool = await findTool(services, file, project)
    if (tool === undefined)
      return { skipped: `the project formats ${language} with neither prettier nor biome` }
    if (!trusting && (await isCommitted(services, tool)))
      return { skipped: `${tool.name} is committed to the repository; "projectTools": true lets it run` }
    return { commands: [tool.command], cwd: tool.folder }
  }
  if (language !== "rust") return { commands: formatter, cwd: project }
  const edition = await editionOf(services, file, project)
  return {
    commands: edition === undefined ? formatter : [["rustfmt", "--edition", edition, "{file}"]],
    cwd: project
  }
}

const lastWords = (text: string): string => text.trim().split("\n").slice(-3).join(" ").slice(0, 300)

export const formatOnEdit = defineHook({
  name: "format-on-edit",
  on: "file.edited",
  priority: 100,
  deadline: "30 seconds",
  settings: { commands: {}, timeout: longestMs, projectTools: false, tell: true },
  run: async ({
    change,
    cwd,
    language,
    path,
    project: root,
    services,
    settings
  }): Promise<Intent | undefined> => {
    if (change === "delete") return undefined
    const own = configured(settings, language)
    if (own === false || (own === undefined && !Object.hasOwn(usual, language))) return undefined
    const { call, run } = services
    const named = resolve(cwd, path)
    const inside = await call("inside", { file: named, project: root }, () => insideOf(named, root))
    if (inside === null) return diagnostic("debug", `${path} is no file of this project: not formatted`)
    const { file, project } = inside
    const trusting = settings["projectTools"] === true
    const found: Found | undefined =
      own === undefined
        ? await commandsFor(services, { language, file, project, trusting })
        : { commands: own, cwd: project }
    if (found === undefined) return undefined
    if ("skipped" in found) return diagnostic("debug", `${path} is not formatted: ${found.skipped}`)
    const timeout = typeof settings["timeout"] === "number" ? settings["timeout"] : longestMs
    const stamp = () => stampOf(file)
    const before = await call("stamp", { file, when: "before" }, stamp)
    for (const words of found.commands) {
      const { args, command } = filled(words, file)
      const { exitCode, failure, stderr, stdout } = await run(command, args, {
        cwd: found.cwd,
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
