/** What a path in a container is on the host. */
import { below, normalized, within } from "./folders.ts"
import type { Container } from "./shellState.ts"

/** The host's paths that a path in a container means: where it lies in a mounted folder, or holds some. */
export const onHost = (path: string, { mounts }: Container): readonly string[] => {
  const around = mounts
    .filter(({ at }) => within(path, at))
    .sort((a, b) => b.at.length - a.at.length)
    .map(({ at, from }) => normalized(`${from}/${path.slice(at === "/" ? 0 : at.length)}`))
  return around.length > 0
    ? around.slice(0, 1)
    : mounts.filter(({ at }) => below(at, path)).map(({ from }) => from)
}
