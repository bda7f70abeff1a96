/** Who may ask the inspector: decided from the head of a request. */
import { describe, expect, it } from "vitest"
import { refusalOf, safeHeaders } from "../../../../src/features/inspector/server/door.ts"

const port = 4321
const token = "a-token-of-this-run"
const authorization = `Bearer ${token}`

const asked = (headers: Record<string, string>, method = "GET", path = "/api/v1/status", canAct = false) =>
  refusalOf({ method, path, headers: { host: `127.0.0.1:${port}`, ...headers } }, { port, token, canAct })

describe("the door of the inspector", () => {
  it("lets in who has the token, from its own page or from none", () => {
    expect(asked({ authorization })).toBeUndefined()
    expect(asked({ authorization, origin: `http://127.0.0.1:${port}` })).toBeUndefined()
    expect(asked({ authorization, host: `localhost:${port}` })).toBeUndefined()
  })

  it.each([
    ["without a token", {}],
    ["with another's token", { authorization: "Bearer another-token" }],
    ["with a part of it", { authorization: authorization.slice(0, -1) }],
    ["with it in another way", { authorization: token }]
  ])("answers nothing %s", (_, headers) => {
    expect(asked(headers)).toMatchObject({ status: 401, code: "no-token" })
  })

  it.each(["/api/v1/calls", "/api/v1/stream", "/api/", "/api/v2/status"])(
    "wants it for all of %s",
    (path) => {
      expect(asked({}, "GET", path)).toMatchObject({ status: 401 })
    }
  )

  it("gives the page itself without one", () => {
    expect(asked({}, "GET", "/live")).toBeUndefined()
  })

  it.each([
    ["a name that was made to lead here", { host: `rebound.example:${port}` }],
    ["another port", { host: "127.0.0.1:80" }],
    ["no host", { host: "" }],
    ["another page's script", { origin: "https://example.org" }],
    ["a page of another port", { origin: "http://127.0.0.1:8080" }],
    ["a page from a file", { origin: "null" }]
  ])("is shut for %s, with the token too", (_, headers) => {
    expect(asked({ authorization, ...headers })).toMatchObject({ status: 403, code: "foreign" })
    expect(asked(headers, "GET", "/live")).toMatchObject({ status: 403 })
  })

  it.each(["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])("takes no %s", (method) => {
    expect(asked({ authorization }, method)).toMatchObject({ status: 405, code: "bad-request" })
  })

  it("says which command does what it does not", () => {
    expect(asked({ authorization }, "POST", "/api/v1/whatif")).toMatchObject({
      status: 501,
      remedy: "hooktape replay <ref> --with DIR"
    })
    expect(asked({ authorization }, "POST", "/api/v1/fixtures")).toMatchObject({ status: 501 })
    expect(asked({}, "POST", "/api/v1/whatif")).toMatchObject({ status: 401 })
  })

  it("lets be done what can be, for who has the token, from its own page, as no form can ask for it", () => {
    const json = { authorization, "content-type": "application/json; charset=utf-8" }
    const acted = (headers: Record<string, string>, path = "/api/v1/whatif") =>
      asked(headers, "POST", path, true)
    expect(acted(json)).toBeUndefined()
    expect(acted(json, "/api/v1/fixtures")).toBeUndefined()
    expect(acted({ ...json, authorization: "" })).toMatchObject({ status: 401 })
    expect(acted({ ...json, origin: "https://example.org" })).toMatchObject({ status: 403 })
    expect(acted({ authorization, "content-type": "text/plain" })).toMatchObject({ status: 400 })
    expect(acted({ authorization })).toMatchObject({ status: 400 })
    expect(acted(json, "/api/v1/calls")).toMatchObject({ status: 405 })
  })

  it("has every answer say that nothing from elsewhere may run in it", () => {
    const policy = safeHeaders["content-security-policy"] ?? ""
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'"
    ])
      expect(policy).toContain(part)
    expect(policy).not.toContain("unsafe")
  })
})
