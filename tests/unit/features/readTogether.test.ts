/** What both guards find where a command is gone through once for the two of them: the same as each finds by itself. */
import { describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import { isCleared } from "../../../src/features/guard/look.ts"
import { noteCleared, takeCleared } from "../../../src/features/guard/readFirst.ts"
import { placeOf } from "../../../src/features/guard/settings.ts"
import { readTogether } from "../../../src/features/ownGuards/readTogether.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"
import { commands } from "../../support/labelled/commands.ts"
import { handedOver } from "../../support/labelled/handedOver.ts"
import { holes } from "../../support/labelled/holes.ts"
import { ledElsewhere } from "../../support/labelled/ledElsewhere.ts"
import { mechanisms } from "../../support/labelled/mechanisms.ts"
import { roundabout } from "../../support/labelled/roundabout.ts"

const home = "/home/me"
const cwd = "/home/me/work/app"
const env = { HOME: home, HOOKTAPE_HOME: "/home/me/state", OLDPWD: "/home/me/.claude" }
const own = { cwd, project: cwd, home, env }
const place = placeOf({}, { cwd, project: cwd, environment: env })

const together = (command: string) => readTogether(command, own, place)

/** They mean one thing to a guard that knows what is printed, listed or set, and another to one that does not. */
const toldApart = [
  "cp a.json \"$(cat <<'EOF'\n/home/me/.claude/settings.json\nEOF\n)\"",
  'cp a.json "$OLDPWD/settings.json"',
  "cd .. && cd - && cp a.json settings.json",
  "x=$(printenv OLDPWD); cp a.json $x/settings.json",
  'for f in $(find ~/.claude -name "*.json"); do cp a.json $f; done'
]

/** All that own-guards asks about, and everyday work beside it. */
const weakening = [
  "hooktape trust --yes",
  "export HOOKTAPE=0; claude",
  "echo {} > .claude/settings.json",
  "cd ~/.claude && cp /tmp/a.json settings.json",
  "f() { cp a.json ~/.claude/settings.json; }; f",
  "sed -i s/a/b/ src/x.ts && git push origin main",
  "npm publish --dry-run > out.txt"
]

describe("a command that is read for both", () => {
  const labelled = [commands, handedOver, holes, ledElsewhere, mechanisms, roundabout]
  const all = [
    ...labelled.flatMap((table) => table.map((row) => row[0] as string)),
    ...toldApart,
    ...weakening
  ]

  const read = all.map((command) => ({
    command,
    ...together(command),
    apart: { weakened: weakenedByShell(command, own), isCleared: isCleared(command, place) }
  }))

  it("says what own-guards says by itself, and is cleared where guard-destructive clears it", () => {
    const differing = read.filter(
      ({ apart, isCleared: cleared, weakened }) =>
        weakened !== apart.weakened || (cleared && !apart.isCleared)
    )
    expect(differing).toEqual([])
    expect(read.length).toBeGreaterThan(500)
  })

  it("is hardly ever read again where nobody has a word on it", () => {
    const quiet = read.filter(({ apart }) => apart.isCleared)
    expect(quiet.filter(({ isCleared: cleared }) => cleared).length).toBeGreaterThan(0.9 * quiet.length)
  })

  it("is read by each in its own way where they have different homes", () => {
    const elsewhere = placeOf({}, { cwd, project: cwd, environment: { ...env, HOME: "/home/you" } })
    const command = "cp a.json ~/.claude/settings.json"
    expect(readTogether(command, own, elsewhere)).toEqual({
      weakened: weakenedByShell(command, own),
      isCleared: false
    })
  })
})

describe("what was cleared for the other guard", () => {
  const tool = (): Tool => ({ kind: "shell", name: "Bash", input: {}, command: "a" })

  it("counts once, for the same call, command and folder", () => {
    const call = tool()
    noteCleared(call)("a", cwd)
    const taken = takeCleared(call)
    expect([taken("a", cwd), taken("b", cwd), taken("a", home)]).toEqual([true, false, false])
    expect(takeCleared(call)("a", cwd)).toBe(false)
    expect(takeCleared(tool())("a", cwd)).toBe(false)
  })

  it("is forgotten where the call is read again", () => {
    const call = tool()
    noteCleared(call)("a", cwd)
    noteCleared(call)
    expect(takeCleared(call)("a", cwd)).toBe(false)
  })
})
