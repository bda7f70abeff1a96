/** Says on the desktop that the agent is done. After the reply: nobody waits. */
import { defineHook } from "hooktape"

const commands: Readonly<Record<string, (text: string) => readonly string[]>> = {
  darwin: (text) => ["osascript", "-e", `display notification ${JSON.stringify(text)} with title "hooktape"`],
  linux: (text) => ["notify-send", "hooktape", text]
}

export default defineHook({
  name: "notify",
  on: "turn.stop",
  background: true,
  cooldown: "10 seconds",
  run: async ({ agent, services }) => {
    const [program = "", ...args] = commands[process.platform]?.(`${agent} is done`) ?? []
    if (program !== "") await services.run(program, args)
  }
})
