/** Arbitrary settings files as people and other tools leave them: any layout, comments, commas, line ends, foreign hooks. */
import * as FastCheck from "effect/FastCheck"
import { dialects, type InstallAgent, installAgents } from "../../src/tools/install/dialects.ts"
import type { OverHttp } from "../../src/tools/install/plan.ts"
import { httpEvents } from "../../src/tools/install/transport.ts"

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value }

const word = FastCheck.constantFrom(
  "model",
  "env",
  "a b",
  "ключ",
  "x,}",
  "// no comment",
  'q"uote',
  "__proto__",
  "permissions"
)

const leaf: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.constantFrom<Value>(null, true, false, 0, -1.5, "", "a\nb", "[{", "*/", "// x", "'", "\u2028"),
  FastCheck.string({ maxLength: 8 })
)

const { value } = FastCheck.letrec<{ value: Value }>((tie) => ({
  value: FastCheck.oneof(
    { maxDepth: 2 },
    leaf,
    FastCheck.array(tie("value"), { maxLength: 3 }),
    FastCheck.dictionary(word, tie("value"), { maxKeys: 3 })
  )
}))

const foreignCommand = FastCheck.constantFrom(
  "prettier --write .",
  "exec '/opt/other/bin/hooks' claude-code Stop",
  "/usr/local/bin/hook claude-code Stop",
  "exec '/opt/tool/bin/hook' some-agent Stop",
  "exec '/opt/tool/bin/hook' codex",
  "echo \"exec '/x/bin/hook' codex Stop\" "
)

const foreignHandler: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.record({ type: FastCheck.constant("command"), command: foreignCommand }),
  FastCheck.record({ type: FastCheck.constant("http"), url: FastCheck.constant("http://127.0.0.1:1/") }),
  // At our path without our header, and with it somewhere else.
  FastCheck.record({ url: FastCheck.constant("http://127.0.0.1:20000/v1/hooks/claude-code/Stop") }),
  FastCheck.record({
    url: FastCheck.constantFrom(
      "https://127.0.0.1:20000/v1/hooks/claude-code/Stop",
      "http://example.org:20000/v1/hooks/claude-code/Stop",
      "http://127.0.0.1:20000/v1/hooks/someone/Stop"
    ),
    headers: FastCheck.constant({ "Hooktape-State": "/home/somebody" })
  }),
  leaf
)

export const foreignGroup: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.record({
    matcher: FastCheck.constantFrom("Bash", "*", ""),
    hooks: FastCheck.array(foreignHandler, { maxLength: 2 })
  }),
  FastCheck.record({ hooks: FastCheck.array(foreignHandler, { maxLength: 2 }) }),
  leaf
)

const foreignEntry: FastCheck.Arbitrary<Value> = FastCheck.oneof(
  FastCheck.record({ command: foreignCommand }),
  FastCheck.record({ command: foreignCommand, timeout: FastCheck.constantFrom(5, 30) }),
  foreignGroup
)

/** As others have them where all events' entries stand in one list. */
const foreignListed = (agent: InstallAgent): FastCheck.Arbitrary<Value> =>
  FastCheck.array(
    FastCheck.oneof(
      FastCheck.record({
        trigger: FastCheck.constantFrom("NotAnEvent", ...Object.keys(dialects[agent].events)),
        action: foreignHandler
      }),
      leaf
    ),
    { maxLength: 4 }
  )

const hooksOf = (agent: InstallAgent): FastCheck.Arbitrary<Value> =>
  dialects[agent].entries === "listed" ? foreignListed(agent) : underEvents(agent)

const underEvents = (agent: InstallAgent): FastCheck.Arbitrary<Value> =>
  FastCheck.dictionary(
    FastCheck.constantFrom("NotAnEvent", "disabled", ...Object.keys(dialects[agent].events)),
    FastCheck.array(dialects[agent].entries === undefined ? foreignGroup : foreignEntry, { maxLength: 3 }),
    { maxKeys: 4 }
  )

const entriesOf = (agent: InstallAgent): FastCheck.Arbitrary<readonly (readonly [string, Value])[]> =>
  FastCheck.tuple(
    FastCheck.array(FastCheck.tuple(word, value), { maxLength: 3 }),
    FastCheck.option(hooksOf(agent), { freq: 3 }),
    FastCheck.array(FastCheck.tuple(word, value), { maxLength: 2 })
  ).map(([before, hooks, after]) => [
    ...before,
    ...(hooks === null ? [] : [["hooks", hooks] as const]),
    ...after
  ])

interface Layout {
  /** Read round and round: what stands between two tokens. */
  readonly gaps: readonly string[]
  readonly trailing: readonly boolean[]
}

