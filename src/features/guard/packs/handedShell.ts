/** Of `remote-code`: a shell that is handed to whoever is at the other end of a connection. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { argumentsOf, expand } from "../expand.ts"
import type { Verdict } from "../rule.ts"
import type { Stage } from "../script.ts"
import type { ShellState } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"
import { shells } from "../Walker.ts"

const handed = (name: string): Verdict => ({
  rule: "remote-code",
  action: "block",
  reason: `\`${name}\` gives a shell of this machine to whoever is at the other end.`
})

/** One that is given a script, or a command, does that and no more. */
const isInteractive = (texts: readonly string[]): boolean =>
  texts.every((text) => text.startsWith("-") && !/^-\w*c/.test(text)) &&
  texts.some((text) => /^-\w*i/.test(text))

/** `sh -i >& /dev/tcp/…`, or to a descriptor that was opened there. */
const isOnSocket = ({ redirects, state }: Call): boolean =>
  redirects.some(({ target }) =>
    expand(target, state).some(
      (path) =>
        /^\/dev\/(?:tcp|udp)\/(?!localhost\/|127\.)/.test(path) ||
        state.sockets.has(path.replace(/^\/dev\/fd\//, ""))
    )
  )

const shell = /^(?:\/\S*\/)?(?:(?:ba|z|k|da|a|c|tc)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)(?:\s+-\w+)*$/

/** What `nc` starts for the other end. */
const isStarted = (texts: readonly string[]): boolean =>
  texts.some((text, at) => {
    const value =
      /^--(?:exec|sh-exec)=(.*)$/s.exec(text)?.[1] ??
      (/^(?:-\w*[ec]|--exec|--sh-exec)$/.test(text) ? texts[at + 1] : undefined)
    return value !== undefined && shell.test(value)
  })

const isShellStage = (stage: Stage | undefined, state: ShellState): boolean => {
  const { args = [], name = "" } = (stage && unwrap(argumentsOf(stage.words, state), state.budget)) ?? {}
  return shells.has(name) && isInteractive(textsOf(args))
}

/** An address that starts a shell, and one that is on a network. */
const socatShell = /^(?:exec|system|shell):["']?(?:\/\S*\/)?(?:ba|z|k|da|a)?sh\b/i
const socatNetwork = /^(?:tcp|udp|openssl|ssl|sctp|vsock)[\w-]*:/i

export const handedShell: Rule = (call) => {
  const { args, name, state, upstream } = call
  if (shells.has(name))
    return call.redirects.length > 0 && isInteractive(textsOf(args)) && isOnSocket(call)
      ? handed(name)
      : undefined
  switch (name) {
    case "nc":
    case "ncat":
    case "netcat":
      return isStarted(textsOf(args)) || isShellStage(upstream.at(-1), state) ? handed(name) : undefined
    case "socat": {
      const texts = textsOf(args)
      return texts.some((text) => socatShell.test(text)) && texts.some((text) => socatNetwork.test(text))
        ? handed(name)
        : undefined
    }
    default:
      return undefined
  }
}
