import { homedir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import type { When } from "../../../src/hooks/defineHook.ts"
import { durationProblem, longDurationProblem, toMillis } from "../../../src/hooks/duration.ts"
import { globMatches } from "../../../src/hooks/glob.ts"
import { mismatch } from "../../../src/hooks/when.ts"

const project = "/home/me/work/app"
const shell: Tool = { kind: "shell", name: "Bash", command: "git push --force origin", input: {} }
const edit = (...paths: string[]): Tool => ({ kind: "edit", name: "MultiEdit", paths, input: {} })
const against = (when: When, tool?: Tool) => mismatch(when, { agent: "codex", project, tool })

describe("when", () => {
  it("nothing asked for is nothing missed", () => {
    expect(against({})).toBeUndefined()
    expect(against({}, shell)).toBeUndefined()
  })

  it("asks for kinds of tools", () => {
    expect(against({ tool: "shell" }, shell)).toBeUndefined()
    expect(against({ tool: ["read", "shell"] }, shell)).toBeUndefined()
    expect(against({ tool: "edit" }, shell)).toBe("when: tool is shell")
    expect(against({ tool: [] }, shell)).toBe("when: tool is shell")
    expect(against({ tool: "shell" })).toBe("when: there is no tool")
  })

  it("takes a tool's name whole and a command in part", () => {
    expect(against({ toolName: "Bash" }, shell)).toBeUndefined()
    expect(against({ toolName: "Bas" }, shell)).toBe("when: toolName does not match")
    expect(against({ command: "--force" }, shell)).toBeUndefined()
    expect(against({ command: "--force-with-lease" }, shell)).toBe("when: command does not match")
    expect(against({ command: "x" }, edit("a"))).toBe("when: the tool has no command")
  })

  it("a pattern that remembers its place answers the same every time", () => {
    for (const pattern of [/--force/g, /git push/y, /--force/gy]) {
      pattern.lastIndex = 3
      const answers = [1, 2, 3].map(() => against({ command: pattern }, shell))
      expect(new Set(answers).size, String(pattern)).toBe(1)
      expect(pattern.lastIndex).toBe(0)
    }
    expect(against({ command: /--force/g }, shell)).toBeUndefined()
  })

  it("sees paths from the project, wherever the tool says they are", () => {
    expect(against({ path: "src/**" }, edit("/home/me/work/app/src/a/b.ts"))).toBeUndefined()
    expect(against({ path: "./src/*.ts" }, edit("src/b.ts"))).toBeUndefined()
    expect(against({ path: "src/**" }, edit("/home/me/work/other/src/b.ts"))).toBe(
      "when: path does not match"
    )
    expect(against({ path: "src/**" }, edit("src/../secret.ts"))).toBe("when: path does not match")
    expect(against({ path: ["docs/**", "*.md"] }, edit("x.ts", "README.md"))).toBeUndefined()
    expect(against({ path: "/etc/**" }, edit("../../../../etc/passwd"))).toBeUndefined()
    expect(against({ path: "~/.ssh/*" }, edit(join(homedir(), ".ssh/id")))).toBeUndefined()
    expect(against({ path: "**" }, shell)).toBe("when: the tool has no path")
    expect(against({ path: "a" }, { ...edit("b"), path: "a" })).toBeUndefined()
  })

  it("asks for projects", () => {
    expect(against({ project: "/home/me/work/**" })).toBeUndefined()
    expect(against({ project: "**/app" })).toBeUndefined()
    expect(against({ project: ["/srv/**", "/home/me/*"] })).toBe("when: project does not match")
  })
})

describe("globs", () => {
  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["*.ts", ["a.ts", ".ts", ".hidden.ts"], ["a/b.ts", "a.tsx", "a.tsx.t"]],
    ["**/*.ts", ["a.ts", "a/b.ts", "a/b/c.ts"], ["a.js", "a.ts/b"]],
    ["src/**", ["src/a", "src/a/b", "src/.env"], ["src", "srca/b", "a/src/b"]],
    ["src/**/x", ["src/x", "src/a/x", "src/a/b/x"], ["src/ax", "src/a/bx"]],
    ["**", ["", "a", "a/b/.c"], []],
    ["a**b", ["ab", "axb", "ax/yb"], ["a"]],
    ["?.c", ["a.c"], ["ab.c", "/.c", ".c"]],
    ["[a-c]x[!0-9]", ["axb", "cx-"], ["dxb", "ax1", "ax/"]],
    ["{src,test}/*.{ts,js}", ["src/a.ts", "test/b.js"], ["lib/a.ts", "src/a.md"]],
    ["a{,b,{c,d}e}f", ["af", "abf", "acef", "adef"], ["aef", "acf"]],
    ["[", ["["], ["a"]],
    ["{a", ["{a"], ["a"]],
    ["\\*.\\{x\\}", ["*.{x}"], ["a.x"]],
    ["é?", ["éa", "é😀"], ["ea"]],
    ["a.b+(c)$", ["a.b+(c)$"], ["axb"]],
    ["[^a]", ["b", "^"], ["a", "/"]],
    ["[]a]", ["]", "a"], ["[", "b"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[-a]x", ["-x", "ax"], ["bx"]],
    ["[a-ce-g]", ["a", "c", "e", "g"], ["d", "-", "h"]],
    ["[]", ["[]"], ["[", "]"]],
    ["{a\\},b}", ["a}", "b"], ["a", "a\\}"]],
    ["{a\\,b,c}", ["a,b", "c"], ["a", "b"]],
    ["{a,b}{c,d}", ["ac", "bd"], ["ab", "a"]],
    ["{{a,b},c}", ["a", "b", "c"], ["{a", "c}"]],
    ["a\\", ["a\\"], ["a"]],
    ["a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c"], ["a/c", "a/bc", "ab/c"]],
    ["x**/y", ["x/y", "xa/y", "xa/b/y"], ["xy", "y"]],
    ["a/**b", ["a/b", "a/x/yb"], ["ab"]],
    ["**/**/a", ["a", "b/a", "b/c/a"], ["ba"]]
  ]
  for (const [glob, yes, no] of table) {
    it(glob, () => {
      expect(yes.filter((path) => !globMatches(glob, path))).toEqual([])
      expect(no.filter((path) => globMatches(glob, path))).toEqual([])
    })
  }

  it("takes time in proportion, whatever the pattern", () => {
    const path = `${"a/".repeat(1000)}b`
    for (const glob of [`${"**/".repeat(30)}x`, `${"*".repeat(40)}x`, `${"{a,*}".repeat(30)}x`]) {
      expect(globMatches(glob, path)).toBe(false)
    }
  })
})

describe("durations", () => {
  it("are milliseconds, or a number and a unit", () => {
    expect(
      [250, "500 millis", "1 milli", "2 seconds", "1.5 second", "1 minute"].map((one) =>
        toMillis(one as never)
      )
    ).toEqual([250, 500, 1, 2000, 1500, 60_000])
    const few = ["500 ms", "500ms", "500 milliseconds", "2s", "2 sec", "1 m", "1min", "1.5s"] as const
    expect(few.map((one) => durationProblem(one))).toEqual(few.map(() => undefined))
    expect(few.map(toMillis)).toEqual([500, 500, 500, 2000, 2000, 60_000, 60_000, 1500])
    for (const wrong of [
      0,
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      "2 S",
      "2 secondes",
      "2  seconds",
      "0 seconds",
      "-1 seconds",
      "1e3 millis",
      "",
      null,
      {}
    ]) {
      expect(durationProblem(wrong), String(wrong)).toMatch(/^must be/)
    }
    expect(() => toMillis("soon" as never)).toThrow('duration "soon" must be')
  })

  it("may be hours and days where something stays so, and not where somebody waits", () => {
    const long = ["1 hour", "2.5 hours", "1 day", "7 days", "12h", "2 d"] as const
    expect(long.map(toMillis)).toEqual([
      3_600_000, 9_000_000, 86_400_000, 604_800_000, 43_200_000, 172_800_000
    ])
    for (const one of long) {
      expect(longDurationProblem(one)).toBeUndefined()
      expect(durationProblem(one)).toBe(
        'must be a number of milliseconds, or a text such as "500 ms", "2 seconds" or "1 minute"'
      )
    }
    for (const wrong of ["x1 day", "1 days.", "1.day", ". days", "1 weeks", "0.0 days"])
      expect(longDurationProblem(wrong)).toBe(
        'must be a number of milliseconds, or a text such as "30 seconds", "12 hours" or "7 days"'
      )
    expect(durationProblem("12.25 seconds")).toBeUndefined()
    expect(durationProblem(0.5)).toBeUndefined()
    expect(durationProblem(0)).toBe("must be a positive number of milliseconds")
  })
})
