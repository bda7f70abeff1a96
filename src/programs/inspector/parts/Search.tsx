/** Search everywhere: over commands, files, hooks, reasons and ids. */
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import type { Found } from "../../../features/inspector/contract/search.ts"
import { ask } from "../core/api.ts"
import { aimOf, counted, dayed, oneLine, projectName, shortSession, span } from "../core/format.ts"
import { searchField } from "../core/keys.ts"
import { addressOf, go } from "../core/router.ts"
import { useAsk } from "../core/useAsk.ts"
import { addressOfCall } from "../views/CallRow.tsx"
import { Icon } from "./icons.tsx"
import { aboutOf, OutcomeTag } from "./outcomes.tsx"

interface Hit {
  readonly address: string
  readonly when: string
  readonly text: string
  readonly name: string
  readonly call?: Found["calls"][number]
  readonly end: string
}

interface Hits {
  /** What was asked for. */
  readonly text: string
  readonly hits: readonly Hit[]
}

const hitsOf = ({ calls, hooks, sessions }: Found): readonly Hit[] => [
  ...hooks.slice(0, 3).map((hook) => ({
    address: addressOf(["hooks"], { hook }),
    when: "hook",
    name: hook,
    text: "",
    end: ""
  })),
  ...sessions.slice(0, 3).map(({ calls: many, project, session, source, title }) => ({
    address: addressOf(["session", session]),
    when: "session",
    name: `${projectName(project)} ${shortSession(session)}`,
    text: oneLine(title ?? ""),
    end: source === "transcript" ? "transcript" : counted(many, "call")
  })),
  ...calls.map((call) => ({
    address: addressOfCall(call),
    when: dayed(call.at),
    name: aboutOf(call),
    text: aimOf(call.subject, call.project),
    call,
    end: call.source === "transcript" ? "transcript" : call.waitMs === null ? "" : span(call.waitMs)
  }))
]

/** What was looked for, where it stands. */
export const Marked = ({ part, text }: { readonly text: string; readonly part: string }) => {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase())
  if (at < 0) return <>{text}</>
  // What is found far behind is brought into sight.
  const from = at > 60 ? at - 20 : 0
  return (
    <>
      {from > 0 && "…"}
      {text.slice(from, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  )
}

const FoundList = ({
  chosen,
  onFound,
  text
}: {
  readonly text: string
  readonly chosen: number
  readonly onFound: (answer: Hits) => void
}) => {
  const { error, value } = useAsk(`search ${text}`, (signal) => ask("search", { text }, "", signal))
  const hits = value === undefined ? [] : hitsOf(value)
  useLayoutEffect(() => {
    if (value !== undefined) onFound({ text, hits })
  }, [text, value])
  if (error !== undefined) return <div class="empty">{error.message}</div>
  if (value === undefined) return <div class="empty">Looking</div>
  if (hits.length === 0)
    return (
      <div class="empty">
        <b>Nothing has “{text}”.</b>
        Commands, files, prompts, hooks, reasons and ids were searched.
      </div>
    )
  return (
    <>
      {hits.map(({ address, call, end, name, text: line, when }, at) => (
        <a
          key={address}
          class="hit"
          id={`hit-${at}`}
          role="option"
          aria-selected={at === chosen}
          href={address}
          tabIndex={-1}
        >
          <span class="sm muted num">{when}</span>
          <span class="ell">
            <b>{name}</b>{" "}
            <code>
              <Marked text={line} part={text} />
            </code>
            {call?.reason != null && <span class="muted sm"> {oneLine(call.reason)}</span>}
          </span>
          <span class="sm num muted">
            {call !== undefined && call.outcome === "blocked" ? (
              <OutcomeTag by={null} outcome="blocked" />
            ) : (
              end
            )}
          </span>
        </a>
      ))}
      {value.totalCalls > value.calls.filter(({ source }) => source === undefined).length && (
        <a class="hit" href={addressOf(["live"], { show: "all", text })} tabIndex={-1}>
          <span />
          <span class="muted">All {counted(value.totalCalls, "call")}</span>
        </a>
      )}
    </>
  )
}

export const Search = () => {
  const [text, put] = useState("")
  const [isOpen, open] = useState(false)
  const [chosen, choose] = useState(0)
  const found = useRef<Hits>({ text: "", hits: [] })
  /** Enter came before the answer: what was asked for is gone to once it is found. */
  const wanted = useRef<string | null>(null)
  const asked = text.trim()
  const close = (): void => {
    open(false)
    searchField.value?.blur()
  }
  const goTo = (hit: Hit | undefined): void => {
    if (hit === undefined) return
    go(hit.address)
    close()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choose((at) => Math.max(0, Math.min(at + 1, found.current.hits.length - 1))),
      ArrowUp: () => choose((at) => Math.max(at - 1, 0)),
      Escape: close,
      Enter: () => {
        if (found.current.text === asked) goTo(found.current.hits[chosen])
        else wanted.current = asked
      }
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    step()
  }
  const isShown = isOpen && asked !== ""
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={(node) => {
          searchField.value = node
        }}
        type="text"
        role="combobox"
        placeholder="Command, file, hook, reason, id"
        aria-label="Search"
        aria-expanded={isShown}
        aria-controls="hits"
        aria-activedescendant={isShown ? `hit-${chosen}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          wanted.current = null
          put(event.currentTarget.value)
          choose(0)
          open(true)
        }}
        onFocus={() => open(true)}
        onBlur={() => {
          wanted.current = null
          setTimeout(() => open(false), 150)
        }}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      <div class="hits" id="hits" role="listbox" aria-label="Found" hidden={!isShown}>
        {isShown && (
          <FoundList
            text={asked}
            chosen={chosen}
            onFound={(answer) => {
              found.current = answer
              if (wanted.current !== answer.text) return
              wanted.current = null
              goTo(answer.hits[0])
            }}
          />
        )}
      </div>
    </search>
  )
}
