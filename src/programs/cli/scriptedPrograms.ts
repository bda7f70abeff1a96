/** Programs that answer from a fixture, in place of those of the machine: for hooks in any language, since they are found as programs are. */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { Script } from "../../hooks/scripted.ts"
import { quoted } from "../../state/shellWord.ts"

/** By command line, its words joined by spaces, as scripted services have it; one that ends in ` *` stands for all that begin so. */
export type ScriptedRun = NonNullable<Script["run"]>

const isCode = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255)
/** A shell has no text with a NUL in it. */
const isText = (value: unknown): boolean =>
  value === undefined || (typeof value === "string" && !value.includes("\0"))

const isAnswer = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false
  const { exitCode, stderr, stdout, ...more } = value as Record<string, unknown>
  return isCode(exitCode) && isText(stdout) && isText(stderr) && Object.keys(more).length === 0
}

/** A name that is looked for: a path finds its program without us. */
const isLine = (line: string): boolean => /^[\w+][\w.+-]*( |$)/.test(line)

/** Why nothing can answer so; undefined where it can. */
export const runProblem = (run: unknown): string | undefined => {
  if (run === undefined) return undefined
  const isRun =
    typeof run === "object" &&
    run !== null &&
    Object.entries(run).every(([line, answer]) => isLine(line) && isAnswer(answer))
  if (!isRun)
    return 'its "run" is not {"program with arguments": {"exitCode"?: 0, "stdout"?: "…", "stderr"?: "…"}, …}'
  return process.platform === "win32" ? 'its "run" needs a POSIX shell' : undefined
}

const isPattern = (line: string): boolean => line.endsWith(" *")

/** What is not in the script is no answer of the machine's either: it would be another one elsewhere. */
const textOf = (program: string, run: ScriptedRun): string => {
  const cases = Object.entries(run)
    .filter(([line]) => line.split(" ", 1)[0] === program)
    // What is said of one line goes before what is said of all that begin so.
    .sort(([a], [b]) => Number(isPattern(a)) - Number(isPattern(b)))
    .map(([line, { exitCode = 0, stderr = "", stdout = "" }]) => {
      const said = `printf %s ${quoted(stdout)}; printf %s ${quoted(stderr)} >&2; exit ${exitCode ?? 0}`
      const pattern = isPattern(line) ? `${quoted(line.slice(0, -1))}*` : quoted(line)
      return `${pattern}) ${said} ;;\n`
    })
  return `#!/bin/sh
line=${program}
[ $# -eq 0 ] || line="${program} $*"
case $line in
${cases.join("")}esac
echo "the fixture does not say what this answers: $line" >&2
exit 127
`
}

/** Whether a program that is written there can be started: on some mounts none can, and the machine's own would answer instead. */
export const canStartIn = (folder: string): boolean => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const probe = join(folder, "hooktape-probe")
  writeFileSync(probe, "#!/bin/sh\nexit 0\n", { mode: 0o700 })
  return spawnSync(probe, { stdio: "ignore", timeout: 10_000, windowsHide: true }).status === 0
}

/** Writes them into a folder; returns the `PATH` by which they are found first. */
export const scriptedPath = (folder: string, run: ScriptedRun, path: string | undefined): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const programs = new Set(Object.keys(run).map((line) => line.split(" ", 1)[0] ?? ""))
  for (const program of programs) writeFileSync(join(folder, program), textOf(program, run), { mode: 0o700 })
  return [folder, ...(path === undefined ? [] : [path])].join(delimiter)
}
