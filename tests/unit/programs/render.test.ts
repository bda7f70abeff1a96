/** Text on a terminal: aligned, cut to fit, and nothing of what was recorded can paint it. */
import { describe, expect, it } from "vitest"
import { milliseconds } from "../../../src/features/timeline/words.ts"
import type { ListedHook } from "../../../src/programs/cli/commands/hooks.ts"
import { commands } from "../../../src/programs/cli/commands.ts"
import { callable, makeAsCalled } from "../../../src/programs/cli/render/asCalled.ts"
import { factLine } from "../../../src/programs/cli/render/factLine.ts"
import { drawHooks } from "../../../src/programs/cli/render/hooks.ts"
import { coloured, columnsOf, cut, plain, unstyled } from "../../../src/programs/cli/render/style.ts"
import { table } from "../../../src/programs/cli/render/table.ts"
import { broken, hanging, pieces, wrapped } from "../../../src/programs/cli/render/wrap.ts"
import { printable } from "../../../src/state/terminalText.ts"

describe("a table", () => {
  const columns = [{ title: "hook" }, { title: "ms", align: "right" as const }, { title: "what" }]
  const rows = [
    ["guard", "1.25", "blocked the command because it forces"],
    ["ここ", "10.5", "said nothing"]
  ]

  it("stands in columns, wide characters and colours included", () => {
    const text = table(
      columns,
      [
        ["guard", "1.25", "no"],
        [coloured.good("ここ"), "10.5", "yes"]
      ],
      {
        style: plain,
        width: undefined
      }
    )
    expect(unstyled(text)).toBe("hook     ms  what\nguard  1.25  no\nここ   10.5  yes\n")
  })

  it("goes on below itself in its last column on a narrow terminal", () => {
    const text = table(columns, rows, { style: plain, width: 40 })
    expect(text).toBe(
      [
        "hook     ms  what",
        "guard  1.25  blocked the command because",
        "             it forces",
        "ここ   10.5  said nothing",
        ""
      ].join("\n")
    )
  })

  it("gives its last column lines of its own where the others leave no room", () => {
    const lines = table(columns, rows, { style: plain, width: 30 }).trimEnd().split("\n")
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(30)
    expect(lines.slice(2, 5)).toEqual(["guard  1.25", "      blocked the command", "      because it forces"])
  })
})

describe("the hooks, listed", () => {
  const hook = {
    name: "guard-destructive",
    events: ["tool.before"],
    priority: 100,
    background: false,
    source: "/p/guard.ts",
    enabled: true,
    why: "on unless somebody says otherwise",
    sessions: [],
    runs: 411,
    failures: 3,
    blocked: 6,
    p50: 1.5,
    p95: 411,
    last: { outcome: "succeeded", at: new Date(0).toISOString(), ms: 2 },
    share: 0.12,
    trend: [0, 1, 2, 3, 4, 5, 10]
  } as unknown as ListedHook
  const idle = {
    ...hook,
    name: "idle",
    runs: 0,
    last: null,
    p50: null,
    p95: null,
    share: null,
    trend: [0, 0]
  }
  const drawn = (width: number | undefined): readonly string[] =>
    drawHooks([hook, idle], "/p", 7_200_000, { style: plain, width }).trimEnd().split("\n")

  it.each([60, 80, 100, 120, 200])("fit %i columns, and nothing of them is lost", (width) => {
    const lines = drawn(width)
    for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(width)
    const text = lines.join(" ").replace(/\s+/g, " ")
    for (const word of [
      "guard-destructive",
      "411",
      "6",
      "3",
      "1.50 ms / 411 ms",
      "12 %",
      "▁▂▂▃▄▅█",
      "2 h ago"
    ])
      expect(text).toContain(word)
  })

  it("have how often each ran of late, where it did", () => {
    const [head, first, second] = drawn(undefined)
    expect(head).toContain("TREND")
    expect(first).toContain("▁▂▂▃▄▅█")
    expect(second).not.toContain("▁")
  })
})

