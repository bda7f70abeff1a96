/** Registering hooks leaves no trace: what install put in, uninstall takes out, and nothing else is ever touched. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { applyEdits, modify, type Node, parseTree } from "jsonc-parser"
import { describe, expect, it } from "vitest"
import { parseCommand } from "../../../src/tools/install/command.ts"
import { dialects, type InstallAgent } from "../../../src/tools/install/dialects.ts"
import { parseHttpHook } from "../../../src/tools/install/httpHook.ts"
import {
  type InstallInput,
  type OverHttp,
  planInstall,
  planUninstall
} from "../../../src/tools/install/plan.ts"
import type { InstallRecord } from "../../../src/tools/install/record.ts"
import { seed } from "../../support/arbitrary.ts"
import { agentNames, settingsText, someEvents, someOverHttp } from "../../support/installSettings.ts"

const runs = { numRuns: 200, seed }

const bin = "/home/o'neil/.local/state/hooktape/bin/hook"
const input = (
  agent: InstallAgent,
  events: readonly string[],
  currentText: string | undefined,
  http?: OverHttp
): InstallInput => ({
  agent,
  scope: "user",
  events,
  currentText,
  file: "settings.json",
  bin,
  http
})

const install = (one: InstallInput) => Either.getOrThrow(planInstall(one))
const uninstall = (text: string, record?: InstallRecord) =>
  Either.getOrThrow(planUninstall("settings.json", text, record))

/** What JSON.parse would make of it: `fromEntries` takes `__proto__` for a name like any other, an assignment does not. */
const valueOf = (node: Node | undefined): unknown => {
  if (node?.type === "array") return (node.children ?? []).map(valueOf)
  if (node?.type !== "object") return node?.value
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), valueOf(children[1])])
  )
}

const data = (text: string | undefined): unknown =>
  valueOf(parseTree((text ?? "").replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }))

const isOurs = (one: unknown): boolean => {
  if (typeof one !== "object" || one === null) return false
  if ("action" in one) return isOurs(one.action)
  if ("command" in one && typeof one.command === "string") return parseCommand(one.command) !== undefined
  const headers = "headers" in one ? (one.headers as Record<string, unknown> | null) : undefined
  return "url" in one && parseHttpHook(one.url, (name) => headers?.[name]) !== undefined
}

/** The foreign half of a settings file, with key order. */
const foreign = (text: string | undefined): string => {
  const strip = (node: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(node))
      return node.map((item) => strip(item, [...path, "[]"])).filter((item) => item !== undefined)
    if (typeof node !== "object" || node === null) return node
    if (isOurs(node)) return undefined
    const kept = Object.entries(node).map(([key, item]) => [key, strip(item, [...path, key])] as const)
    const hooksGone =
      "hooks" in node && Array.isArray(node.hooks) && node.hooks.length > 0 && node.hooks.every(isOurs)
    return path.at(-1) === "[]" && hooksGone ? undefined : Object.fromEntries(kept)
  }
  const stripped = strip(data(text) ?? {}, [])
  return JSON.stringify(stripped)
}

interface Group {
  readonly hooks?: unknown[]
  readonly trigger?: unknown
}

/** What stands under an event, or names it. */
const groupsOf = (text: string, event: string): readonly Group[] => {
  const { hooks } = data(text) as { readonly hooks: readonly Group[] | Readonly<Record<string, Group[]>> }
  return Array.isArray(hooks)
    ? hooks.filter((one) => one?.trigger === event)
    : ((hooks as Readonly<Record<string, Group[]>>)[event] ?? [])
}

const cases = agentNames.chain((agent) =>
  FastCheck.record({
    agent: FastCheck.constant(agent),
    text: settingsText(agent),
    events: someEvents(agent),
    other: someEvents(agent),
    http: someOverHttp(agent),
    otherHttp: someOverHttp(agent)
  })
)

describe("install", () => {
  it("then uninstall is the identity on any settings file, byte for byte", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ agent, text, events, http }) => {
        const { nextText, record } = install(input(agent, events, text, http))
        expect(uninstall(nextText, record).nextText).toBe(text)
      }),
      runs
    )
  })

  it("twice is install once, with the record and without", () => {
    FastCheck.assert(
      FastCheck.property(cases, FastCheck.boolean(), ({ agent, text, events, http }, remembered) => {
        const once = install(input(agent, events, text, http))
        const twice = install({
          ...input(agent, events, once.nextText, http),
          previousRecord: remembered ? once.record : undefined
        })
        expect(twice.nextText).toBe(once.nextText)
        expect(twice.changes).toEqual([])
        if (remembered) expect(twice.record).toEqual(once.record)
      }),
      runs
    )
  })

  it("with other events, by another way or from elsewhere ends where a first installation of them would", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ agent, text, events, other, http, otherHttp }) => {
        const first = install({ ...input(agent, events, text, http), bin: "/old state/bin/hook" })
        const second = install({
          ...input(agent, other, first.nextText, otherHttp),
          previousRecord: first.record
        })
        const direct = install(input(agent, other, text, otherHttp))
        expect(second.nextText).toBe(direct.nextText)
        expect(uninstall(second.nextText, second.record).nextText).toBe(text)
      }),
      runs
    )
  })

  it("registers every event once and touches no foreign entry, value or order of keys", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ agent, text, events, http }) => {
        const { nextText } = install(input(agent, events, text, http))
        const { entries } = dialects[agent]
        const ours = events.map((event) => {
          const groups = groupsOf(nextText, event).map((group) =>
            entries !== undefined ? [group] : Array.isArray(group?.hooks) ? group.hooks : []
          )
          expect(groups.at(-1)?.every(isOurs)).toBe(true)
          return groups.flat().filter(isOurs).length
        })
        expect(ours).toEqual(events.map(() => 1))
        const before = (data(text) ?? {}) as { hooks?: Record<string, unknown> }
        const under: Record<string, unknown> = { ...before.hooks }
        for (const event of events) under[event] ??= []
        const hooks = entries === "listed" ? (before.hooks ?? []) : under
        const opening = data(text) === undefined ? dialects[agent].opening : {}
        expect(foreign(nextText)).toBe(foreign(JSON.stringify({ ...opening, ...before, hooks })))
      }),
      runs
    )
  })

  it("writes strict JSON into a strict file", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ agent, text, events, http }) => {
        const strict = (() => {
          try {
            return text === undefined || text.trim() === "" || JSON.parse(text) !== undefined
          } catch {
            return false
          }
        })()
        FastCheck.pre(strict && !text?.startsWith("\uFEFF"))
        const { nextText } = install(input(agent, events, text, http))
        expect(() => JSON.parse(nextText)).not.toThrow()
      }),
      runs
    )
  })
})

