/** What commands say in the same words. */
import { printable } from "../../../state/terminalText.ts"

/** Why a file of a project is left out, beside its name; both may be a stranger's. */
export const withheldText = ({ file, reason }: { readonly file: string; readonly reason: string }): string =>
  printable(`${file}: ${reason}`)
