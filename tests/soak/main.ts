/**
 * `npm run soak -- PART…`: proofs that take too long for every change. Each part prints what it counted and fails where it does not
 * hold; HOOKTAPE_TEST_CALLS, _KILLS, _ROUNDS, _FLIPS, _JOURNALS, _JUMPS, _CHANGES and _SEED change its size, HOOKTAPE_TEST_EARLIER says
 * which version is tried beside today's: a revision, or a tarball.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { installBoth } from "../support/versions/packages.ts"
import { folders } from "./mutants/folders.ts"
import { tryMutants } from "./mutants/main.ts"

const parts: Readonly<Record<string, string>> = {
  chaos: "10,000 calls under 20 kills of the host, with hooks that spoil descriptors and a guard among them",
  kills: "200 kills of the host amid what it commits",
  flips: "300 logs with damaged bytes, 40 with a damaged write-ahead log",
  clock: "40 jumps of the clock",
  collector: "200 faults of a collector, its database, its network and its machines (needs PostgreSQL)",
  nodes:
    "installed, and a first command blocked, with each Node that is supported (compiles SQLite for those it was not compiled for)",
  versions:
    "every pairing of client and host of two versions, and 1,000 calls while one takes the other's place",
  mutants: `what decides, spoilt in one place at a time: ${Object.keys(folders).join(", ")}, or those named after it`
}

const usage = `npm run soak -- PART…\n${Object.entries(parts)
  .map(([name, what]) => `  ${name.padEnd(9)} ${what}`)
  .join("\n")}\n`

const words = process.argv.slice(2)
const isFolder = (name: string): boolean => Object.hasOwn(folders, name)
const asked = words.filter((name) => !isFolder(name))
const among = words.filter(isFolder)
const isKnown = asked.length > 0 && asked.every((name) => Object.hasOwn(parts, name))
if (!isKnown || (among.length > 0 && !asked.includes("mutants"))) {
  process.stderr.write(usage)
  process.exit(1)
}

const root = join(import.meta.dirname, "..", "..")
const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
const run = (name: string, env: NodeJS.ProcessEnv = {}): number =>
  spawnSync(
    process.execPath,
    [vitest, "run", "--config", "vitest.soak.config.ts", `tests/soak/${name}.soak.ts`],
    { cwd: root, stdio: "inherit", env: { ...process.env, ...env } }
  ).status ?? 1

/** Installed with npm's own cache, which a test's home does not have. */
const tryVersions = (): boolean => {
  const asked = process.env["HOOKTAPE_TEST_EARLIER"]
  const folder = mkdtempSync(join(tmpdir(), "hooktape-versions-"))
  try {
    const { earlier, today } = installBoth(asked, root, folder)
    return run("versions", { HOOKTAPE_TEST_EARLIER: earlier, HOOKTAPE_TEST_TODAY: today }) === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** With an addon for each of them in what is packed; that of the Node that runs was compiled as it was installed. */
const tryNodes = (): boolean => {
  const wanted = (process.env["HOOKTAPE_TEST_NODES"] ?? "20,22,24,26").split(",")
  const native = (...words: readonly string[]): boolean =>
    spawnSync(process.execPath, [join(root, ".ci", "native.mjs"), ...words], { cwd: root, stdio: "inherit" })
      .status === 0
  return (
    native(...wanted.filter((one) => one !== process.versions.node.split(".")[0])) &&
    native("place") &&
    run("nodes", { HOOKTAPE_TEST_NODES: wanted.join(",") }) === 0
  )
}

/** What one run of tests is not all of. */
const tries: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  nodes: tryNodes,
  versions: tryVersions,
  mutants: () => tryMutants(among)
}

const failed: string[] = []
for (const name of asked) {
  const holds = (await tries[name]?.()) ?? run(name) === 0
  if (!holds) failed.push(name)
}
if (failed.length > 0) process.stderr.write(`does not hold: ${failed.join(", ")}\n`)
process.exitCode = failed.length === 0 ? 0 : 1
