/** The declarations of all commands. In the shipped command they are data that the build writes down here: no code of a command is loaded for them. */
import { commands } from "./commands.ts"
import type { Command, Commands } from "./syntax/Command.ts"

export const declarationOf = async (name: string): Promise<Command> => {
  const load = commands[name]
  if (load === undefined) throw new Error(`there is no command "${name}"`)
  return (await load()).command
}

export const declarations = async (): Promise<Commands> =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(commands).map(async (name): Promise<[string, Command]> => [name, await declarationOf(name)])
    )
  )
