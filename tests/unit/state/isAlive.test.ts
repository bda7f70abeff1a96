/** Whose files and jobs are nobody's any more. */
import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isAlive } from "../../../src/state/isAlive.ts"
import { until } from "../../support/fire/place.ts"

const said = (text: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve) => text.once("data", (data) => resolve(String(data))))

describe("a process", () => {
  it("is there while it runs, and not before or after", async () => {
    expect(isAlive(process.pid)).toBe(true)
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"]
    })
    const pid = child.pid as number
    expect(isAlive(pid)).toBe(true)
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.stdin.end()
    await ended
    expect(isAlive(pid)).toBe(false)
  })

  it.skipIf(!existsSync("/proc/self/stat"))(
    "is not there once it has ended, though nobody asks how",
    async () => {
      // A shell that becomes a program which asks nobody; what it started ends after that.
      const parent = spawn("/bin/sh", ["-c", "exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 600"], {
        stdio: ["pipe", "pipe", "ignore"]
      })
      try {
        const pid = Number(await said(parent.stdout))
        await until(() => readFileSync(`/proc/${parent.pid}/cmdline`, "latin1").startsWith("sleep"))
        expect(isAlive(pid)).toBe(true)
        parent.stdin.end()
        await until(() => readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z "))
        expect(process.kill(pid, 0)).toBe(true)
        expect(isAlive(pid)).toBe(false)
      } finally {
        parent.kill("SIGKILL")
      }
    }
  )
})
