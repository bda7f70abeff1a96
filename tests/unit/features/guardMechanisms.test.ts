/** The guard against ways past it that were found by trying, and on commands that nobody had seen while the rules were written. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classify } from "../../../src/features/guard/classify.ts"
import { classifyLooking } from "../../../src/features/guard/look.ts"
import { place as where } from "../../support/labelled/commands.ts"
import { handedOver } from "../../support/labelled/handedOver.ts"
import { holes } from "../../support/labelled/holes.ts"
import { inBulk } from "../../support/labelled/inBulk.ts"
import { ledElsewhere } from "../../support/labelled/ledElsewhere.ts"
import { lookedOwn } from "../../support/labelled/lookedOwn.ts"
import { mechanisms } from "../../support/labelled/mechanisms.ts"
import { neighbours } from "../../support/labelled/neighbours.ts"
import { neighboursFurther } from "../../support/labelled/neighboursFurther.ts"
import { oneWordAway } from "../../support/labelled/oneWordAway.ts"
import { ownServers } from "../../support/labelled/ownServers.ts"
import { roundabout } from "../../support/labelled/roundabout.ts"
import { shownSecrets } from "../../support/labelled/shownSecrets.ts"
import * as first from "../../support/labelled/unseenFirst.ts"
import * as fourth from "../../support/labelled/unseenFourth.ts"
import * as second from "../../support/labelled/unseenSecond.ts"
import * as third from "../../support/labelled/unseenThird.ts"
import { widerReach } from "../../support/labelled/widerReach.ts"

const place = { ...where, environment: { HOME: where.home, SET_THERE: "/tmp/x" } }

describe("a way past the guards", () => {
  const rows = [
    ...mechanisms,
    ...roundabout,
    ...handedOver,
    ...holes,
    ...neighbours,
    ...neighboursFurther,
    ...oneWordAway,
    ...ownServers,
    ...ledElsewhere,
    ...lookedOwn,
    ...inBulk,
    ...shownSecrets,
    ...widerReach
  ].map(([command, label, action]) => ({
    command,
    label,
    action
  }))
  it.each(rows)("is told: $command", ({ action, command, label }) => {
    const verdict = classify(command, place)
    expect(verdict?.rule ?? null, verdict?.reason).toBe(label)
    if (action !== undefined) expect(verdict?.action).toBe(action)
  })

  it.each([
    "node -e \"require('fs').rmSync(require('os').homedir()+'/tmp/x',{recursive:true})\"",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a program's
    'node -e \'require("fs").rmSync(`${require("os").homedir()}/tmp/x`,{recursive:true})\'',
    "python3 -c \"import subprocess; subprocess.run(['rm','-rf',str(pathlib.Path.home()/'tmp'/'x')])\""
  ])("names the very path that a program puts together: %s", (command) => {
    expect(classify(command, place)?.reason).toContain("/home/me/tmp/x ")
  })

  it("asks about no variable where nobody knows what is set", () => {
    expect(classify('rm -rf "$NOWHERE_SET/"', where)).toBeUndefined()
  })
})

describe("commands that were written before anybody saw how they fare", () => {
  it.each([
    ["the first", first],
    ["the second", second],
    ["the third", third],
    ["the fourth", fourth]
  ])("are told with a precision of 0.98 and a recall of 0.95: %s", (_, { harmful, harmless }) => {
    const isStopped = (command: string): boolean => classify(command, place) !== undefined
    const right = harmful.filter(isStopped)
    const wrong = harmless.filter(isStopped)
    expect(harmful.length + harmless.length).toBeGreaterThanOrEqual(120)
    expect(right.length / (right.length + wrong.length), wrong.join("\n")).toBeGreaterThanOrEqual(0.98)
    const missed = harmful.filter((command) => !isStopped(command))
    expect(right.length / harmful.length, missed.join("\n")).toBeGreaterThanOrEqual(0.95)
  })
})

describe("a link that lies in the project", () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "guard-links-")))
  const project = join(home, "work", "app")
  mkdirSync(join(project, "src", "gen"), { recursive: true })
  symlinkSync(home, join(project, "build"))
  symlinkSync("src", join(project, "inner"))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  const rule = async (command: string) =>
    (await classifyLooking(command, { project, cwd: project, home }, async () => undefined))?.rule ?? null

  it.each([
    "rm -rf build/",
    "rm -rf build/*",
    "rm -rf build/*.o",
    "rm -rf build/work/other",
    "cd build && rm -rf *",
    "find build/ -delete"
  ])("is followed where what it leads to is deleted: %s", async (command) => {
    expect(await rule(command)).toBe("delete-outside")
  })

  it.each(["rm -rf build", "rm -rf inner/*", "rm -rf src/gen", "rm -rf not-there/*", "find build -delete"])(
    "is nobody's matter where it stays within, or goes itself: %s",
    async (command) => {
      expect(await rule(command)).toBe(null)
    }
  )
})
