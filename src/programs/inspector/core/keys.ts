/** Keys. None in text fields, none with modifiers. */
import { effect, signal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { go } from "./router.ts"
import { switchTheme } from "./theme.ts"

type Action = () => void

/** Views in the order of the rail: `1` is the first. */
export const numbered = [
  "/live",
  "/session",
  "/actors",
  "/log",
  "/call",
  "/whatif",
  "/hooks",
  "/jobs",
  "/health"
] as const

export const isHelpOpen = signal(false)
/** Set by the search field. */
export const searchField = signal<HTMLInputElement | null>(null)

const handlers = new Map<string, Action[]>()

/** Whoever asked last for a key gets it; the function that comes back gives it up. */
const onKeys = (keys: Readonly<Record<string, Action>>): Action => {
  for (const [key, action] of Object.entries(keys)) handlers.set(key, [...(handlers.get(key) ?? []), action])
  return () => {
    for (const [key, action] of Object.entries(keys))
      handlers.set(
        key,
        (handlers.get(key) ?? []).filter((one) => one !== action)
      )
  }
}

/**
 * Keys of a view while it is shown. They change together with what is on screen, before the next key can come: an effect that waits
 * for a frame would answer a quick key with what was there before, or not at all.
 */
export const useKeys = (keys: Readonly<Record<string, Action>>): void => useLayoutEffect(() => onKeys(keys))

const takesText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  (target.matches("input:not([type=range]):not([type=checkbox]), textarea, select") ||
    target.closest("dialog") !== null)

const always: Readonly<Record<string, Action>> = {
  "/": () => searchField.value?.focus(),
  t: switchTheme,
  c: () => go("/chains"),
  m: () => go("/metrics"),
  "?": () => {
    isHelpOpen.value = true
  },
  Escape: () => history.back()
}

export const listenToKeys = (): void => {
  effect(() => void isHelpOpen.value)
  addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || takesText(event.target)) return
    // A button takes its own Enter and space, a list its own arrows.
    const isButton = event.target instanceof Element && event.target.matches("button, a, summary")
    if (isButton && (event.key === "Enter" || event.key === " ")) return
    const number = /^[1-9]$/.test(event.key) ? numbered[Number(event.key) - 1] : undefined
    const action =
      handlers.get(event.key)?.at(-1) ?? (number === undefined ? always[event.key] : () => go(number))
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}
