/** What git is asked for a checkpoint: never for long, and with nothing left behind. */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { afterEach, expect, it, vi } from "vitest"
import { readRepository } from "../../../src/features/checkpoints/repository.ts"
import { untrackedLines } from "../../../src/features/checkpoints/untracked.ts"

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
    // Not in the folder itself: a git that lies in there is none.
    const bin = mkdtempSync(join(homedir(), "bin-"))
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

it("new files count as what was added, wherever in the repository they lie; what is no text, a link or ignored has no lines", async () => {
  const folder = mkdtempSync(join(homedir(), "new-"))
  const git = (...args: readonly string[]) => {
    const asked = ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args]
    const { status, stderr } = spawnSync("git", asked, { cwd: folder, encoding: "utf8" })
    expect({ status, stderr }).toMatchObject({ status: 0 })
  }
  git("init", "-q")
  writeFileSync(join(folder, "kept"), "one\n")
  writeFileSync(join(folder, ".gitignore"), "ignored\n")
  git("add", ".")
  git("commit", "-q", "-m", "first")
  const project = join(folder, "sub")
  mkdirSync(project)
  writeFileSync(join(folder, "kept"), "one\ntwo\n")
  writeFileSync(join(project, "new"), "1\n2\n3\n")
  writeFileSync(join(folder, "with a space and \n"), "1\n2")
  writeFileSync(join(folder, "empty"), "")
  writeFileSync(join(folder, "binary"), Buffer.from([10, 0, 10]))
  writeFileSync(join(folder, "ignored"), "1\n2\n3\n")
  symlinkSync("kept", join(folder, "link"))
  // What hooktape wrote for the editor is nobody's work.
  mkdirSync(join(project, ".hooktape/types"), { recursive: true })
  writeFileSync(join(project, ".hooktape/types/index.d.ts"), "1\n2\n")
  expect((await readRepository(project))?.changes).toEqual({ files: 6, lines: 1 + 3 + 2 })
})

it("of more new files than anybody looks at all are counted, and the first are read", async () => {
  const folder = mkdtempSync(join(homedir(), "many-"))
  const paths = Array.from({ length: 600 }, (_, nth) => `file-${nth}`)
  for (const path of paths) writeFileSync(join(folder, path), "line\n")
  expect(await untrackedLines(folder, [...paths.slice(0, 1), "gone", ...paths.slice(1)])).toBe(499)
})
