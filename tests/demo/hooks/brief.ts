/** Injected context: what every session should know before its first prompt. */
import { defineHook, modelContext } from "hooktape"

export default defineHook({
  name: "brief",
  on: "session.start",
  priority: 10,
  run: ({ project, agent }) =>
    modelContext(
      `Working in ${project.split("/").at(-1)} with ${agent}. Run the tests before you call a task done.`
    )
})
