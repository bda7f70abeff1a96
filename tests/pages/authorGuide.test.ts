/** What authors and contributors are told is there, complete, and what the code does. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { canonicalEvents, type Tool } from "../../events/agentEvents.ts"
import type { Intent } from "../../events/intents.ts"
import type { Hook } from "../../src/hooks/defineHook.ts"
import * as surface from "../../src/index.ts"
import { plan } from "../../src/runtime/registry.ts"
import { links } from "../support/markdown.ts"
import { registered, tell } from "../support/world.ts"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")
const guide = read("docs/how-to/write-a-hook.md")
const contributing = read("CONTRIBUTING.md")

/** The text under a heading, up to the next one. */
const section = (markdown: string, title: string): string =>
  markdown.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? ""

const code = (markdown: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(markdown)?.[1] ?? ""

/** A hook file as it stands on the page, without its import. */
const load = (text: string): Hook => {
  const body = text.replace(/^import .*$/m, "").replace("export default", "return")
  return new Function(...Object.keys(surface), body)(...Object.values(surface)) as Hook
}

describe("the guide for hook authors", () => {
  const template = code(section(guide, "A template"), "ts")

  it("has a template of at most 15 lines, and it works as it stands", async () => {
    expect(template.trim().split("\n").length).toBeLessThanOrEqual(15)
    const hook = load(template)
    const shell = (command: string): Tool => ({ kind: "shell", name: "Bash", command, input: {} })
    const planned = (command: string) =>
      plan([{ hook, source: "a.ts" }], {
        agent: "codex",
        project: "/p",
        tool: shell(command),
        events: [{ event: "tool.before", data: {} }],
        deadlineMs: 5000
      }).handlers.length
    expect([planned("git push --force"), planned("git push --force-with-lease")]).toEqual([1, 0])
    const said = (await hook.run({ tool: shell("git push -f") } as never)) as Intent
    expect(said).toEqual(surface.blockingFeedback("Use --force-with-lease instead of: git push -f"))
  })

  it("says when hooks run: the events by name, and where the rest stands", () => {
    const text = section(guide, "When it runs")
    const named = canonicalEvents.filter((event) => text.includes(`\`${event}\``))
    expect(named.length).toBeGreaterThan(12)
    expect(links(text).map(({ target }) => target)).toContain("../reference/events.md")
    for (const event of canonicalEvents) expect(read("docs/reference/events.md")).toContain(`\`${event}\``)
  })

  it("names every field that a handler is given", async () => {
    let given: readonly string[] = []
    await tell({
      registry: registered({
        a: (context) => {
          given = [...Object.keys(context), "signal"]
        }
      })
    })
    const text = section(guide, "When it runs")
    expect(given.length).toBeGreaterThan(8)
    expect(given.filter((field) => !text.includes(`\`${field}\``))).toEqual([])
  })

  it("shows every way to say something, and there is no other", () => {
    const text = section(guide, "What it wants")
    const others = ["defineHook", "exitCodes", "scriptedServices", "UnrecordedCall"]
    const ways = Object.keys(surface).filter((name) => !others.includes(name))
    expect(ways.toSorted()).toEqual(
      ["blockingFeedback", "diagnostic", "exitSignal", "modelContext", "userHint"].toSorted()
    )
    for (const way of ways) expect(text).toContain(`| \`${way}(`)
    for (const key of ["permission", "updatedInput", "updatedOutput", "metadata", "intents"])
      expect(text).toContain(key)
  })

  it("explains exit codes and what a failure means", () => {
    const text = section(guide, "Exit codes")
    for (const word of ["`0`:", "`2`:", "`1`:", "exitSignal", '`"allow"`', '`"block"`', '`"ask"`'])
      expect(text.replaceAll("\n", " ")).toContain(word)
    for (const name of Object.keys(surface.exitCodes)) expect(text).toContain(`\`${name}\``)
  })

  it("lists common mistakes", () => {
    const text = section(guide, "Common mistakes")
    expect(text.match(/^- \*\*/gm)?.length).toBeGreaterThanOrEqual(5)
    for (const word of ["console.log", "process.exit", "signal", "tool.kind"]) expect(text).toContain(word)
  })

  it("shows how to try a hook by hand", () => {
    expect(code(section(guide, "Try it without an agent"), "sh")).toMatch(/\| npx hooktape run \S+ \S+$/m)
  })

  it("is linked from the index and the README", () => {
    const targets = (path: string) => links(read(path)).map(({ target }) => target)
    expect(targets("docs/README.md")).toContain("how-to/write-a-hook.md")
    expect(targets("README.md").some((target) => /^docs\//.test(target))).toBe(true)
  })
})

describe("the guide for contributors", () => {
  const discipline = section(contributing, "Stream discipline").replaceAll(/\s+/g, " ")

  it("has the discipline of streams: who writes, what goes where, and how it is checked", () => {
    for (const word of [
      "src/runtime/Edge.ts",
      "src/runtime/noise.ts",
      "one JSON document or nothing",
      "Text for the model is never on standard error; diagnostics are never on standard output",
      "npm run check:streams",
      "stream-bypass: <reason>"
    ])
      expect(discipline).toContain(word)
  })

  it("says what each exit code is for, and why a failure of ours is no failure to the agent", () => {
    expect(discipline).toContain("0 for success and for every failure of ours: an agent must not stop")
    expect(discipline).toContain(
      "terminals that keep a tab open for each failed command must not pile them up"
    )
    expect(discipline).toContain("2 for blocking feedback, and when hooks could be handled nowhere")
    expect(discipline).toContain(
      "1 only before a hook can run at all: no runtime, no entrypoint, wrong usage"
    )
    expect(discipline).toContain("New exits with 1 or 2 give their reason")
  })

  it("asks that a guard is seen to fail before it counts", () => {
    expect(section(contributing, "Tests")).toMatch(/counts once it was seen\s+to fail/)
  })
})

describe("the advice", () => {
  const advice = section(guide, "Advice").split(/^- /m).slice(1)

  it.each([
    ["One hook, one duty", "Two small hooks have", "two outcomes on the log", "switched off alone"],
    ["Background early", "need not hear now belongs after the reply: `background: true`", "nobody waits"],
    ["Everything on the log", "as a `diagnostic`", "through `services`", "`hooktape show`", "replay"],
    ["Do less rather than fail", "a reason to return nothing, not to throw", '`onFailure: "block"`']
  ])("%s", (title, ...reasons) => {
    const [text = ""] = advice.filter((one) => one.startsWith(`**${title}.** `))
    for (const reason of reasons) expect(text.replaceAll(/\s+/g, " ")).toContain(reason)
  })

  it("is all that there is, and each of it is looked at", () => expect(advice).toHaveLength(4))
})

describe("the page of the source layout", () => {
  it("has every folder of the sources", () => {
    const src = fileURLToPath(new URL("../../src", import.meta.url))
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const page = section(read("docs/explanation/architecture.md"), "Where things are")
    expect(folders.length).toBeGreaterThan(10)
    expect(folders.map(({ name }) => name).filter((name) => !page.includes(`\`src/${name}/\``))).toEqual([])
  })
})
