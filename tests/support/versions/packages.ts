/** Versions of the package as users install them: each in a folder of its own, with what npm makes of its tarball. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"

export interface Package {
  /** Its command. */
  readonly command: string
  /** Its native client for this machine. */
  readonly client: string
  /** What its host says that it is. */
  readonly build: string
}

const run = (program: string, args: readonly string[], options: SpawnSyncOptions): string => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: "utf8" })
  if (status === 0) return stdout.toString()
  throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? `${stdout}${stderr}`.slice(-2000)}`)
}

/** What was installed in a folder. */
export const packageIn = (folder: string): Package => {
  const there = join(folder, "node_modules", "hooktape")
  const client = join(there, "dist", "client", `${process.platform}-${process.arch}`, "hook")
  const build = readFileSync(join(there, "dist", "build-id"), "utf8").trim()
  return { command: join(folder, "node_modules", ".bin", "hooktape"), client, build }
}

/** What the build says comes before the name. */
const pack = (sources: string, folder: string): string => {
  const said = run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: sources })
  return join(folder, said.trim().split("\n").at(-1) ?? "")
}

const install = (tarball: string, folder: string): void => {
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  run("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: folder })
}

/** Packs the sources of a revision, built as they were then; a tarball is taken as it is. */
const tarballOf = (source: string, root: string, folder: string): string => {
  if (source.endsWith(".tgz")) return resolve(source)
  const sources = join(folder, "sources")
  run("git", ["clone", "--quiet", "--no-checkout", root, sources], {})
  run("git", ["checkout", "--quiet", source], { cwd: sources })
  run("npm", ["ci"], { cwd: sources })
  return pack(sources, folder)
}

/** Installs an earlier version, a revision of the repository or a tarball, and the one in the working directory; returns their folders. */
export const installBoth = (
  earlier: string,
  root: string,
  parent: string
): { readonly earlier: string; readonly today: string } => {
  const folder = mkdtempSync(join(parent, "versions-"))
  const place = (name: string, tarball: (folder: string) => string): string => {
    const into = join(folder, name)
    mkdirSync(into)
    install(tarball(into), into)
    return into
  }
  return {
    earlier: place("earlier", (into) => tarballOf(earlier, root, into)),
    today: place("today", (into) => pack(root, into))
  }
}
