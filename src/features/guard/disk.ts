/** `disk`: commands that write to a disk itself, past its file system. */
import { type Call, type Rule, readOptions, shown, textsOf } from "./Call.ts"
import { expand } from "./expand.ts"
import type { Verdict } from "./rule.ts"

const device = /^\/dev\/(?:[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|md\d|dm-\d|mapper\/.|disk\/by-.)/

const isDevice = (text: string): boolean => device.test(text)

const said = (how: string, text: string): Verdict => ({
  rule: "disk",
  reason: `${how} writes over the disk ${shown(text)}.`
})

const destroyedBy: Readonly<
  Record<string, (texts: readonly string[], flags: ReadonlySet<string>) => boolean>
> = {
  mkswap: () => true,
  mke2fs: () => true,
  blkdiscard: () => true,
  shred: () => true,
  tee: () => true,
  wipefs: (_, flags) => ["a", "o", "--all", "--offset"].some((flag) => flags.has(flag)),
  sgdisk: (_, flags) => ["Z", "z", "o", "--zap-all", "--zap", "--clear"].some((flag) => flags.has(flag)),
  parted: (texts) => texts.some((text) => /^(?:mklabel|mktable|mkpart|rm)$/.test(text)),
  diskutil: (texts) => /^(?:erase|zero|random|secureErase|partition|reformat)/i.test(texts[0] ?? ""),
  hdparm: (texts) => texts.some((text) => text.startsWith("--security-erase")),
  badblocks: (_, flags) => flags.has("w"),
  cryptsetup: (texts) => texts.some((text) => /^(?:luksFormat|luksErase|erase)$/.test(text)),
  nvme: (texts) => texts.some((text) => text === "format" || text === "sanitize")
}

const byCommand = ({ name, args }: Call): Verdict | undefined => {
  const texts = textsOf(args)
  if (name === "dd") {
    const target = texts.find((text) => text.startsWith("of="))?.slice(3)
    return target !== undefined && isDevice(target) ? said("`dd`", target) : undefined
  }
  if (name === "cp" || name === "mv") {
    const target = texts.at(-1) ?? ""
    return isDevice(target) ? said(`\`${name}\``, target) : undefined
  }
  const target = texts.find((text) => isDevice(text) || (name === "diskutil" && /^disk\d/.test(text)))
  if (target === undefined) return undefined
  const makes = name === "mkfs" || name.startsWith("mkfs.") || name.startsWith("newfs")
  const destroys = Object.hasOwn(destroyedBy, name) ? destroyedBy[name] : undefined
  return makes || destroys?.(texts, readOptions(args).flags) ? said(`\`${shown(name)}\``, target) : undefined
}

export const disk: Rule = (call) => {
  for (const { operator, target } of call.redirects) {
    if (!operator.includes(">")) continue
    const written = expand(target, call.state).find(isDevice)
    if (written !== undefined) return said(`\`${operator}\``, written)
  }
  return byCommand(call)
}
