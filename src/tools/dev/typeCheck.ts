/** The project's own TypeScript over its hooks, where there is one. It runs beside: what is wrong is told, and stops nothing. */
import { spawn } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { mayRun } from "../../trust/mayRun.ts"

export type TypeCheck =
  | { readonly kind: "none"; readonly say: string }
  | { readonly kind: "done"; readonly errors: readonly string[] }

const compilerOf = (project: string): string | undefined => {
  try {
    const at = createRequire(join(project, "x.js")).resolve("typescript/package.json")
    return realpathSync(join(dirname(at), "bin", "tsc"))
  } catch {
    return undefined
  }
}

/** Whatever the project's settings say: what they name for what was built last could be any file. */
const writesNothing = ["--noEmit", "--incremental", "false", "--composite", "false"]

/** A check that hangs ends itself. */
const longestMs = 120_000

export const typeCheck = async (project: string, signal: AbortSignal): Promise<TypeCheck> => {
  const config = join(project, ".hooktape", "tsconfig.json")
  if (!existsSync(config))
    return { kind: "none", say: 'hooks are not type-checked: "hooktape init" writes what that needs' }
  const tsc = compilerOf(project)
  if (tsc === undefined)
    return {
      kind: "none",
      say: "hooks are not type-checked: npm install --save-dev typescript, and they are"
    }
  // A compiler that the repository brought itself is nobody's choice.
  const may = await mayRun({ code: [tsc], project }, () => false)
  if (!may.may) return { kind: "none", say: `hooks are not type-checked: ${may.reason}` }
  return new Promise((done) => {
    const child = spawn(process.execPath, [tsc, "-p", config, ...writesNothing, "--pretty", "false"], {
      cwd: project,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: longestMs,
      windowsHide: true,
      signal
    })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8")
    })
    child.once("error", () => done({ kind: "done", errors: [] }))
    child.once("close", () =>
      done({ kind: "done", errors: text.split("\n").filter((line) => /: error TS\d+: /.test(line)) })
    )
  })
}
