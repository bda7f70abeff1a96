/** Policies of a team: what a signature is worth, which version counts, and what a build has of it that no project can take away. */
import { generateKeyPairSync, sign } from "node:crypto"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { staleness } from "../../../src/runtime/builds/rebuild.ts"
import { changeTrust } from "../../../src/tools/build/addTrusted.ts"
import { buildHooks } from "../../../src/tools/build/build.ts"
import { makePolicy } from "../../../src/tools/policies/makePolicy.ts"
import { layOut } from "../../../src/tools/replay/layOut.ts"
import { acceptPolicy } from "../../../src/trust/policies/accept.ts"
import {
  makeKeys,
  openPolicy,
  type Policy,
  publicOf,
  signPolicy
} from "../../../src/trust/policies/Policy.ts"
import { readTrust, withRevoked } from "../../../src/trust/store.ts"
import { hookFile, workshop } from "../../support/build/workshop.ts"

const keys = makeKeys()

const policy = (over: Partial<Policy> = {}): Policy => ({
  name: "acme",
  version: "1.0.0",
  made: 1_000,
  everywhere: true,
  hooks: [],
  settings: { hooks: { guard: { deadline: 500 } } },
  ...over
})

const reasonOf = (text: string, key = keys.publicKey): string | undefined =>
  Either.match(openPolicy(text, key), { onLeft: (reason) => reason, onRight: () => undefined })

const unsigned = "is not signed by the key that your configuration names"

