/** A page that was opened without its token: what to run. */
import { Logo } from "./icons.tsx"

export const Gate = () => (
  <main class="gate card">
    <h1>
      <Logo /> This page has no key to your hooks.
    </h1>
    <p>
      What hooks see is private, so each tab needs the address that hooktape gives out. Run this in a
      terminal, and open the address that it prints:
    </p>
    <code class="cmd">hooktape inspect</code>
    <p class="muted sm">
      A key belongs to one tab and ends with the command that gave it out. Nothing was read, and nothing was
      sent anywhere.
    </p>
  </main>
)
