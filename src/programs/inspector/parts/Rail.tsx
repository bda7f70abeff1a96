/** The views, with what each has to tell before it is opened; below, who serves. */
import { useEffect, useRef } from "preact/hooks"
import { clock, count } from "../core/format.ts"
import { place, view } from "../core/router.ts"
import { goneSince, status } from "../core/stream.ts"
import { Icon, Logo, type ViewIcon } from "./icons.tsx"

interface Item {
  readonly name: ViewIcon
  readonly text: string
  readonly group?: string
  readonly say?: { readonly text: string; readonly isBad?: boolean } | undefined
}

/** Where a view was left: coming back is coming back to what was selected. */
const lastPlaces = new Map<string, string>()

const itemsNow = (): readonly Item[] => {
  const { failingHooks = 0, openSessions = 0, sessions = 0, unwell = null } = status.value ?? {}
  return [
    { name: "live", text: "Live", say: openSessions > 0 ? { text: `${openSessions} open` } : undefined },
    { name: "session", text: "Sessions", say: sessions > 0 ? { text: count(sessions) } : undefined },
    { name: "actors", text: "Actors" },
    { name: "log", text: "Log" },
    { name: "call", text: "Call", group: "One call" },
    { name: "whatif", text: "What-if" },
    {
      name: "hooks",
      text: "Hooks",
      group: "Over time",
      say: failingHooks > 0 ? { text: `${failingHooks} failing`, isBad: true } : undefined
    },
    { name: "chains", text: "Chains" },
    { name: "metrics", text: "Metrics" },
    { name: "jobs", text: "Jobs" },
    {
      name: "health",
      text: "Health",
      say: unwell !== null && unwell > 0 ? { text: String(unwell), isBad: true } : undefined
    }
  ]
}

const Host = () => {
  const now = status.value
  if (goneSince.value !== null)
    return (
      <div class="hostbox">
        <span class="dot gone" />
        <b>Nobody answers</b>
        <br />
        since {clock(goneSince.value)}
      </div>
    )
  if (now === null) return <div class="hostbox">Asking</div>
  const { host } = now
  return (
    <div class="hostbox">
      <span class={`dot ${host === null ? "none" : ""}`} />
      <b>{host === null ? "No host runs" : `Host ${host.state}`}</b>
      <br />
      {host === null ? "calls are answered without it" : `process ${host.pid}`}
      <br />
      {count(now.position)} facts on the log
      <br />
      read-only, local
    </div>
  )
}

export const Rail = () => {
  const here = view.value
  const nav = useRef<HTMLElement>(null)
  // Where the rail lies across, the view may stand outside of what is in sight.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [here, status.value === null])
  useEffect(() => void lastPlaces.set(here, location.pathname + location.search), [place.value])
  return (
    <nav class="rail" aria-label="Views" ref={nav}>
      <a class="brand" href="/live" aria-label="hooktape">
        <Logo />
        <span>hooktape</span>
      </a>
      {itemsNow().map(({ group, name, say, text }) => (
        <>
          {group !== undefined && <span class="grp">{group}</span>}
          <a
            class="item"
            key={name}
            href={here === name ? `/${name}` : (lastPlaces.get(name) ?? `/${name}`)}
            aria-current={here === name ? "page" : undefined}
          >
            <Icon name={name} />
            {text}
            {say !== undefined && <span class={`n ${say.isBad === true ? "bad" : ""}`}>{say.text}</span>}
          </a>
        </>
      ))}
      <Host />
    </nav>
  )
}
