/** The command line of an external hook, such that no other content runs than was consented to. */
import { dirname, isAbsolute, join, relative } from "node:path"
import type { Part } from "../hooks/external.ts"
import { shellWord } from "../state/shellWord.ts"

export interface ConsentedFile {
  /** As seen from `base`, with forward slashes. */
  readonly file: string
  readonly sha256: string
  /** Its bytes, base64. */
  readonly content: string
}

export interface Consented {
  /** The folder whose hook it is. */
  readonly base: string
  readonly parts: readonly Part[]
  /** What the command names and what lies beside it. */
  readonly files: readonly ConsentedFile[]
  /** The user's own: nobody else's consent is asked for. */
  readonly owned: boolean
}

/** Loaded where they are needed: a build reads this module to learn the hook's name, and most calls run another hook. */
const fs = () => process.getBuiltinModule("node:fs")

const isSame = (base: string, { file, sha256 }: ConsentedFile): boolean => {
  try {
    const content = fs().readFileSync(join(base, file))
    return (
      process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex") === sha256
    )
  } catch {
    return false
  }
}

const isSafe = (path: string): boolean => /^[\w./@%+,:-]+$/.test(path)

const lineOf = (parts: readonly Part[], base: string): string =>
  parts
    .map((part) => {
      if (typeof part === "string") return part
      const path = join(base, part.file)
      // Within quotes of the command's own no others can stand.
      return part.bare && isSafe(path) ? path : shellWord(path)
    })
    .join("")

const placeOfItsOwn = (): string =>
  fs().mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "hooktape-"))

/** The files as they were consented to, in a folder of nobody else's. */
const layOut = (files: readonly ConsentedFile[]): string => {
  const { mkdirSync, writeFileSync } = fs()
  const folder = placeOfItsOwn()
  for (const { content, file } of files) {
    const to = join(folder, file)
    if (isAbsolute(relative(folder, to)) || relative(folder, to).startsWith("..")) continue
    mkdirSync(join(to, ".."), { recursive: true, mode: 0o700 })
    writeFileSync(to, Buffer.from(content, "base64"), { mode: 0o700 })
  }
  return folder
}

/** Where Python would look for what it compiled of these files. */
const holdsCompiled = (base: string, files: readonly ConsentedFile[]): boolean =>
  [...new Set(files.map(({ file }) => dirname(join(base, file))))].some((folder) =>
    fs().existsSync(join(folder, "__pycache__"))
  )

const remove = (folder: string): void => fs().rmSync(folder, { recursive: true, force: true })

export interface Line {
  readonly command: string
  /** Over the environment that the agent gives. */
  readonly env: Readonly<Record<string, string>>
  /** To be called when the command is over. */
  readonly end: () => void
}

/** Of the environment only this is not as the agent has it: Python leaves nothing compiled, and takes it from no place that it is told. */
const python = { PYTHONDONTWRITEBYTECODE: "1", PYTHONPYCACHEPREFIX: "" }

/**
 * Where the files are as they were, they run where they lie; else what was consented to runs from a copy. Python runs what it once
 * compiled of a file instead of the file, and nobody looked at that: where such lies, it looks for it in an empty folder. Only there,
 * since it compiles its whole library as well then, which takes longer than most hooks.
 */
export const consentedCommand = ({ base, files, owned, parts }: Consented): Line => {
  if (owned) return { command: lineOf(parts, base), env: {}, end: () => undefined }
  if (!files.every((file) => isSame(base, file))) {
    const folder = layOut(files)
    return { command: lineOf(parts, folder), env: python, end: () => remove(folder) }
  }
  const command = lineOf(parts, base)
  if (!holdsCompiled(base, files)) return { command, env: python, end: () => undefined }
  const empty = placeOfItsOwn()
  return { command, env: { ...python, PYTHONPYCACHEPREFIX: empty }, end: () => remove(empty) }
}
