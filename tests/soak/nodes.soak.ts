/** Each Node that is supported, on a machine that has it and npm alone: what is packed is installed, a command is blocked, recorded and found in order. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endProcessesOf } from "../support/agents/processes.ts"
import { expectFirstMinutes, furnish } from "../support/machine/firstMinutes.ts"
import { type Machine, makeMachine } from "../support/machine/machine.ts"
import { makeTarballs, type Tarballs } from "../support/machine/tarballs.ts"

/** Comma-separated: of those that package.json lets install it, the ones that are supported. */
const majors = (process.env["HOOKTAPE_TEST_NODES"] ?? "20,22,24,26").split(",")

/** As npm has it for Linux: the program, and no other. */
const nodeOf = (major: string, folder: string): string => {
  const name = `node-linux-${process.arch}`
  const words = ["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--prefix", folder]
  const { status, stderr } = spawnSync("npm", [...words, `${name}@${major}`], {
    cwd: folder,
    encoding: "utf8"
  })
  if (status !== 0) throw new Error(`Node ${major} cannot be had: ${stderr.slice(-500)}`)
  return join(folder, "node_modules", name, "bin", "node")
}

describe.skipIf(process.platform !== "linux")("on a machine with that Node, npm and a shell alone", () => {
  let tarballs: Tarballs
  const machines: Machine[] = []
  const folders: string[] = []
  beforeAll(async () => {
    tarballs = await makeTarballs()
  })
  afterAll(() => {
    for (const { root } of machines) endProcessesOf(root)
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  it.each(majors)("with Node %s", (major) => {
    const folder = mkdtempSync(join(tmpdir(), `node-${major}-`))
    folders.push(folder)
    const node = nodeOf(major, folder)
    expect(existsSync(node)).toBe(true)
    const [esbuild = "", esbuildNative = ""] = tarballs.needed
    const machine = furnish(makeMachine(node), {
      packed: tarballs.packed,
      esbuild,
      "esbuild-native": esbuildNative
    })
    machines.push(machine)
    const told = machine.run("app", ["node", "--version"]).stdout.trim()
    expect(told).toMatch(new RegExp(`^v${major}\\.`))
    expectFirstMinutes(`Node ${told}`, machine, ["packed", "esbuild", "esbuild-native"])
    // The log is kept by SQLite as it was compiled for this very Node.
    const log = join(machine.root, "home", "ada", ".local", "state", "hooktape", "log.sqlite")
    expect(readFileSync(log).subarray(0, 15).toString()).toBe("SQLite format 3")
  })
})
