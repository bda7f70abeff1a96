/** Commands that print what nobody here has read: they fetch it, or decode it. */
import { ownHost } from "../ownMachine.ts"
import type { Origin } from "../shellState.ts"

export const fetchers = new Set(
  "curl wget fetch aria2c http https xh lwp-download lwp-request lynx nc ncat iwr irm invoke-webrequest invoke-restmethod".split(
    " "
  )
)
export const localhost = new RegExp(`^(?:https?://)?${ownHost}`)

export const originOfCommand = (name: string, texts: readonly string[]): Origin | undefined => {
  if (fetchers.has(name.toLowerCase()))
    return texts.some((text) => localhost.test(text)) ? undefined : "remote-code"
  const all = ` ${texts.join(" ")} `
  switch (name) {
    case "base64":
    case "base32":
    case "basenc":
      return / (?:-\w*[dD]\w*|--decode) /.test(all) ? "hidden-code" : undefined
    case "xxd":
      return / -\w*r/.test(all) ? "hidden-code" : undefined
    case "openssl":
      return / -(?:d|base64) .*-d |^ (?:enc|base64) .*-d /.test(all) ? "hidden-code" : undefined
    case "uudecode":
    case "rev":
    case "gpg":
      return name !== "gpg" || / (?:-d|--decrypt) /.test(all) ? "hidden-code" : undefined
    default:
      return undefined
  }
}
