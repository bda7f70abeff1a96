/** Where the host of a state directory listens, and where whoever asks it finds it. */
import { join, win32 } from "node:path"

export interface HostAddress {
  /** What `net` listens at and connects to. */
  readonly path: string
  /** Whether a file stands there for as long as somebody listens: one to make private, to look for, to take away. */
  readonly isFile: boolean
}

/** Case, kinds of slashes and `..` make no difference to Windows. Links and short names are not followed. */
const canonical = (state: string): string => win32.join(win32.normalize(state), ".").toLowerCase()

/** 32 hexadecimal characters. Names of pipes are one flat list for the whole machine, and at most 256 characters long. */
const digestOf = (state: string): string =>
  process
    .getBuiltinModule("node:crypto")
    .createHash("sha256")
    .update(canonical(state))
    .digest("hex")
    .slice(0, 32)

export const hostAddress = (state: string, platform: NodeJS.Platform = process.platform): HostAddress =>
  platform === "win32"
    ? { path: `\\\\.\\pipe\\hooktape-${digestOf(state)}`, isFile: false }
    : { path: join(state, "run", "host.sock"), isFile: true }
