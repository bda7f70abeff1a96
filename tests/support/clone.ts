/** A repository as somebody else made it, and a clone of it, with whatever its user installs there afterwards. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export interface Clone {
  readonly root: string
  readonly project: string
  /** Written by every program that must not run. */
  readonly canary: string
  readonly hasRun: () => boolean
  readonly git: (...args: readonly string[]) => string
  readonly remove: () => void
}

/** Paths to texts; a text that begins with `#!` can be executed, one that begins with `-> ` is a link. */
export type Tree = Readonly<Record<string, string>>

export const plant = (folder: string, tree: Tree): void => {
  for (const [path, text] of Object.entries(tree)) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), place)
    else writeFileSync(place, text)
    if (text.startsWith("#!")) chmodSync(place, 0o755)
  }
}

const asked = (folder: string, args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
    env: { PATH: process.env["PATH"] }
  })

/** `$canary` in a text stands for the file that tells. */
export const makeClone = (committed: Tree, installed: Tree = {}): Clone => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "clone-")))
  const origin = join(root, "origin")
  const project = join(root, "project")
  const canary = join(root, "ran")
  const filled = (tree: Tree): Tree =>
    Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, text.replaceAll("$canary", canary)]))
  mkdirSync(origin)
  plant(origin, filled(committed))
  asked(origin, ["init", "-q"])
  asked(origin, ["add", "-Af", "."])
  asked(origin, ["commit", "-q", "-m", "all of it"])
  asked(root, ["clone", "-q", origin, project])
  plant(project, filled(installed))
  return {
    root,
    project,
    canary,
    hasRun: () => existsSync(canary),
    git: (...args) => asked(project, args),
    remove: () => rmSync(root, { recursive: true, force: true })
  }
}

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url))

/** A real prettier, of the second major version, as a package manager lays it down. */
export const installPrettier = (folder: string, links = true): void => {
  cpSync(join(modules, "prettier"), join(folder, "prettier"), { recursive: true })
  if (!links) return
  mkdirSync(join(folder, ".bin"), { recursive: true })
  symlinkSync("../prettier/bin-prettier.js", join(folder, ".bin", "prettier"))
}

/** A real biome, linked to where this package has it. */
export const installBiome = (folder: string): void => {
  mkdirSync(join(folder, ".bin"), { recursive: true })
  mkdirSync(join(folder, "@biomejs"), { recursive: true })
  symlinkSync(join(modules, "@biomejs", "biome"), join(folder, "@biomejs", "biome"))
  symlinkSync("../@biomejs/biome/bin/biome", join(folder, ".bin", "biome"))
}
