/** What a session is told where HOOKTAPE=0 is set, by the launcher on Windows: as `off` in src/tools/install/launcher.ts. */
import { readFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { userHome } from "../../state/state.ts"

type Environment = Readonly<Record<string, string | undefined>>

/** By agent, the settings that may set it, the nearest first; those of a repository are relative to it. */
const filesOf: Readonly<Record<string, (env: Environment) => readonly string[]>> = {
  "claude-code": (env) => {
    const own = env["CLAUDE_CONFIG_DIR"] ?? join(userHome(env), ".claude")
    const names = ["settings.local.json", "settings.json"]
    return [".claude", own].flatMap((folder) => names.map((name) => join(folder, name)))
  },
  codex: (env) => [
    join(".codex", "config.toml"),
    join(env["CODEX_HOME"] ?? join(userHome(env), ".codex"), "config.toml")
  ],
  "gemini-cli": (env) => {
    const own = join(userHome(env), ".gemini")
    return [
      join(".gemini", ".env"),
      ".env",
      join(".gemini", "settings.json"),
      join(own, ".env"),
      join(own, "settings.json")
    ]
  }
}

/** In a file of variables, in JSON and in TOML, where no comment is. */
const shapes = [
  /^HOOKTAPE\s*=["'\s]*0["'\s]*$/,
  /^[^#]*["'\s{,]HOOKTAPE["'\s]*[:=]["'\s]*0[^0-9.]/,
  /^[^#]*["'\s{,]HOOKTAPE["'\s]*[:=]["'\s]*0$/
]

const setsIt = (file: string): boolean => {
  try {
    const lines = readFileSync(file, "utf8").split("\n")
    return lines.some((line) => shapes.some((shape) => shape.test(line)))
  } catch {
    return false
  }
}

/** Undefined where it is gone. */
const folder = (cwd: () => string): string | undefined => {
  try {
    return cwd()
  } catch {
    return undefined
  }
}

/** Empty at every event but a session's start, and to an agent that has no field for it. */
export const offMessage = (agent: string, event: string, env: Environment, cwd: () => string): string => {
  if (event !== "SessionStart" || !Object.hasOwn(filesOf, agent)) return ""
  const here = folder(cwd)
  const files = (filesOf[agent]?.(env) ?? []).flatMap((file) => {
    if (isAbsolute(file)) return file
    return here === undefined ? [] : join(here, file)
  })
  const found = files.find(setsIt) ?? "the environment"
  const where = /\p{Cc}/u.test(found) ? "a settings file" : found
  const systemMessage = `hooktape is off: HOOKTAPE=0 is set in ${where}. No hook guards this session.`
  return `${JSON.stringify({ systemMessage })}\n`
}
