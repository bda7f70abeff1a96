/** What a clone brings may say what its settings are, but not that what we write to them lands somewhere else. */
import * as Effect from "effect/Effect"
import { leadsOut } from "../../state/leadsOut.ts"
import type { Place } from "./dialects.ts"
import { InstallError } from "./InstallError.ts"

/** Fails for a file of a project that lies outside of it. Where its user's own settings lie is for that user to say. */
export const withinProject = (
  { project, scope }: Pick<Place, "project" | "scope">,
  file: string
): Effect.Effect<void, InstallError> =>
  scope !== "user" && leadsOut(file, project)
    ? Effect.fail(
        new InstallError({
          op: "locate",
          file,
          reason: "it leads out of the project through a symbolic link",
          remedy: "Put a file of the project's own in its place; nothing was changed."
        })
      )
    : Effect.void
