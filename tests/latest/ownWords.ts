/** What an agent's own files say of its hooks: which events it has, and what a hook's entry in its settings may hold. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Agent } from "../support/agents/agents.ts"
import { agentBinary } from "../support/agents/install.ts"

export interface OwnWords {
  readonly events: ReadonlyArray<string>
  /** Keys of a hook's entry; `kind: command` where a key has known values. */
  readonly settings: ReadonlyArray<string>
}

/** Each once. */
export const sorted = (words: Iterable<string>): ReadonlyArray<string> => [...new Set(words)].sort()

/** Of an object's inside, which `text` begins with: where it ends, and what of it stands neither in brackets nor between quotes. */
const objectAt = (text: string): { readonly length: number; readonly top: string } => {
  let [top, depth, quote] = ["", 0, ""]
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (quote !== "") {
      if (char === "\\") at++
      else if (char === quote) quote = ""
    } else if (`"'\``.includes(char)) quote = char
    else if ("([{".includes(char)) depth++
    else if (")]}".includes(char)) {
      if (--depth < 0) return { length: at, top }
    } else if (depth === 0) top += char
  }
  return { length: text.length, top }
}

/** The longest list of names in it that has `among` them. */
const longestList = (text: string, among: string): ReadonlyArray<string> =>
  [...text.matchAll(/\[(?:"[A-Z][A-Za-z]+",){5,80}"[A-Z][A-Za-z]+"\]/g)]
    .map(([list]) => JSON.parse(list) as ReadonlyArray<string>)
    .filter((list) => list.includes(among))
    .reduce<ReadonlyArray<string>>((longest, list) => (list.length > longest.length ? list : longest), [])

/** Claude Code is one program with its scripts in it, and checks its settings by a schema that is written there. */
export const claudeWords = (text: string): OwnWords => {
  const entries = [...text.matchAll(/type:[\w$]+\("(command|prompt|agent|http|mcp_tool)"\)/g)].flatMap(
    (found) => {
      const after = text.slice(found.index, found.index + 20_000)
      const { length, top } = objectAt(after)
      const keys = [...top.matchAll(/(?:^|,)([A-Za-z]+):/g)].map(([, key]) => key as string)
      // The schema says what each key is for; others of the same look are of what it writes, not of what it reads.
      return keys.includes("timeout") && after.slice(0, length).includes("Timeout in seconds")
        ? keys.map((key) => (key === "type" ? `type: ${found[1]}` : key))
        : []
    }
  )
  return { events: sorted(longestList(text, "PreToolUse")), settings: sorted(entries) }
}

interface Schema {
  readonly enum?: ReadonlyArray<string>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Codex prints the schema of what it tells editors, its settings among it. */
export const codexWords = (definitions: Readonly<Record<string, Schema>>): OwnWords => ({
  events: sorted(
    (definitions["HookEventName"]?.enum ?? []).map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`)
  ),
  settings: sorted(
    (definitions["ConfiguredHookHandler"]?.oneOf ?? []).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([key, { enum: values }]) =>
        (values ?? [""]).map((value) => (value === "" ? key : `${key}: ${value}`))
      )
    )
  )
})

/** Gemini CLI has its events as an enumeration, and brings the pages that describe the rest. */
export const geminiWords = (scripts: string, reference: string): OwnWords => ({
  events: sorted(
    [...scripts.matchAll(/HookEventName\d*\["(\w+)"\] ?= ?"\w+"/g)].map(([, name]) => name as string)
  ),
  settings: sorted([...reference.matchAll(/^\| *`(\w+)` *\|/gm)].map(([, name]) => name as string))
})

const codexDefinitions = (): Readonly<Record<string, Schema>> => {
  const folder = mkdtempSync(join(tmpdir(), "hooktape-schema-"))
  try {
    const { status, stderr } = spawnSync(
      agentBinary("codex"),
      ["app-server", "generate-json-schema", "--out", join(folder, "schema")],
      { env: { PATH: process.env["PATH"] ?? "", HOME: folder }, encoding: "utf8" }
    )
    if (status !== 0) throw new Error(`Codex prints no schema: ${stderr}`)
    const file = join(folder, "schema", "codex_app_server_protocol.v2.schemas.json")
    return (JSON.parse(readFileSync(file, "utf8")) as { definitions: Record<string, Schema> }).definitions
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const read: Readonly<Record<Agent, () => OwnWords>> = {
  "claude-code": () => claudeWords(readFileSync(realpathSync(agentBinary("claude-code")), "latin1")),
  codex: () => codexWords(codexDefinitions()),
  "gemini-cli": () => {
    const bundle = dirname(realpathSync(agentBinary("gemini-cli")))
    const scripts = readdirSync(bundle)
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(bundle, name), "utf8"))
    return geminiWords(
      scripts.join("\n"),
      readFileSync(join(bundle, "docs", "hooks", "reference.md"), "utf8")
    )
  }
}

/** An agent in whose files nothing is found has them elsewhere by now: then there is nothing to compare. */
export const ownWords = (agent: Agent): OwnWords => {
  const words = read[agent]()
  if (words.events.length === 0 || words.settings.length === 0)
    throw new Error(`nothing about hooks was found in the files of ${agent}: see tests/latest/ownWords.ts`)
  return words
}
