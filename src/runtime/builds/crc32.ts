/** CRC-32 as `node:zlib` has it, which brings a dozen modules of streams along: loading them takes longer than all sums of a call. */

type Crc32 = (bytes: Uint8Array, before: number) => number

/** Node's own function, from where `node:zlib` takes it. */
const bare = (): Crc32 | undefined => {
  const { noDeprecation } = process
  try {
    // Under NODE_PENDING_DEPRECATION a word about it would go to standard error.
    process.noDeprecation = true
    const { binding } = process as NodeJS.Process & { readonly binding?: (name: string) => { crc32?: Crc32 } }
    return binding?.("zlib").crc32
  } catch {
    // Not for a process whose rights are limited, and perhaps not for ever.
    return undefined
  } finally {
    if (noDeprecation === undefined) Reflect.deleteProperty(process, "noDeprecation")
    else process.noDeprecation = noDeprecation
  }
}

let known: Crc32 | undefined

export const crc32 = (bytes: Uint8Array): number => {
  known ??= bare() ?? process.getBuiltinModule("node:zlib").crc32
  return known(bytes, 0)
}
