/** How the URL of a collector's database is read: as PostgreSQL's own programs read it. */
import { describe, expect, it } from "vitest"
import {
  completeAddress,
  isUnprotected,
  parseAddress
} from "../../../src/tools/collector/database/address.ts"

const socket = (folder: string) => (path: string) => path === `${folder}/.s.PGSQL.5432`
const complete = (text: string, env: NodeJS.ProcessEnv = {}, exists = socket("/var/run/postgresql")) =>
  completeAddress(text, { env, exists, user: "me" })?.href

describe("the address of a database", () => {
  it("is this machine's socket where it names no host, and the caller where it names nobody", () => {
    expect(complete("postgresql:///hooktape")).toBe(
      "postgresql:///hooktape?host=%2Fvar%2Frun%2Fpostgresql&user=me"
    )
    expect(complete("postgresql:///hooktape", {}, socket("/tmp"))).toContain("host=%2Ftmp")
    expect(complete("postgresql://runner@/hooktape")).toBe(
      "postgresql://runner@localhost/hooktape?host=%2Fvar%2Frun%2Fpostgresql"
    )
  })

  it("is left to what else names it", () => {
    expect(complete("postgresql:///hooktape", { PGHOST: "db", PGUSER: "runner" })).toBe(
      "postgresql:///hooktape"
    )
    expect(complete("postgresql://runner@/hooktape?host=/run/x")).toBe(
      "postgresql://runner@localhost/hooktape?host=/run/x"
    )
    expect(complete("postgresql://runner@db:6000/hooktape")).toBe("postgresql://runner@db:6000/hooktape")
    expect(complete("postgresql:///hooktape?user=runner", {}, () => false)).toBe(
      "postgresql:///hooktape?user=runner"
    )
  })

  it.each([
    ["postgresql:///hooktape", {}, false],
    ["postgresql://me@/hooktape", {}, false],
    ["postgresql://localhost/hooktape", {}, false],
    ["postgresql://127.0.0.1:6000/hooktape", {}, false],
    ["postgresql://[::1]/hooktape", {}, false],
    ["postgresql:///hooktape?host=/run/x", {}, false],
    ["postgresql://%2Frun%2Fx/hooktape", {}, false],
    ["postgresql://db.example/hooktape", {}, true],
    ["postgresql://me@10.0.0.5/hooktape", {}, true],
    ["postgresql://localhost/hooktape?host=db.example", {}, true],
    ["postgresql:///hooktape", { PGHOST: "db.example" }, true],
    ["postgresql://db.example/hooktape?sslmode=", {}, true],
    ["postgresql://db.example/hooktape?sslmode=verify-full", {}, false],
    ["postgresql://db.example/hooktape?sslmode=disable", {}, false],
    ["postgresql://db.example/hooktape", { PGSSLMODE: "require" }, false]
  ])("%s with %j is asked over a way that nothing is said of: %s", (text, env, is) =>
    expect(isUnprotected(text, env)).toBe(is)
  )

  it("is none where it is no URL", () => {
    expect(parseAddress("hooktape")).toBeUndefined()
    expect(parseAddress("postgresql://a b/")).toBeUndefined()
  })
})
