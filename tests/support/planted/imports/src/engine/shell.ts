/** Planted: the core knows a shell. */
import { command } from "../cli/command.ts"

export const core = command
