/** `hooktape uninstall`: takes out of an agent's settings what `install` wrote. */
import { defineCommand } from "../syntax/Command.ts"
import { later } from "../syntax/later.ts"
import { registering } from "../syntax/registering.ts"

export const command = defineCommand({
  group: "Set up",
  summary: "Take hooktape out of an agent's settings; everything else stays as it is.",
  options: registering,
  examples: ["hooktape uninstall --agent claude-code"],
  guards: ({ dryRun }) => !dryRun,
  run: (given) =>
    later(
      () => import("./install.ts"),
      ({ uninstall }) => uninstall(given)
    )
})
