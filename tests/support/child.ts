/** Real processes for what only a real descriptor shows: programs from `tests/support/children`, bundled on first use. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { buildSync } from "esbuild"

const folder = mkdtempSync(join(homedir(), "children-"))
const built = new Map<string, string>()

/** The path of a runnable bundle of the program. */
export const program = (name: string): string => {
  const outfile = join(folder, `${name}.cjs`)
  if (!built.has(name)) {
    const source = fileURLToPath(new URL(`children/${name}.ts`, import.meta.url))
    buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "cjs"
    })
    built.set(name, outfile)
  }
  return outfile
}

export const scratch = (): string => mkdtempSync(join(folder, "scratch-"))

export const makeFifo = (): string => {
  const path = join(scratch(), "fifo")
  if (spawnSync("mkfifo", [path]).status !== 0) throw new Error("mkfifo failed")
  return path
}

export const collect = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString("utf8")
}

export const exitOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  return child.exitCode
}

export const startProgram = (name: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  spawn(process.execPath, [program(name), ...args], options)

/** A shell line in which `$0` is node and `$1` the program. */
export const shell = (
  name: string,
  line: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {}
) =>
  spawnSync("/bin/sh", ["-c", line, process.execPath, program(name), ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000
  })
