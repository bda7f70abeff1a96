/** Versions of the package as users install them: each in a folder of its own, with what npm makes of its tarball. */
import { type SpawnSyncOptions, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"

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

/** What the build says comes before the name. `built`: it is packed as it lies there. */
const pack = (sources: string, folder: string, built = true): string => {
  const said = run(
    "npm",
    ["pack", "--silent", ...(built ? ["--ignore-scripts"] : []), "--pack-destination", folder],
    { cwd: sources }
  )
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
  return pack(sources, folder, false)
}

/** As long as the other, so that it fits where that was compiled in. */
const numberBefore = "0.0.9"

/** The same sources as a version of before: another number, another build, in every place where one stands. */
const renumbered = (tarball: string, folder: string): string => {
  run("tar", ["-xzf", tarball, "-C", folder], {})
  const there = join(folder, "package")
  const manifest = JSON.parse(readFileSync(join(there, "package.json"), "utf8"))
  const build = readFileSync(join(there, "dist", "build-id"), "utf8").trim()
  const other = build.replace(manifest.version, numberBefore)
  if (other.length !== build.length) throw new Error(`${numberBefore} does not fit where ${build} stands`)
  writeFileSync(join(there, "package.json"), JSON.stringify({ ...manifest, version: numberBefore }))
  const clients = join(there, "dist", "client")
  const programs = readdirSync(clients, { recursive: true, encoding: "utf8" })
    .filter((name) => basename(name) === "hook")
    .map((name) => join(clients, name))
  for (const file of [join(there, "dist", "build-id"), ...programs]) {
    const bytes = readFileSync(file)
    const at = bytes.indexOf(build)
    // One for another machine, or made without its build, stays as it is.
    for (let next = at; next >= 0; next = bytes.indexOf(build, next + 1)) bytes.write(other, next, "latin1")
    writeFileSync(file, bytes)
  }
  return pack(there, folder)
}

/**
 * Installs an earlier version and the one that was built in the working directory; returns their folders. `earlier`: a revision of the repository or
 * a tarball; without one it is today's sources under the number of a version of before.
 */
export const installBoth = (
  earlier: string | undefined,
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
  const packed = pack(root, folder)
  return {
    earlier: place("earlier", (into) =>
      earlier === undefined ? renumbered(packed, into) : tarballOf(earlier, root, into)
    ),
    today: place("today", () => packed)
  }
}
