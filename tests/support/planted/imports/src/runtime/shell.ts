/** Planted: a wing that imports one below it. */
import { command } from "../programs/cli/command.ts"

export const core = command
