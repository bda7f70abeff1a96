/** What git is asked for a checkpoint: never for long, and with nothing left behind. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it, vi } from "vitest"
import { readRepository } from "../../src/checkpoints/repository.ts"

afterEach(() => void vi.unstubAllEnvs())

const isAlive = (pid: number): boolean => {
  try {
    // A zombie is nobody: it is gone once somebody asks for its end.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

it.skipIf(!existsSync("/proc/self/status"))(
  "a git that does not answer is ended with what it started, and said to have been late",
  async () => {
    const folder = mkdtempSync(join(homedir(), "late-"))
    const bin = join(folder, "bin")
    mkdirSync(bin)
    writeFileSync(join(bin, "git"), `#!/bin/sh\nsleep 600 &\necho $! > "${folder}/started"\nwait\n`)
    chmodSync(join(bin, "git"), 0o755)
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`)
    expect(await readRepository(folder, 2000)).toEqual({ problem: "git did not answer within 2 seconds" })
    const started = Number(readFileSync(join(folder, "started"), "utf8"))
    await vi.waitFor(() => expect(isAlive(started)).toBe(false), { timeout: 60_000 })
  },
  120_000
)

it("a folder without a repository has none", async () => {
  expect(await readRepository(mkdtempSync(join(homedir(), "plain-")))).toBeUndefined()
})
