/** A registry on loopback that has these packages and no others, as npm asks it. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

interface Packed {
  readonly name: string
  readonly version: string
  readonly bytes: Buffer
  readonly manifest: object
}

const packedIn = (tarball: string): Packed => {
  const manifest = JSON.parse(
    execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })
  )
  return { name: manifest.name, version: manifest.version, bytes: readFileSync(tarball), manifest }
}

export const startRegistry = async (tarballs: readonly string[]) => {
  const packages = new Map(tarballs.map(packedIn).map((one) => [one.name, one]))
  const asked: string[] = []
  const server = createServer(({ url = "" }, response) => {
    const [name = "", file] = decodeURIComponent(url.slice(1)).split("/-/")
    asked.push(name)
    const one = packages.get(name)
    if (one === undefined) {
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}')
      return
    }
    if (file !== undefined) {
      response.end(one.bytes)
      return
    }
    const tarball = `http://${hostOf(server)}/${name}/-/${name.split("/").at(-1)}-${one.version}.tgz`
    const integrity = `sha512-${createHash("sha512").update(one.bytes).digest("base64")}`
    const version = { ...one.manifest, dist: { tarball, integrity } }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(
        JSON.stringify({ name, "dist-tags": { latest: one.version }, versions: { [one.version]: version } })
      )
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    address: `http://${hostOf(server)}/`,
    asked,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

const hostOf = (server: ReturnType<typeof createServer>): string =>
  `127.0.0.1:${(server.address() as AddressInfo).port}`
