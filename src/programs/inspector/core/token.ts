/** The token that lets this tab ask: it comes in the fragment of the first address, is taken off, and stays with the tab. */
import { signal } from "@preact/signals"

const key = "hooktape-token"

export const token = signal<string | null>(null)

/** Fragments are `#token=…`, or the token alone. */
export const tokenIn = (fragment: string): string | null => {
  const text = fragment.replace(/^#(token=)?/, "")
  return /^[\w-]{16,}$/.test(text) ? text : null
}

export const takeToken = (): void => {
  const given = tokenIn(location.hash)
  if (given !== null) {
    sessionStorage.setItem(key, given)
    history.replaceState(null, "", location.pathname + location.search)
  }
  token.value = given ?? sessionStorage.getItem(key)
}

/** The host does not know it any more. */
export const dropToken = (): void => {
  sessionStorage.removeItem(key)
  token.value = null
}
