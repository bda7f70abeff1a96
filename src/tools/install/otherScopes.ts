/** What the agent's other settings files mean for one: hooks that would run twice. */
import * as Effect from "effect/Effect"
import { type Concern, doubled } from "./concerns.ts"
import { type Place, scopes, settingsFile } from "./dialects.ts"
import { readText } from "./files.ts"
import { findRegistrations } from "./plan.ts"
import type { Registration } from "./registrations.ts"
import { isSharedHook } from "./sharedHook.ts"

/** The script of a repository leaves to its user's own registration what that has. */
const isShared = (registered: readonly Registration[]): boolean =>
  registered.length > 0 && registered.every(({ bin }) => isSharedHook(bin))

/** `text` is what `file` becomes. Another file that cannot be read is not this command's business. */
export const otherScopes = Effect.fn("install.otherScopes")(function* (
  request: Place & { readonly bin: string },
  file: string,
  text: string
) {
  const registered = yield* findRegistrations(file, text)
  const own = new Map(registered.map(({ under, command }) => [under, command]))
  const concerns: Concern[] = []
  for (const scope of scopes.filter((one) => one !== request.scope)) {
    const found = yield* Effect.gen(function* () {
      const other = yield* settingsFile({ ...request, scope })
      const text = other === file ? undefined : yield* readText(other)
      return { other, ours: text === undefined ? [] : yield* findRegistrations(other, text) }
    }).pipe(Effect.option)
    if (found._tag === "None" || found.value.ours.length === 0) continue
    const { other, ours } = found.value
    if ((scope === "user" && isShared(registered)) || (request.scope === "user" && isShared(ours))) continue
    concerns.push(
      ...doubled(
        request,
        other,
        ours.every(
          ({ bin, command, under }) => bin === request.bin && (own.get(under) ?? command) === command
        )
      )
    )
  }
  return concerns
})
