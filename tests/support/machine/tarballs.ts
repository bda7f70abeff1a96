/** The packages of a release as a registry would have them, made of what was built here. */
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, renameSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..", "..", "..")
const platform = `${process.platform}-${process.arch}`

const pack = (folder: string, to: string, name: string): string => {
  const said = execFileSync(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", to, folder],
    {
      cwd: to,
      encoding: "utf8"
    }
  )
  const file = join(to, `${name}.tgz`)
  renameSync(join(to, said.trim().split("\n").at(-1) ?? ""), file)
  return file
}

export const makeTarballs = async () => {
  const to = mkdtempSync(join(homedir(), "tarballs-"))
  const modules = join(root, "node_modules")
  const own = join(to, "own")
  execFileSync(process.execPath, [join(root, ".ci", "platform-package.mjs"), own])
  /** With what is native for this machine in it. */
  const packed = pack(root, to, "packed")
  const staging = join(to, "staging")
  mkdirSync(staging)
  execFileSync("tar", ["-xzf", packed, "-C", staging])
  const main = join(staging, "package")
  const { prepare } = await import(pathToFileURL(join(root, ".ci", "publish.mjs")).href)
  prepare(main, [own], {})
  return {
    packed,
    /** As it is published: what is native comes with a package of its own. */
    published: pack(main, to, "published"),
    native: pack(own, to, "native"),
    /** What it depends on. */
    needed: [
      pack(join(modules, "esbuild"), to, "esbuild"),
      pack(join(modules, "@esbuild", platform), to, "esbuild-native")
    ]
  }
}

export type Tarballs = Awaited<ReturnType<typeof makeTarballs>>
