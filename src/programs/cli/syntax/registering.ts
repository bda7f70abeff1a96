/** The options that `install` and `uninstall` share. */
import { agents } from "../../../../events/agentEvents.ts"
import { choice, choiceWithDefault, flag, required } from "./parameters.ts"

type Agent = (typeof agents)[number]

/** Calls that are nobody's settings are made by hand. */
export const registrable = agents.filter((agent): agent is Exclude<Agent, "raw"> => agent !== "raw")

export const registering = {
  agent: required(
    choice("NAME", registrable, `Whose settings (required): ${registrable.join(", ")}.`, { sample: "codex" })
  ),
  scope: choiceWithDefault(
    "SCOPE",
    ["user", "project", "local"],
    "user",
    "Which of its settings: user (default), project, or local for the project's private ones.",
    { sample: "project" }
  ),
  dryRun: flag("Show what would change, and change nothing.")
}
