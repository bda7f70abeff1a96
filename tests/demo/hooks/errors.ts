/** An error, and later the command that stops failing: the same handler on every agent. */
import { defineHook, diagnostic, modelContext } from "hooktape"

export const seen = defineHook({
  name: "error-seen",
  on: "error.observed",
  run: ({ message }) => modelContext(`An error was recorded: ${message.slice(0, 120)}`)
})

export const ran = defineHook({
  name: "command-ran",
  on: "command.ran",
  run: ({ command, exitCode }) =>
    diagnostic("debug", `${command} ended with ${exitCode === undefined ? "an unknown code" : exitCode}`)
})
