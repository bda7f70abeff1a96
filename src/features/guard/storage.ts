/**
 * Remote storage, as `gsutil`, `aws s3` and `rclone` delete it. Only a whole bucket or remote is told: what lies deeper may well have
 * been put there by a build.
 */

const recursive = new Set(["-r", "-R", "--recursive"])

/** `gs://name`, `s3://name`, with nothing behind it but what stands for anything. */
const isBucket = (text: string): boolean => /^(?:gs|s3):\/\/[^/]+\/?\**$/.test(text)

/** `remote:` and `remote:bucket`. A path of this machine is none. */
const isRemote = (text: string): boolean => /^[\w -]+:\/?[^/]*\/?$/.test(text)

/** The bucket or remote that a command clears of everything. */
export const clears = (name: string, texts: readonly string[]): string | undefined => {
  const words = texts.filter((text) => !text.startsWith("-"))
  const has = (...wanted: readonly string[]): boolean => wanted.every((one) => words.includes(one))
  const deep = texts.some((text) => recursive.has(text))
  switch (name) {
    case "gsutil":
      return has("rb") || (has("rm") && (deep || words.some((text) => text.endsWith("**"))))
        ? words.find(isBucket)
        : undefined
    case "gcloud":
      return has("storage", "rm") && deep ? words.find(isBucket) : undefined
    case "aws":
      return has("s3", "rm") && deep && !texts.some((text) => /^--(?:exclude|include|dryrun)/.test(text))
        ? words.find(isBucket)
        : has("s3", "rb") && texts.includes("--force")
          ? words.find(isBucket)
          : undefined
    case "rclone":
      return (words[0] === "purge" || words[0] === "delete") &&
        !texts.some((text) => /^(?:-n|--(?:dry-run|in|ex)clude.*|--filter.*|--m(?:in|ax)-.*)$/.test(text))
        ? words.find(isRemote)
        : undefined
    default:
      return undefined
  }
}
