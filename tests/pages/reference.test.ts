/** The reference lists what there is: every key of the settings, every fact with its fields. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { Fact } from "../../events/facts.ts"
import type { HookDefinition, When } from "../../src/hooks/defineHook.ts"
import { knownTypes } from "../../src/log/validity.ts"
import { parseConfig } from "../../src/state/config.ts"
import { configJsonSchema } from "../../src/state/configShape.ts"
import { rows } from "../support/markdown.ts"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")
const page = (name: string) => read(`docs/reference/${name}.md`)

/** The text under a heading of the third level. */
const section = (markdown: string, title: string): string =>
  markdown.split(/^#{2,3} /m).find((part) => part.startsWith(`${title}\n`)) ?? ""

describe("docs/reference/facts.md", () => {
  const told = new Map(
    rows(page("facts")).flatMap(([type = "", meaning = "", fields = ""]) =>
      type.startsWith("`") ? [[type.slice(1, -1), { meaning, fields }] as const] : []
    )
  )

  const members = (ast: AST.AST): readonly AST.AST[] =>
    ast._tag === "Union" ? ast.types.flatMap(members) : [ast]
  const shapes = members(Schema.typeSchema(Fact).ast).flatMap((ast) => {
    if (ast._tag !== "TypeLiteral") return []
    const type = ast.propertySignatures.find(({ name }) => name === "type")?.type
    const fields = ast.propertySignatures
      .filter(({ name }) => name !== "type")
      .map(({ name, isOptional }) => `\`${String(name)}${isOptional ? "?" : ""}\``)
    return [{ type: type?._tag === "Literal" ? String(type.literal) : "", fields: fields.join(", ") }]
  })

  it("has every fact, once, and no other", () => {
    expect([...told.keys()]).toEqual([...knownTypes])
    expect(shapes.map(({ type }) => type)).toEqual([...knownTypes])
  })

  it.each(shapes)("has what $type means, and its fields", ({ type, fields }) => {
    expect(told.get(type)).toMatchObject({ meaning: expect.stringMatching(/./), fields })
  })
})

describe("docs/reference/configuration.md", () => {
  const text = page("configuration")

  it("has every key and no other", () => {
    interface Described {
      readonly properties: Readonly<Record<string, object>>
    }
    const schema = configJsonSchema() as {
      readonly properties: Readonly<Record<string, { readonly additionalProperties?: Described }>>
    }
    const { hooks, ...others } = schema.properties
    const own = Object.keys(hooks?.additionalProperties?.properties ?? {}).map((key) => `hooks.<name>.${key}`)
    expect(own.length).toBeGreaterThan(3)
    const keys = [...Object.keys(others), ...own].map((key) => `\`${key}\``)
    const listed = rows(text).slice(1)
    expect(listed.map(([key = ""]) => key).toSorted()).toEqual(keys.toSorted())
  })

  it("begins each file with an example that is accepted", () => {
    const examples = [...text.matchAll(/^## .*\n\n```json\n([\s\S]*?)```/gm)].map(
      ([, example = ""]) => example
    )
    expect(examples).toHaveLength(2)
    for (const example of examples)
      expect(parseConfig("config.json", example)).toMatchObject({ _tag: "Right" })
  })
})

describe("docs/how-to/write-a-hook.md", () => {
  // The compiler sees to it that no option is missing here.
  const options: Readonly<Record<keyof HookDefinition, true>> = {
    name: true,
    on: true,
    run: true,
    when: true,
    priority: true,
    deadline: true,
    onFailure: true,
    ifCannotAsk: true,
    onError: true,
    agents: true,
    enabled: true,
    background: true,
    once: true,
    cooldown: true,
    rateLimit: true,
    whenFull: true,
    deliver: true,
    retry: true,
    needsDirectory: true,
    final: true,
    metadata: true,
    settings: true
  }
  const conditions: Readonly<Record<keyof When, true>> = {
    tool: true,
    toolName: true,
    command: true,
    path: true,
    project: true,
    agent: true,
    matches: true
  }
  const text = read("docs/how-to/write-a-hook.md")
  const keys = (table: string) => rows(table).flatMap(([key = ""]) => /^`(\w+)`$/.exec(key)?.[1] ?? [])

  it("has every option of a hook and every condition, and no other", () => {
    expect(keys(section(text, "Options"))).toEqual(Object.keys(options))
    expect(keys(section(text, "When it runs"))).toEqual(Object.keys(conditions))
  })
})
