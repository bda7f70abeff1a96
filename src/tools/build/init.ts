/** `hooktape init`: makes what is missing, brings our types up to date, touches nothing else. */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { realPath } from "../../runtime/builds/discover.ts"
import { configJsonSchema } from "../../state/configShape.ts"
import { writeWhole } from "../../state/files.ts"
import { fileInTheWay, leadsOut } from "../../state/leadsOut.ts"
import { messageOf } from "../../state/messageOf.ts"
import { readRegular } from "../../state/readRegular.ts"
import { BuildError } from "./BuildError.ts"
import { type Core, findCore } from "./core.ts"
import { scaffold } from "./scaffold.ts"

export interface InitOptions {
  readonly project: string
  readonly core?: Core
}

export interface InitResult {
  readonly project: string
  readonly files: readonly { readonly file: string; readonly done: "made" | "updated" | "kept" }[]
}

const textOf = (file: string): string | undefined => {
  try {
    return readRegular(file).toString("utf8")
  } catch {
    return undefined
  }
}

const failure = (file: string, reason: string): BuildError =>
  new BuildError({ op: "write", problems: [{ file, reason }] })

export const initProject = Effect.fn("init")(function* (options: InitOptions) {
  const core = options.core ?? findCore()
  const project = realPath(options.project)
  if (project === undefined) return yield* failure(options.project, "there is no such directory")
  const declarations = join(core.root, "dist")
  const planned = yield* Effect.try({
    try: () => scaffold({ declarations, version: core.version }, configJsonSchema(), project),
    catch: (cause) => failure(declarations, `the types cannot be read: ${messageOf(cause)}`)
  })
  for (const { file } of planned) {
    const inTheWay = fileInTheWay(join(project, file), project)
    if (inTheWay !== undefined)
      return yield* failure(inTheWay, "is a file, and the project's hooks need a folder of that name")
    if (leadsOut(dirname(join(project, file)), project))
      return yield* failure(join(project, file), "leads out of the project through a symbolic link")
  }
  const files = yield* Effect.forEach(planned, ({ file, keeper, text }) => {
    const path = join(project, file)
    return Effect.try({
      try: (): InitResult["files"][number] => {
        const there = existsSync(path)
        if (there && (keeper === "own" || textOf(path) === text)) return { file, done: "kept" }
        // Part of the project, to be read and committed by everyone who works on it.
        writeWhole(path, text, 0o644, 0o755)
        return { file, done: there ? "updated" : "made" }
      },
      catch: (cause) => failure(path, `cannot be written: ${messageOf(cause)}`)
    })
  })
  const result: InitResult = { project, files }
  return result
})
