/** What decides lies on the disk, behind many other things that are looked at there: all of them are, or it is asked about. */

import { describe, expect, it } from "vitest"
import { classify, type Judged } from "../../../src/features/guard/classify.ts"
import { commandsOf } from "../../../src/features/guard/commandsOf.ts"
import { classifyLooking } from "../../../src/features/guard/look.ts"
import { place } from "../../support/labelled/commands.ts"
import { longEveryday } from "../../support/labelled/longEveryday.ts"

const counts = [1, 4, 5, 8, 9, 16, 20, 21, 32, 33, 40, 41, 50, 60, 100, 101, 199, 200, 201, 260]

const times = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join("")

/** Only what is called `last` does, or holds, what is asked about. */
const looked = (command: string): Promise<Judged | undefined> =>
  classifyLooking(
    command,
    { ...place, environment: {} },
    async (folder) => ({
      exitCode: 0,
      stdout: folder.endsWith("/last") ? " M a.ts\0" : "",
      truncated: false
    }),
    async (folder) => (folder.endsWith("/last") ? "/home/me" : folder),
    async (path) => (path.endsWith("/last.sql") ? "drops data" : ""),
    async ({ path }) =>
      path.endsWith("/last.sh") ? { rule: "delete-outside", reason: "It deletes a home." } : null
  )

const forms: Readonly<Record<string, (count: number) => string>> = {
  "working trees": (count) =>
    `${times(count, (at) => `git -C a${at} reset --hard; `)}git -C last reset --hard`,
  "folders that may be links": (count) => `rm -rf ${times(count, (at) => `a${at}/x/* `)}last/*`,
  "files of a client": (count) => `psql ${times(count, (at) => `-f a${at}.sql `)}-f last.sql`,
  "files that are told to be read": (count) =>
    `psql <<'EOF'\n${times(count, (at) => `\\i a${at}.sql\n`)}\\i last.sql\nEOF`,
  scripts: (count) => `${times(count, (at) => `sh a${at}.sh; `)}sh last.sh`,
  "scripts of a loop": (count) => `for s in ${times(count, (at) => `a${at} `)}last; do sh "$s.sh"; done`,
  "copies of scripts": (count) => `cp last.sh ${times(count, (at) => `a${at} `)}bin/; sh bin/last.sh`,
  "lists of git": (count) =>
    `${times(count, (at) => `for a${at} in $(git ls-files -d); do ls; done; `)}cd last; for b in $(git ls-files -m); do rm $b; done`
}

describe("what decides on the disk", () => {
  it.each(Object.entries(forms))(
    "is looked at, or asked about, behind any number of %s",
    async (_, behind) => {
      for (const count of counts) expect(await looked(behind(count)), `${count}`).toBeDefined()
    }
  )
})

describe("a line of a notebook that a shell runs", () => {
  it.each([1, 499, 501, 2000])("is told behind %i others", (count) => {
    const code = `${times(count, () => "x = 1\n")}!rm -rf ~`
    const told = commandsOf({ kind: "mcp", name: "mcp__notebook__run_cell", input: { code } })
    expect(told.some((command) => command === "rm -rf ~")).toBe(true)
  })
})

describe("a long command of every day", () => {
  it.each(Object.entries(longEveryday))("passes: %s", async (_, command) => {
    expect(classify(command, place)).toBeUndefined()
    expect(await looked(command)).toBeUndefined()
  })

  it("passes with 60 folders, 60 files or 60 scripts in it", async () => {
    for (const command of [
      `rm -rf ${times(60, (at) => `packages/a${at}/dist/* `)}`,
      `psql ${times(60, (at) => `-f a${at}.sql `)}`,
      times(60, (at) => `sh a${at}.sh; `)
    ])
      expect(await looked(command), command.slice(0, 40)).toBeUndefined()
  })
})
