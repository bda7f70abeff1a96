/** Which commands format a file of which language. Their places are argument lists: no shell ever sees a path. */
import type { JsonObject } from "../../../events/intents.ts"

/** `{file}` stands for the file. */
export type Commands = readonly (readonly [string, ...string[]])[]

const javascript = "the project's prettier or biome"

/** What formats a language unless the settings say otherwise; texts where it has to be looked for. */
export const usual: Readonly<Record<string, Commands | typeof javascript>> = {
  python: [
    ["ruff", "check", "--fix", "--exit-zero", "--quiet", "--no-cache", "{file}"],
    ["ruff", "format", "--quiet", "--no-cache", "{file}"]
  ],
  go: [["gofmt", "-w", "{file}"]],
  rust: [["rustfmt", "{file}"]],
  javascript,
  typescript: javascript
}

const isCommand = (value: unknown): value is readonly [string, ...string[]] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((word) => typeof word === "string") &&
  value[0] !== ""

/** What the settings have for a language: commands, `false` for none, undefined where they say nothing. */
export const configured = (settings: JsonObject, language: string): Commands | false | undefined => {
  const { commands } = settings
  if (typeof commands !== "object" || commands === null || !Object.hasOwn(commands, language))
    return undefined
  const wanted = (commands as JsonObject)[language]
  if (wanted === false || wanted === null) return false
  if (Array.isArray(wanted) && wanted.length > 0 && wanted.every(isCommand)) return wanted as Commands
  throw new Error(
    `settings.commands.${language} is no list of commands, such as [["black", "--quiet", "{file}"]]`
  )
}

export const filled = ([command, ...args]: readonly [string, ...string[]], file: string) => ({
  command,
  args: args.map((word) => word.replaceAll("{file}", file))
})

export interface Tool {
  readonly name: "biome" | "prettier"
  /** The folder whose tool it is, and in which it is run. */
  readonly folder: string
  readonly command: readonly [string, ...string[]]
}

const biomeFiles = ["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"]
const prettierFile = /^(\.prettierrc(\.\w+)?|prettier\.config\.[cm]?[jt]s)$/

/** Whether a folder's files say that the project formats with a tool: to have it installed is not enough. */
export const chosenBy = (
  names: readonly string[],
  manifest: string | undefined
): { readonly biome: boolean; readonly prettier: boolean } => {
  let declared: { readonly [key: string]: unknown } = {}
  try {
    declared = JSON.parse(manifest ?? "{}") ?? {}
  } catch {
    // A package.json that is being edited says nothing.
  }
  const packages = Object.keys({
    ...(declared["dependencies"] as object | undefined),
    ...(declared["devDependencies"] as object | undefined)
  })
  return {
    biome: names.some((name) => biomeFiles.includes(name)) || packages.includes("@biomejs/biome"),
    prettier:
      names.some((name) => prettierFile.test(name)) ||
      declared["prettier"] !== undefined ||
      packages.includes("prettier")
  }
}

export const toolCommand = (name: Tool["name"], folder: string): Tool["command"] => {
  const program = `${folder}/node_modules/.bin/${name}`
  return name === "biome"
    ? [program, "format", "--write", "--no-errors-on-unmatched", "{file}"]
    : [program, "--write", "--ignore-unknown", "--log-level", "warn", "{file}"]
}

/** rustfmt takes a file for one of 2015 unless it is told. */
export const editionIn = (manifest: string): string | undefined =>
  /^\s*edition\s*=\s*["'](\d{4})["']/m.exec(manifest)?.[1]