const gap = FastCheck.constantFrom(
  "",
  "",
  " ",
  "  ",
  "\t",
  "\n",
  "\n  ",
  "\r\n",
  "\r\n\t",
  "\n\n",
  " // a, ] }\n",
  "/* b , } */",
  " // c\r\n   ",
  "\n/* d\n*/\n"
)

const wild: FastCheck.Arbitrary<Layout> = FastCheck.record({
  gaps: FastCheck.array(gap, { minLength: 1, maxLength: 23 }),
  trailing: FastCheck.array(FastCheck.boolean(), { minLength: 1, maxLength: 5 })
})

const print = (entries: readonly (readonly [string, Value])[], layout: Layout): string => {
  let at = 0
  const gapNow = (): string => layout.gaps[at++ % layout.gaps.length] ?? ""
  const trailing = (): string => (layout.trailing[at++ % layout.trailing.length] ? `${gapNow()},` : "")
  const list = (open: string, items: readonly string[], close: string): string =>
    `${open}${items.join(",")}${items.length > 0 ? trailing() : ""}${gapNow()}${close}`
  const show = (one: Value): string => {
    if (one === null || typeof one !== "object") return JSON.stringify(one)
    if (Array.isArray(one))
      return list(
        "[",
        one.map((item: Value) => gapNow() + show(item) + gapNow()),
        "]"
      )
    return pairs(Object.entries(one))
  }
  const pairs = (all: readonly (readonly [string, Value])[]): string =>
    list(
      "{",
      all.map(
        ([key, one]) => `${gapNow()}${JSON.stringify(key)}${gapNow()}:${gapNow()}${show(one)}${gapNow()}`
      ),
      "}"
    )
  return gapNow() + pairs(entries) + gapNow()
}

const indents = FastCheck.constantFrom(undefined, "  ", "    ", "\t", " ", "       ")

const tidy = (
  entries: readonly (readonly [string, Value])[],
  indent: string | undefined,
  eol: string
): string => JSON.stringify(Object.fromEntries(entries), null, indent).replaceAll("\n", eol)

const blank = FastCheck.constantFrom(
  "",
  " ",
  "\n",
  "\r\n",
  "  \n\t",
  "// nothing yet",
  "// nothing yet\n",
  "/* later */",
  "\n/* later */  "
)

const tidyText = (agent: InstallAgent): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(
    entriesOf(agent),
    indents,
    FastCheck.constantFrom("\n", "\r\n"),
    FastCheck.constantFrom("", "\n", "\r\n", "\n\n")
  ).map(([entries, indent, eol, end]) => tidy(entries, indent, eol) + end)

const wildText = (agent: InstallAgent): FastCheck.Arbitrary<string> =>
  FastCheck.tuple(entriesOf(agent), wild).map(([entries, layout]) => print(entries, layout))

/** The text of a settings file with no hook of ours; `undefined` where there is no file. */
export const settingsText = (agent: InstallAgent): FastCheck.Arbitrary<string | undefined> =>
  FastCheck.oneof(
    { weight: 1, arbitrary: FastCheck.constant(undefined) },
    {
      weight: 9,
      arbitrary: FastCheck.tuple(
        FastCheck.constantFrom("", "", "", "\uFEFF"),
        FastCheck.oneof(
          { weight: 1, arbitrary: blank },
          { weight: 3, arbitrary: tidyText(agent) },
          { weight: 6, arbitrary: wildText(agent) }
        )
      ).map(([bom, text]) => bom + text)
    }
  )

export const agentNames = FastCheck.constantFrom<InstallAgent[]>(...installAgents)

export const someEvents = (agent: InstallAgent): FastCheck.Arbitrary<string[]> =>
  FastCheck.subarray(Object.keys(dialects[agent].events), { minLength: 1 })

/** Some events over HTTP where the agent can, at one of a few places. */
export const someOverHttp = (agent: InstallAgent): FastCheck.Arbitrary<OverHttp | undefined> => {
  const events = httpEvents(agent)
  if (events.length === 0) return FastCheck.constant(undefined)
  return FastCheck.option(
    FastCheck.record({
      events: FastCheck.subarray([...events]),
      target: FastCheck.record({
        port: FastCheck.constantFrom(20_000, 31_999),
        token: FastCheck.constantFrom("0123456789abcdef".repeat(2), "f".repeat(32)),
        state: FastCheck.constantFrom("/home/o'neil/.local/state/hooktape", "/a b/$HOME/ключ/%41")
      })
    }),
    { nil: undefined }
  )
}
