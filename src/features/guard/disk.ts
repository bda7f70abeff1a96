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
  hdparm: (texts) =>
    texts.some((text) =>
      /^--(?:security-erase|trim-sector|write-sector|make-bad-sector|fwdownload|dco-restore)/.test(text)
    ),
  ddrescue: (texts) => isDevice(texts.filter((text) => !text.startsWith("-"))[1] ?? ""),
  badblocks: (_, flags) => flags.has("w"),
  cryptsetup: (texts) => texts.some((text) => /^(?:luksFormat|luksErase|erase)$/.test(text)),
  nvme: (texts) => texts.some((text) => text === "format" || text === "sanitize")
}

/** They do what they are told on standard input; without it a person sits there. */
const told = /^(?:fdisk|gdisk|cfdisk)$/

const isTold = ({ name, redirects, upstream }: Call): boolean =>
  told.test(name) && (upstream.length > 0 || redirects.some(({ operator }) => operator.startsWith("<")))

const byCommand = (call: Call): Verdict | undefined => {
  const { args, name } = call
  const texts = textsOf(args)
  if (name === "dd" || name === "dcfldd" || name === "dc3dd") {
    const target = texts.find((text) => text.startsWith("of="))?.slice(3)
    return target !== undefined && isDevice(target) ? said(`\`${name}\``, target) : undefined
  }
  if (name === "cp" || name === "mv") {
    const target = texts.at(-1) ?? ""
    return isDevice(target) ? said(`\`${name}\``, target) : undefined
  }
  const target = texts.find((text) => isDevice(text) || (name === "diskutil" && /^disk\d/.test(text)))
  if (target === undefined) return undefined
  // The image is what it is told to read; where it goes, what it writes.
  const restores =
    name.startsWith("partclone") &&
    texts.some(
      (text, at) =>
        isDevice(text.replace(/^--\w+=/, "")) &&
        /^(?:-[oO]|--(?:output|overwrite))(?:=|$)/.test(text.startsWith("-") ? text : (texts[at - 1] ?? ""))
    )
  if (restores) return said(`\`${shown(name)}\``, target)
  const makes = name === "mkfs" || name.startsWith("mkfs.") || name.startsWith("newfs")
  const destroys = Object.hasOwn(destroyedBy, name) ? destroyedBy[name] : undefined
  const asksOnly = texts.some((text) =>
    /^(?:-[lsdx]|--list\S*|--dump|--json|-J|--verify|-n|--no-act)$/.test(text)
  )
  return makes || (isTold(call) && !asksOnly) || destroys?.(texts, readOptions(args).flags)
    ? said(`\`${shown(name)}\``, target)
    : undefined
}

export const disk: Rule = (call) => {
  for (const { operator, target } of call.redirects) {
    if (!operator.includes(">")) continue
    const written = expand(target, call.state).find(isDevice)
    if (written !== undefined) return said(`\`${operator}\``, written)
  }
  return byCommand(call)
}
