/** The token that lets this tab ask: it comes in the fragment of the first address, is taken off, and stays with the tab. */
import { signal } from "@preact/signals"

const key = "hooktape-token"

export const token = signal<string | null>(null)
/** Whether this tab had one, and whoever answers now does not know it. */
export const isOver = signal(false)

/** Fragments are `#token=…`, or the token alone. */
export const tokenIn = (fragment: string): string | null => {
  const text = fragment.replace(/^#(token=)?/, "")
  return /^[\w-]{16,}$/.test(text) ? text : null
}

export const takeToken = (): void => {
  const given = tokenIn(location.hash)
  if (given !== null) {
    sessionStorage.setItem(key, given)
    isOver.value = false
    history.replaceState(null, "", location.pathname + location.search)
  }
  token.value = given ?? sessionStorage.getItem(key)
}

/** Whoever gave it out has ended, and another answers. */
export const dropToken = (): void => {
  isOver.value = true
  sessionStorage.removeItem(key)
  token.value = null
}
