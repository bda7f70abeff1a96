/** Every selection is an address: a path and what stands behind its question mark. */
import { computed, signal } from "@preact/signals"

interface Place {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

const placeNow = (): Place => ({
  path: location.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent),
  query: Object.fromEntries(new URLSearchParams(location.search))
})

export const place = signal<Place>({ path: [], query: {} })
export const view = computed(() => place.value.path[0] ?? "live")
export const subject = computed(() => place.value.path[1] ?? null)
export const query = computed(() => place.value.query)

type Changes = Readonly<Record<string, string | number | null | undefined>>

/** `/call/<id>?fact=3`; what is null or empty is left out. */
export const addressOf = (path: readonly string[], changes: Changes = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(changes))
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value))
  const behind = search.size === 0 ? "" : `?${search}`
  return `/${path.map(encodeURIComponent).join("/")}${behind}`
}

export const go = (address: string): void => {
  if (address === location.pathname + location.search) return
  history.pushState(null, "", address)
  place.value = placeNow()
}

/** Changes what is selected here. A step back goes to the view before, not through each selection. */
export const select = (changes: Changes, push = false): void => {
  const next = { ...place.value.query, ...changes }
  const address = addressOf(place.value.path, next)
  if (push) return go(address)
  history.replaceState(null, "", address)
  place.value = placeNow()
}

export const listenToRoutes = (): void => {
  place.value = placeNow()
  addEventListener("popstate", () => {
    place.value = placeNow()
  })
  // Links are links: they are copied, opened in another tab, and followed here without loading the page anew.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || link.origin !== location.origin || link.target !== "") return
    if (link.hash !== "" && link.pathname === location.pathname) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
