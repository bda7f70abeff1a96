/** The package as a tarball that holds its dependencies: `npm install` of it asks no registry. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"

const root = join(import.meta.dirname, "..", "..")

/** Its cache is not a test's to fill. */
const npm = (cwd: string, ...args: readonly string[]): void => {
  execFileSync("npm", [...args, "--silent"], { cwd, env: { ...process.env, HOME: homedir() } })
}

const pack = (folder: string, into: string): string => {
  mkdirSync(into, { recursive: true })
  npm(folder, "pack", "--ignore-scripts", "--pack-destination", into)
  const [tarball = ""] = readdirSync(into).filter((name) => name.endsWith(".tgz"))
  return join(into, tarball)
}

const changeJson = (file: string, change: (json: Record<string, unknown>) => void): void => {
  const json = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
  change(json)
  writeFileSync(file, JSON.stringify(json, null, 2))
}

/** Packs what was built, within a folder; returns the tarball. */
export const selfContainedPackage = (folder: string): string => {
  execFileSync("tar", ["-xzf", pack(root, join(folder, "packed")), "-C", folder])
  const within = join(folder, "package")
  const bundled = ["esbuild", `@esbuild/${process.platform}-${process.arch}`]
  for (const name of bundled) {
    const to = join(within, "node_modules", name)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, "node_modules", name), to, { recursive: true })
  }
  // It would ask for those of all other platforms.
  changeJson(join(within, "node_modules", "esbuild", "package.json"), (json) => {
    delete json["optionalDependencies"]
  })
  changeJson(join(within, "package.json"), (json) => {
    const here = readFileSync(join(within, "node_modules", "esbuild", "package.json"), "utf8")
    const { version } = JSON.parse(here) as { readonly version: string }
    json["dependencies"] = Object.fromEntries(bundled.map((name) => [name, version]))
    json["bundleDependencies"] = bundled
    delete json["scripts"]
    delete json["devDependencies"]
  })
  return pack(within, join(folder, "whole"))
}
