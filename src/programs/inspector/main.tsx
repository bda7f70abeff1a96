/** Where the page starts: takes the token off the address, then draws. */
import { render } from "preact"
import { App } from "./App.tsx"
import { listenToKeys } from "./core/keys.ts"
import { listenToRoutes } from "./core/router.ts"
import { startStream } from "./core/stream.ts"
import { applyTheme } from "./core/theme.ts"
import { takeToken, token } from "./core/token.ts"

const root = document.getElementById("app")
if (root === null) throw new Error("the page has no place for the inspector")

takeToken()
applyTheme()
listenToRoutes()
listenToKeys()
if (token.value !== null) startStream()
// Preact leaves what stood there before beside what it draws.
root.replaceChildren()
render(<App />, root)
