/** The guard on files of the working tree that git could not give back: what is removed by a list of git's, or with the folder it lies in. */
import { describe, expect, it } from "vitest"
import { classifyLooking, type GitStatus, isCleared } from "../../../src/features/guard/look.ts"
import { place } from "../../support/labelled/commands.ts"

const git =
  (...entries: readonly string[]): GitStatus =>
  async () => ({ exitCode: 0, stdout: entries.map((entry) => `${entry}\0`).join(""), truncated: false })

const looked = async (command: string, answer: GitStatus): Promise<string | null> => {
  const verdict = await classifyLooking(command, place, answer)
  return verdict === undefined ? null : `${verdict.rule} ${verdict.action}`
}

const changed = git(" M src/app.ts")
const untracked = git("?? notes.md", "?? src/new.ts", "?? scratch/")

describe("files that git itself lists", () => {
  it.each([
    "git ls-files -m | xargs rm -f",
    "git ls-files -zm | xargs -0 rm",
    "git diff --name-only | xargs rm",
    "git diff --name-only HEAD | xargs shred -u",
    "git ls-files | xargs rm -f",
    "rm -f $(git ls-files -m)",
    "rm $(git diff --name-only)",
    'git ls-files -m | while read -r f; do rm "$f"; done',
    'for f in $(git ls-files -m); do rm "$f"; done',
    "git diff --name-only | xargs git checkout --",
    "git ls-files -m | xargs truncate -s 0",
    "git ls-files '*.ts' | xargs truncate -s 0",
    "git status --porcelain | awk '{print $2}' | xargs rm -rf"
  ])("are asked about where one of them was changed: %s", async (command) => {
    expect(await looked(command, changed)).toBe("git-discard ask")
    expect(await looked(command, git())).toBe(null)
    expect(await looked(command, async () => undefined)).toBe("git-discard ask")
  })

  it.each([
    "git ls-files --others | xargs rm -rf",
    "git ls-files -z --others --exclude-standard | xargs -0 rm -f",
    "git ls-files -o --exclude-standard | xargs shred",
    "git status --short | grep '^??' | cut -c4- | xargs rm -rf",
    "rm -rf $(git ls-files -o --exclude-standard)"
  ])("are asked about where one of them was never added: %s", async (command) => {
    expect(await looked(command, untracked)).toBe("git-discard ask")
    expect(await looked(command, changed)).toBe(null)
    expect(await looked(command, async () => undefined)).toBe("git-discard ask")
  })

  it.each([
    "git ls-files -d | xargs git add",
    "git ls-files -m | xargs npx prettier --write",
    "git ls-files -d | xargs rm -f",
    "git ls-files -o --exclude-standard | grep '\\.orig$' | xargs rm",
    "git ls-files '*.md' | xargs rm",
    "git ls-files -m docs | xargs rm",
    "git diff --name-only | xargs npx eslint --fix",
    "git diff --name-only --diff-filter=D | xargs rm -f",
    "git diff --stat; rm x.log",
    "git ls-files -d | xargs git checkout --",
    "git diff --name-only --diff-filter=D | xargs git checkout --",
    "git diff --name-only --diff-filter=U | xargs git checkout --theirs --",
    "git ls-files '*.md' | xargs git restore",
    "cat names.txt | xargs git checkout --",
    "git ls-files -m > changed.txt"
  ])("are nobody's matter where nothing of them is lost: %s", async (command) => {
    expect(await looked(command, git(" M src/app.ts", "?? src/new.ts"))).toBe(null)
  })

  it("are looked at in the directory that git is told", async () => {
    const folders: string[] = []
    await classifyLooking("git -C /srv/other ls-files -m | xargs rm", place, async (folder) => {
      folders.push(folder)
      return undefined
    })
    expect(folders).toEqual(["/srv/other"])
  })
})

describe("a folder of the project that is deleted", () => {
  it.each(["rm -rf src", "rm -r ./src/", "rm -rf docs src", "rm -rf src/*", "cd src && rm -rf ."])(
    "is asked about where git does not hold all that is in it: %s",
    async (command) => {
      expect(await looked(command, git(" M src/app.ts"))).toMatch(/ (?:ask|block)$/)
    }
  )

  it("is asked about with what was never added beside what was", async () => {
    expect(await looked("rm -rf src", git("?? src/new.ts"))).toBe("git-discard ask")
    expect(await looked("rm -rf src", git("?? src/"))).toBe(null)
    expect(await looked("rm -rf src/gen", git("?? src/gen/"))).toBe(null)
    expect(await looked("rm -rf scratch", untracked)).toBe(null)
  })

  it.each([
    ["rm -rf src", git()],
    ["rm -rf src", git(" M lib/a.ts", "?? notes.md")],
    ["rm -rf src", git(" M src2/a.ts")],
    ["rm -rf src", git("!! src/cache/")],
    ["rm -rf src", git(" D src/app.ts")],
    ["rm -rf src/generated", git(" M src/generated/api.ts")],
    ["rm -rf test/__snapshots__", git(" M test/__snapshots__/a.snap", "?? test/__snapshots__/b.snap")],
    ["rm -rf dist", git(" M dist/index.js")],
    ["rm -rf node_modules dist", git(" M dist/index.js")],
    ["git commit -qam wip && rm -rf src", git(" M src/app.ts")],
    ["git stash -u && rm -rf src", git(" M src/app.ts")],
    // Where there is no repository there is nothing that could be lost from one.
    ["rm -rf src", async () => undefined]
  ] as const)("is nobody's matter where nothing of it is lost: %s", async (command, answer) => {
    expect(await looked(command, answer)).toBe(null)
  })

  it.each([
    "find . -name '*.ts' -newer package.json -delete",
    "find src -name '*.ts' -exec rm {} +",
    "find src -type f -mmin -60 -delete"
  ])("is asked about where what find chooses in it was changed: %s", async (command) => {
    expect(await looked(command, git(" M src/app.ts"))).toBe("git-discard ask")
    expect(await looked(command, git("?? src/new.ts", " M lib/a.js"))).toBe(null)
    expect(await looked(command, async () => undefined)).toBe(null)
  })

  it.each([
    "find . -name '*.orig' -delete",
    "find . -name '*.snap' -delete",
    "find lib -name '*.ts' -delete",
    "find . -name __pycache__ -prune -exec rm -rf {} +",
    "find src -name '*.ts' -exec grep -l x {} +"
  ])("is nobody's matter where find chooses something else: %s", async (command) => {
    expect(await looked(command, git(" M src/app.ts", " M src/a.snap"))).toBe(null)
  })

  it("is not looked at where its name says that tools make it anew, and once where it is looked at", async () => {
    let looks = 0
    const count: GitStatus = async () => {
      looks++
      return { exitCode: 0, stdout: "", truncated: false }
    }
    await classifyLooking("rm -rf dist build coverage node_modules /tmp/x", place, count)
    await classifyLooking("find . -name '*.pyc' -delete; find build -name '*.ts' -delete", place, count)
    await classifyLooking("find /tmp/x -name '*.ts' -delete", place, count)
    expect(looks).toBe(0)
    await classifyLooking("rm -rf src; rm -rf lib", place, count)
    expect(looks).toBe(1)
  })

  it("is not cleared before somebody looked", () => {
    expect(isCleared("rm -rf src", place)).toBe(false)
    expect(isCleared("rm -rf dist", place)).toBe(true)
    expect(isCleared("git ls-files -m | xargs rm", place)).toBe(false)
  })
})