/** What another program does to the file in between. */
const edits = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom("theme", "hooks").map((key) => ({ kind: "set", key }) as const),
    FastCheck.record({
      kind: FastCheck.constant("group" as const),
      event: FastCheck.nat(),
      first: FastCheck.boolean()
    }),
    FastCheck.constant({ kind: "reformat" } as const),
    FastCheck.constant({ kind: "comment" } as const)
  ),
  { minLength: 1, maxLength: 4 }
)
type Edits = typeof edits extends FastCheck.Arbitrary<infer T> ? T : never

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } }

const applyAll = (text: string, events: readonly string[], all: Edits): string =>
  all.reduce((now, edit, index) => {
    const bom = now.startsWith("\uFEFF") ? "\uFEFF" : ""
    const body = now.slice(bom.length)
    if (edit.kind === "comment") return `${bom}// a note\n${body}`
    if (edit.kind === "reformat") return JSON.stringify(data(body), null, 2)
    if (edit.kind === "set" && edit.key === "theme") {
      return bom + applyEdits(body, modify(body, [`theme${index}`], "dark", formatting))
    }
    const event = edit.kind === "group" ? events[edit.event % events.length] : "Elsewhere"
    const action = { type: "command", command: `foreign ${index}` }
    const { hooks } = data(body) as { hooks?: unknown[] | Record<string, unknown[]> }
    const isList = Array.isArray(hooks)
    const group = isList ? { trigger: event, action } : { hooks: [action] }
    const path = isList ? ["hooks"] : ["hooks", event ?? "Elsewhere"]
    const groups = isList ? hooks : hooks?.[event ?? "Elsewhere"]
    const change =
      groups === undefined
        ? modify(body, path, [group], formatting)
        : modify(body, [...path, edit.kind === "group" && edit.first ? 0 : -1], group, {
            ...formatting,
            isArrayInsertion: true
          })
    return bom + applyEdits(body, change)
  }, text)

describe("uninstall after foreign edits", () => {
  const strict = cases.filter(({ text }) => {
    // jsonc-parser's own editing, used here as the other program, goes wrong between comments and stray commas.
    try {
      JSON.parse(text ?? "{}")
      return true
    } catch {
      return false
    }
  })

  it("takes only ours and leaves the edits", () => {
    FastCheck.assert(
      FastCheck.property(strict, edits, ({ agent, text, events, http }, all) => {
        const { nextText, record } = install(input(agent, events, text, http))
        const edited = applyAll(nextText, events, all)
        const left = uninstall(edited, record).nextText
        expect((left ?? "").includes(bin.slice(bin.lastIndexOf("/.local")))).toBe(false)
        // Containers that we made and that hold nothing any more go too: compare what is in them.
        const bare = (one: string): unknown => {
          const { hooks, ...others } = JSON.parse(foreign(one)) as { hooks?: Record<string, unknown[]> }
          const opened = data(text) === undefined ? Object.keys(dialects[agent].opening ?? {}) : []
          const rest = Object.entries(others).filter(([key]) => !opened.includes(key))
          return [
            rest,
            Object.entries(hooks ?? {}).filter(([, groups]) => !Array.isArray(groups) || groups.length > 0)
          ]
        }
        expect(bare(left ?? "")).toEqual(bare(edited))
      }),
      runs
    )
  })

  it("keeps a file we did not have to touch exactly as it is", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ text }) => {
        FastCheck.pre(text !== undefined)
        expect(uninstall(text ?? "").nextText).toBe(text)
      }),
      runs
    )
  })

  it("gives back the bytes around ours when the edit was elsewhere", () => {
    FastCheck.assert(
      FastCheck.property(cases, ({ agent, text, events, http }) => {
        FastCheck.pre(
          text !== undefined &&
            !text.startsWith("\uFEFF") &&
            !/,\s*(\/\/.*\s*|\/\*[\s\S]*?\*\/\s*)*[\]}]/.test(text)
        )
        const { nextText, record } = install(input(agent, events, text, http))
        const note = "/* someone was here */"
        expect(uninstall(note + nextText, record).nextText).toBe(note + text)
      }),
      runs
    )
  })
})
