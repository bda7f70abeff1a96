/** A page without a token that is known: why, and what to run. */
import { isOver } from "../core/token.ts"
import { Logo } from "./icons.tsx"

export const Gate = () => (
  <main class="gate card">
    <h1>
      <Logo /> {isOver.value ? "The key of this tab has ended." : "This page has no key to your hooks."}
    </h1>
    <p>
      {isOver.value
        ? "The command that gave it out was ended, and another one answers here now. Open the address that the new one prints; this tab’s key opens nothing any more."
        : "What hooks see is private, so each tab needs the address that hooktape gives out. Run this in a terminal, and open the address that it prints:"}
    </p>
    <code class="cmd">hooktape inspect</code>
    <p class="muted sm">
      A key belongs to one tab and ends with the command that gave it out.
      {isOver.value ? "" : " Nothing was read, and nothing was sent anywhere."}
    </p>
  </main>
)