describe("a signed file", () => {
  it("says what was signed", () => {
    expect(Either.getOrThrow(openPolicy(signPolicy(policy(), keys.privateKey), keys.publicKey))).toEqual(
      policy()
    )
    expect(publicOf(keys.privateKey)).toBe(keys.publicKey)
  })

  it("counts for nothing under another key, and with anything in it changed", () => {
    const text = signPolicy(policy(), keys.privateKey)
    expect(reasonOf(text, makeKeys().publicKey)).toBe(unsigned)
    expect(reasonOf(text.replace("1.0.0", "1.0.1"))).toBe(unsigned)
    expect(reasonOf(text.replace(/"signature":"../, '"signature":"AA'))).toBe(unsigned)
    expect(reasonOf(text, "ed25519:AAAA")).toBe(unsigned)
    expect(reasonOf("{}")).toBe("is no policy")
    expect(reasonOf("")).toBe("is no policy")
  })

  it("is none where the same key signed the same words for something else", () => {
    const signed = JSON.stringify(policy())
    const signature = sign(null, Buffer.from(signed), keys.privateKey).toString("base64url")
    expect(reasonOf(JSON.stringify({ hooktapePolicy: 1, signature, signed }))).toBe(unsigned)
  })

  it("of a shape that this version does not know is said to be that", () => {
    const strange = { ...policy(), everywhere: "sometimes" } as unknown as Policy
    expect(reasonOf(signPolicy(strange, keys.privateKey))).toContain("another version of hooktape")
    const settings = { hooks: { guard: { dedline: 1 } } } as Policy["settings"]
    expect(reasonOf(signPolicy(policy({ settings }), keys.privateKey))).toContain(
      'unknown key "hooks.guard.dedline"'
    )
  })

  it("holds of settings what concerns hooks, and no more", () => {
    const settings = { deadlineMs: 900, defaults: false } as Policy["settings"]
    const text = signPolicy(policy({ settings }), keys.privateKey)
    expect(Either.getOrThrow(openPolicy(text, keys.publicKey)).settings).toEqual({ deadlineMs: 900 })
  })

  it("knows a key of another kind as none", () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    expect(publicOf(privateKey.export({ format: "pem", type: "pkcs8" }).toString())).toBeUndefined()
    expect(publicOf("nothing")).toBeUndefined()
  })
})

describe("which version counts", () => {
  const versions = (["1.0.0", "2.0.0"] as const).map((version, at) =>
    signPolicy(policy({ version, made: 1_000 + at }), keys.privateKey)
  ) as [string, string]
  const state = () => workshop().state
  const accepted = (place: string, text: string | null) => {
    const { policy: counts, reason } = acceptPolicy(place, { file: "/p.json", key: keys.publicKey, text })
    return [counts?.version, reason]
  }

  it("is the newest that was seen, whatever becomes of the file", () => {
    const place = state()
    expect(accepted(place, null)).toEqual([undefined, "is not there"])
    expect(accepted(place, versions[0])).toEqual(["1.0.0", undefined])
    expect(accepted(place, versions[1])).toEqual(["2.0.0", undefined])
    expect(accepted(place, versions[0])).toEqual(["2.0.0", "is 1.0.0, signed before what was accepted last"])
    expect(accepted(place, versions[1].replace("acme", "evil"))).toEqual(["2.0.0", unsigned])
    expect(accepted(place, null)).toEqual(["2.0.0", "is not there"])
  })

  it("is none at first where the file is not what the key signed", () => {
    expect(accepted(state(), versions[0].replace("acme", "evil"))).toEqual([undefined, unsigned])
  })

  it("is that of a file of its own: one key may sign several, and none takes the place of another", () => {
    const place = state()
    const other = signPolicy(policy({ name: "other", made: 5_000 }), keys.privateKey)
    expect(accepted(place, versions[0])).toEqual(["1.0.0", undefined])
    const beside = acceptPolicy(place, { file: "/other.json", key: keys.publicKey, text: other })
    expect(beside).toMatchObject({ policy: { name: "other" } })
    expect(accepted(place, versions[1])).toEqual(["2.0.0", undefined])
    expect(accepted(place, other)).toEqual(["2.0.0", "is the policy other, where acme was accepted"])
  })

  it("is another matter for another key", () => {
    const place = state()
    const other = makeKeys()
    expect(accepted(place, versions[1])).toEqual(["2.0.0", undefined])
    const text = signPolicy(policy(), other.privateKey)
    const { policy: counts } = acceptPolicy(place, { file: "/p.json", key: other.publicKey, text })
    expect(counts?.version).toBe("1.0.0")
  })
})

type Shop = ReturnType<typeof workshop>

const guard = hookFile("guard", '"tool.before"', 'onFailure: "block",\n  ')

/** A folder of the organisation's with a guard, and a person who names its policy. */
const organised = async (over: Partial<Policy> = {}, settings = "{}") => {
  const shop = workshop()
  const folder = join(shop.home, "organisation")
  const write = (name: string, text: string): void => {
    mkdirSync(join(folder, ".hooktape", "hooks"), { recursive: true })
    writeFileSync(join(folder, ".hooktape", name), text)
  }
  write("hooks/guard.ts", guard)
  write("config.json", settings)
  let made = 1_000
  const publish = async (more: Partial<Policy> = {}): Promise<void> => {
    const { everywhere, name, version } = { ...policy(over), ...more }
    const options = {
      folder,
      name,
      version,
      everywhere,
      made: made++,
      core: shop.core,
      loadTimeoutMs: 120_000
    }
    shop.putUser(
      "acme.policy.json",
      signPolicy(await Effect.runPromise(makePolicy(options)), keys.privateKey)
    )
  }
  await publish()
  shop.putUser(
    "config.json",
    JSON.stringify({ policies: [{ file: "acme.policy.json", key: keys.publicKey }] })
  )
  return { ...shop, folder, write, publish }
}

const told = async (shop: Shop, project = shop.project) => {
  const result = await Effect.runPromise(buildHooks({ ...shop.options, project }))
  const registry = shop.tell(result, "tool.before").registry
  return { ...result, registry: registry.map(({ name, source, withheld }) => ({ name, source, withheld })) }
}

const running = { name: "guard", source: "policy acme 1.0.0: .hooktape/hooks/guard.ts", withheld: undefined }

describe("a policy that holds everywhere", () => {
  it("guards in a project that knows nothing of it, and says which version does", async () => {
    const shop = await organised()
    expect(await told(shop)).toMatchObject({ registry: [running], withheld: [], held: [] })
    const { hooks, manifest } = await shop.builtUser()
    expect(hooks).toMatchObject([{ hook: "guard", owner: "user" }])
    expect(manifest.guards).toMatchObject([{ name: "guard", owner: "user", source: running.source }])
  })

  it("is not switched off, replaced or brought twice by a project", async () => {
    const shop = await organised()
    shop.put(".hooktape/config.json", '{ "hooks": { "guard": { "enabled": false, "onFailure": "allow" } } }')
    cpSync(join(shop.folder, ".hooktape", "hooks"), join(shop.project, ".hooktape", "hooks"), {
      recursive: true
    })
    await shop.trust()
    expect(await told(shop)).toMatchObject({ registry: [running], withheld: [] })
    shop.put(".hooktape/hooks/guard.ts", hookFile("guard", '"tool.before"', "priority: 1,\n  "))
    await shop.trust()
    const { registry, withheld } = await told(shop)
    expect(registry.filter(({ withheld }) => withheld === undefined)).toEqual([running])
    expect(withheld).toMatchObject([{ file: ".hooktape/hooks/guard.ts" }])
  })

  it("counts before a hook of the user's own with that name, and says so", async () => {
    const shop = await organised()
    const own = shop.putUser("hooks/mine.ts", hookFile("guard"))
    const { registry, replaced } = await told(shop)
    expect(registry).toEqual([running])
    expect(replaced).toEqual([{ hook: "guard", file: own, by: running.source }])
  })

  it("runs on as it was accepted when its file is changed, older or gone; a newer one takes its place", async () => {
    const shop = await organised()
    const { manifest } = await told(shop)
    const file = join(shop.userFolder, "acme.policy.json")
    const first = readFileSync(file, "utf8")
    writeFileSync(file, first.replace("from guard", "from evil"))
    expect(staleness(manifest)).not.toBe("fresh")
    expect(await told(shop)).toMatchObject({
      registry: [running],
      held: [{ file, reason: `the policy ${unsigned}; 1.0.0 counts` }]
    })
    shop.write("hooks/guard.ts", `${guard}// changed\n`)
    await shop.publish({ version: "2.0.0" })
    const newer = { ...running, source: "policy acme 2.0.0: .hooktape/hooks/guard.ts" }
    expect(await told(shop)).toMatchObject({ registry: [newer], held: [] })
    writeFileSync(file, first)
    expect(await told(shop)).toMatchObject({ registry: [newer], held: [{ file }] })
    rmSync(file)
    expect(await told(shop)).toMatchObject({
      registry: [newer],
      held: [{ reason: expect.stringContaining("is not there") }]
    })
  })

  it("that was never what its key signed brings nothing, and is named", async () => {
    const shop = await organised()
    const file = join(shop.userFolder, "acme.policy.json")
    writeFileSync(file, readFileSync(file, "utf8").replace("from guard", "from evil"))
    const { registry, withheld } = await told(shop)
    expect(registry).toEqual([{ name: file, source: file, withheld: `the policy ${unsigned}` }])
    expect(withheld).toEqual([{ file, reason: `the policy ${unsigned}`, kind: "policy" }])
  })

  it("has its settings over the user's own, and no project's", async () => {
    const shop = await organised({}, '{ "hooks": { "guard": { "priority": 3 } }, "deadlineMs": 9000 }')
    shop.putUser("hooks/mine.ts", hookFile("mine"))
    const named = JSON.parse(readFileSync(join(shop.userFolder, "config.json"), "utf8"))
    const hooks = { guard: { priority: 900 }, mine: { priority: 4 } }
    shop.putUser("config.json", JSON.stringify({ ...named, deadlineMs: 700, hooks }))
    const { manifest, settings } = await Effect.runPromise(buildHooks(shop.options)).then((result) => ({
      manifest: result.manifest,
      settings: shop.tell(result, "tool.before").registry.map(({ name, priority }) => [name, priority])
    }))
    expect(settings).toEqual([
      ["mine", 4],
      ["guard", 3]
    ])
    expect(manifest.deadlineMs).toBe(9000)
  })

  it("is there as well where hooks are laid out to be tried", async () => {
    const shop = await organised()
    const hooks = join(shop.home, "tried", "hooks")
    mkdirSync(hooks, { recursive: true })
    writeFileSync(join(hooks, "tried.ts"), hookFile("tried"))
    const laidOut = layOut(mkdtempSync(join(shop.home, "aside-")), hooks, shop.userFolder)
    const { hooks: found } = await shop.builtUser({ ...laidOut, state: join(shop.home, "aside") })
    expect(found.map(({ hook }) => hook)).toEqual(["tried", "guard"])
  })

  it("leaves out what its user revoked", async () => {
    const shop = await organised()
    cpSync(join(shop.folder, ".hooktape"), join(shop.project, ".hooktape"), { recursive: true })
    await shop.trust()
    const { trusted } = readTrust(shop.state)
    const { digest = "" } = Object.values(trusted).find(({ kind }) => kind === "hook") ?? {}
    changeTrust(shop.state, (store) => withRevoked(store, digest, 1))
    rmSync(join(shop.project, ".hooktape"), { recursive: true })
    const { registry, withheld } = await told(shop)
    expect(registry.filter(({ withheld }) => withheld === undefined)).toEqual([])
    expect(withheld).toMatchObject([{ file: running.source, reason: "revoked" }])
  })
})

describe("a policy for where its hooks appear", () => {
  const appearing = { everywhere: false }
  const bring = ({ folder, project }: { folder: string; project: string }): void =>
    cpSync(join(folder, ".hooktape"), join(project, ".hooktape"), { recursive: true })

  it("is trust in a checkout that has them, and nothing elsewhere", async () => {
    const shop = await organised(appearing)
    expect((await told(shop)).registry).toEqual([])
    bring(shop)
    rmSync(join(shop.project, ".hooktape", "config.json"))
    expect(await told(shop)).toMatchObject({ registry: [running], withheld: [] })
    shop.putUser("config.json", "{}")
    expect((await told(shop)).withheld).toMatchObject([{ file: ".hooktape/hooks/guard.ts" }])
  })

  it("has its settings, not those of the project", async () => {
    const shop = await organised(appearing, '{ "hooks": { "guard": { "priority": 3 } } }')
    bring(shop)
    shop.put(".hooktape/config.json", '{ "hooks": { "guard": { "enabled": false } } }')
    const result = await Effect.runPromise(buildHooks(shop.options))
    const [one] = shop.tell(result, "tool.before").registry.filter(({ name }) => name === "guard")
    expect(one).toMatchObject({ priority: 3 })
    expect(one?.withheld).toBeUndefined()
    await shop.trust()
    const { registry, warnings } = await told(shop)
    expect(registry).toEqual([running])
    expect(warnings).toMatchObject([
      { reason: 'settings for "guard", which policy acme 1.0.0 signed: they change nothing' }
    ])
  })

  it("is no trust in what was changed", async () => {
    const shop = await organised(appearing)
    bring(shop)
    rmSync(join(shop.project, ".hooktape", "config.json"))
    shop.put(".hooktape/hooks/guard.ts", `${guard}// changed\n`)
    const { registry } = await told(shop)
    expect(registry).toMatchObject([{ withheld: expect.any(String) }])
  })
})

describe("a project", () => {
  it("names no policy", async () => {
    const shop = await organised()
    shop.putUser("config.json", "{}")
    shop.put(
      ".hooktape/config.json",
      JSON.stringify({ policies: [{ file: join(shop.userFolder, "acme.policy.json"), key: keys.publicKey }] })
    )
    await shop.trust()
    const { registry, warnings } = await told(shop)
    expect(registry).toEqual([])
    expect(warnings).toMatchObject([{ reason: '"policies" changes nothing here' }])
  })
})

describe("signing", () => {
  it("refuses a folder with broken hooks, or with none", async () => {
    const shop = workshop()
    const folder = shop.project
    const options = { ...policy(), folder, core: shop.core, loadTimeoutMs: 120_000 }
    const made = () => Effect.runPromise(Effect.flip(makePolicy(options)))
    expect((await made()).problems).toMatchObject([{ reason: "has no hooks to sign" }])
    const file = shop.put(".hooktape/hooks/a.ts", "syntax error")
    expect((await made()).problems).toMatchObject([{ file }])
  })
})