describe("how the command is called", () => {
  const remedy =
    'hooktape: nothing is built. Run "hooktape build", or hooktape trust; hooktape registered it.'

  it("is known of every command", () => {
    expect(callable).toEqual(Object.keys(commands))
  })

  it("is by npx where it is a project's own", () => {
    const inProject = makeAsCalled("/p/node_modules/.bin/hooktape")
    expect(inProject(remedy)).toBe(
      'hooktape: nothing is built. Run "npx hooktape build", or npx hooktape trust; hooktape registered it.'
    )
    expect(inProject(coloured.strong("hooktape trust"))).toBe(coloured.strong("npx hooktape trust"))
    expect(inProject("npx hooktape trust; /usr/bin/hooktape log")).toBe(
      "npx hooktape trust; /usr/bin/hooktape log"
    )
  })

  it.each(["/usr/bin/hooktape", "/p/dist/cli.js"])("is as it is written by %s", (script) => {
    expect(makeAsCalled(script)(remedy)).toBe(remedy)
  })
})

describe("text on a narrow terminal", () => {
  it("stands as far in as its line began", () => {
    const text = "one two three four five\n  six seven eight nine ten\n"
    expect(broken(text, 18)).toBe("one two three four\nfive\n  six seven eight\n  nine ten\n")
    expect(broken(text, undefined)).toBe(text)
  })

  it("breaks between words, colours not counted, and leaves long words whole", () => {
    expect(wrapped(`${coloured.bad("one two")} three`, 8)).toEqual([coloured.bad("one two"), "three"])
    expect(wrapped("see /a/path/that/is/long now", 10)).toEqual(["see", "/a/path/that/is/long", "now"])
    expect(hanging("→ ", "do this and then do that", 2, 20)).toBe("→ do this and then\n  do that")
  })
  it("that is to be read exactly is cut into pieces that make it up again", () => {
    const text = "日本語 and {some: json}"
    for (const piece of pieces(text, 9)) expect(columnsOf(piece)).toBeLessThanOrEqual(9)
    expect(pieces(text, 9).join("")).toBe(text)
  })
})

describe("text of others", () => {
  it("cannot move the cursor, paint, or begin a new line", () => {
    const hostile = "a\u001b[31mred\u001b]0;title\u0007\r\nb\u009bc"
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point.
    expect(printable(hostile)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })
  it("is cut by columns, not by code units", () => {
    expect(cut("日本語です", 5)).toBe("日本…")
    expect(cut("fits", 4)).toBe("fits")
    expect(cut("x", 0)).toBe("")
  })
})

describe("milliseconds", () => {
  it("have three figures", () => {
    expect([0.123456, 1.5, 12.34, 123.4, 12345, null].map(milliseconds)).toEqual([
      "0.12 ms",
      "1.50 ms",
      "12.3 ms",
      "123 ms",
      "12.3 s",
      "–"
    ])
  })
})

describe("a line of the log", () => {
  it("cannot paint the terminal, whatever a hook or an event is called", () => {
    const line = factLine(
      {
        position: 1,
        version: 1,
        source: "here",
        recordedAt: 0,
        known: true,
        id: "01a1fb29-d422-7830-89d4-979c71608395" as never,
        stream: "invocation/01a1fb29-d422-7830-89d4-979c71608395",
        type: "HANDLER_STARTED",
        schemaVersion: 1,
        at: 0,
        cause: null,
        agent: "raw",
        agentEvent: "x\u001b[2J",
        event: "tool.before",
        session: null,
        project: null,
        toolUseId: null,
        data: {
          type: "HANDLER_STARTED",
          handler: "z\u001b[31m\rq\u202e",
          event: "e\u009b",
          index: 0,
          attempt: 1
        }
      },
      { style: plain, width: undefined }
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
    expect(line).toContain("z�[31m�q�")
  })
})
