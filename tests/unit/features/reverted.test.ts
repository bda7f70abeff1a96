/** Which commits were taken back, as git tells it, and that nothing is told where git is not to be had. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { readReverts } from "../../../src/features/metrics/reverted.ts"

const folder = (): string => mkdtempSync(join(homedir(), "reverted-"))

/** Years ago: what is counted may not depend on the day on which a test runs. */
const made = "2021-03-04T05:06:07Z"

const done = (project: string, ...args: readonly string[]): string =>
  execFileSync(
    "git",
    ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", ...args],
    {
      cwd: project,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GIT_AUTHOR_DATE: made, GIT_COMMITTER_DATE: made }
    }
  ).trim()

it("counts those that a later commit says it takes back", async () => {
  const project = folder()
  done(project, "init", "-q")
  const ids: string[] = []
  for (const name of ["kept", "taken"]) {
    writeFileSync(join(project, name), name)
    done(project, "add", name)
    done(project, "commit", "-q", "-m", name)
    ids.push(done(project, "rev-parse", "--short", "HEAD"))
  }
  done(project, "revert", "--no-edit", "HEAD")
  const reverts = await readReverts(project, 0)
  expect(reverts?.(ids)).toEqual({ known: 2, reverted: 1 })
})

it("tells nothing of a folder that git does not know, and of one that is gone", async () => {
  const project = folder()
  expect(await readReverts(project, 0)).toBeUndefined()
  rmSync(project, { recursive: true })
  expect(await readReverts(project, 0)).toBeUndefined()
})
