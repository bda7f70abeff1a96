/** Has format-on-edit look at one file of a project, as after an edit by an agent. */
import type { Intent, JsonObject } from "../../events/intents.ts"
import { languageOf } from "../../src/agents/language.ts"
import { formatOnEdit } from "../../src/features/format/formatOnEdit.ts"
import { makeHandlerServices } from "../../src/runtime/services/handlerServices.ts"

export interface FormattingOptions {
  readonly settings?: JsonObject
  readonly state?: string
  readonly session?: string
}

/** What the hook says; of a failure its message. */
export const formatting = async (
  project: string,
  path: string,
  { session = "s-1", settings = {}, state }: FormattingOptions = {}
): Promise<readonly Intent[] | string> => {
  const asking = { handler: "format-on-edit", event: "file.edited", index: 0, attempt: 1 }
  const handlerServices = makeHandlerServices({ project, elapsed: () => 0, state }, asking)
  try {
    const said = (await formatOnEdit.run({
      path,
      change: "update",
      language: languageOf(path),
      cwd: project,
      project,
      session,
      settings: { ...formatOnEdit.settings, ...settings },
      services: handlerServices.services(project, {})
    } as never)) as Intent | readonly Intent[] | undefined
    return said === undefined ? [] : [said].flat()
  } catch (error) {
    return (error as Error).message
  } finally {
    handlerServices.end()
  }
}
