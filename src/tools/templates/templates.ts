/** Hooks to begin with: the examples of the package, each with a call to try it on. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { realPath } from "../../runtime/builds/discover.ts"
import { writeWhole } from "../../state/files.ts"
import { fileInTheWay, leadsOut } from "../../state/leadsOut.ts"
import { messageOf } from "../../state/messageOf.ts"
import { BuildError } from "../build/BuildError.ts"
import { findCore } from "../build/core.ts"

export interface Template {
  readonly name: string
  /** What it does, in the words of the file's own head. */
  readonly about: string
  /** The hook's source. */
  readonly hook: string
  /** A call as `hooktape test` reads it. */
  readonly call: string
}

/** By name. */
export const templates = (root: string = findCore().root): readonly Template[] => {
  const folder = join(root, "examples")
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => {
      const name = basename(file, ".ts")
      const hook = readFileSync(join(folder, file), "utf8")
      const about = /^\/\*\* (.*) \*\/$/m.exec(hook)?.[1] ?? ""
      return { name, about, hook, call: readFileSync(join(folder, "calls", `${name}.json`), "utf8") }
    })
}

const failure = (file: string, reason: string): BuildError =>
  new BuildError({ op: "write", problems: [{ file, reason }] })

/** What a template becomes under a name of the project's: the same everywhere it names itself. */
const renamed = (text: string, { name }: Template, as: string): string =>
  text.replaceAll(`name: "${name}"`, `name: "${as}"`)

/** Writes both files, or none: what is there already is somebody's work. Answers with their paths within the project. */
export const writeTemplate = Effect.fn("templates.write")(function* (
  template: Template,
  options: { readonly project: string; readonly as: string }
) {
  const project = realPath(options.project)
  if (project === undefined) return yield* failure(options.project, "there is no such directory")
  const files = [
    [`.hooktape/hooks/${options.as}.ts`, renamed(template.hook, template, options.as)],
    [`.hooktape/fixtures/${options.as}.json`, template.call]
  ] as const
  for (const [file] of files) {
    const inTheWay = fileInTheWay(join(project, file), project)
    if (inTheWay !== undefined)
      return yield* failure(inTheWay, "is a file, and the project's hooks need a folder of that name")
    if (leadsOut(join(project, file), project))
      return yield* failure(join(project, file), "leads out of the project through a symbolic link")
  }
  for (const [file] of files)
    if (existsSync(join(project, file)))
      return yield* failure(
        join(project, file),
        "is there already, and stays as it is: name the new one with --name"
      )
  for (const [file, text] of files)
    yield* Effect.try({
      try: () => writeWhole(join(project, file), text, 0o644, 0o755),
      catch: (cause) => failure(join(project, file), `cannot be written: ${messageOf(cause)}`)
    })
  return files.map(([file]) => file)
})
