/**
 * `npm run soak -- mutants [FOLDER…]`: what decides, spoilt in one place at a time; its own tests have to notice. HOOKTAPE_TEST_MUTANTS is
 * how many of a folder are drawn at random (all, where it is not set), HOOKTAPE_TEST_SEED the seed, HOOKTAPE_TEST_SURVIVORS a file for
 * those that nobody noticed.
 */
import { spawn } from "node:child_process"
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mulberry } from "../../support/fire/barrage.ts"
import { type Folder, folders } from "./folders.ts"
import { type Mutant, mutate } from "./mutate.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const least = 0.85
/** So long nothing is tried: a test does not come back. */
const hangMs = 120_000

const under = (path: string, ending: string): readonly string[] => {
  if (path.endsWith(".ts")) return [path]
  const [folder, prefix] = statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()
    ? [path, ""]
    : [path.slice(0, path.lastIndexOf("/")), path]
  return (readdirSync(join(root, folder), { recursive: true }) as string[])
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.startsWith(prefix) && name.endsWith(ending))
    .sort()
}

const drawn = (all: readonly Mutant[]): readonly Mutant[] => {
  const most = Number(process.env["HOOKTAPE_TEST_MUTANTS"] ?? all.length)
  const random = mulberry(Number(process.env["HOOKTAPE_TEST_SEED"] ?? 20261124))
  return all
    .map((mutant) => ({ mutant, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, most)
    .map(({ mutant }) => mutant)
}

const lines = (record: string, word: string): ReadonlySet<string> =>
  new Set(
    readFileSync(record, "utf8")
      .split("\n")
      .filter((line) => line.startsWith(`${word} `))
      .map((line) => line.slice(word.length + 1))
  )

/** Tries that have no end: whoever tried them died or was ended. */
const unended = (record: string): ReadonlySet<string> => {
  const open = new Set<string>()
  for (const line of readFileSync(record, "utf8").split("\n")) {
    const [word = "", id = ""] = line.split(" ")
    if (word === "trying") open.add(id)
    else if (word !== "reached") open.delete(id)
  }
  return open
}

/** One run over test files. What it hung or died with is written down. */
const tryAll = (tests: readonly string[], chosen: string, record: string): Promise<void> =>
  new Promise((resolve) => {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
    const child = spawn(process.execPath, [vitest, "run", "--config", "vitest.mutants.config.ts", ...tests], {
      cwd: root,
      env: {
        ...process.env,
        CI: "1",
        HOOKTAPE_TEST_MUTANTS_CHOSEN: chosen,
        HOOKTAPE_TEST_MUTANTS_ORDER: tests.join(" "),
        HOOKTAPE_TEST_MUTANTS_RECORD: record
      },
      stdio: process.env["HOOKTAPE_TEST_REPORT"] ? "inherit" : "ignore",
      detached: true
    })
    const began = Date.now()
    const watch = setInterval(() => {
      if (Date.now() - Math.max(began, statSync(record).mtimeMs) > hangMs)
        process.kill(-(child.pid ?? 0), "SIGKILL")
    }, 5000)
    child.once("exit", () => {
      clearInterval(watch)
      for (const id of unended(record)) appendFileSync(record, `endless ${id}\n`)
      resolve()
    })
  })

/** Again and again what is not done, as long as that leads anywhere. */
const tryFiles = async (tests: readonly string[], chosen: string, record: string): Promise<void> => {
  const progress = () =>
    ["killed", "endless", "spoilt", "done"].map((word) => lines(record, word).size).join()
  for (let left = tests; left.length > 0; ) {
    const before = progress()
    await tryAll(left, chosen, record)
    const done = lines(record, "done")
    left = left.filter((test) => !done.has(test))
    if (progress() !== before) continue
    console.info(`mutants: ${left[0]} does not come back as it is written`)
    left = left.slice(1)
  }
}

interface Outcome {
  readonly mutants: number
  readonly killed: number
  readonly unreached: number
  readonly survivors: readonly (Mutant & { readonly isReached: boolean })[]
}

const tryFolder = async (name: string): Promise<Outcome> => {
  const { except = [], sources, tests }: Folder = folders[name] ?? { sources: [], tests: [] }
  const files = sources
    .flatMap((path) => under(path, ".ts"))
    .filter((file) => !except.some((path) => file.startsWith(path)))
  const mutants = drawn(files.flatMap((file) => mutate(file, readFileSync(join(root, file), "utf8")).mutants))
  const scratch = mkdtempSync(join(tmpdir(), "soak-mutants-"))
  const chosen = join(scratch, "chosen.json")
  const record = join(scratch, "record")
  writeFileSync(chosen, JSON.stringify(mutants.map(({ id }) => id)))
  writeFileSync(record, "")
  await tryFiles([...new Set(tests.flatMap((path) => under(path, ".test.ts")))], chosen, record)
  for (const test of lines(record, "failing")) console.info(`mutants: ${test} fails without any`)
  const killed = new Set([...lines(record, "killed"), ...lines(record, "endless")])
  const reached = lines(record, "reached")
  rmSync(scratch, { recursive: true, force: true })
  return {
    mutants: mutants.length,
    killed: mutants.filter(({ id }) => killed.has(id)).length,
    unreached: mutants.filter(({ id }) => !reached.has(id) && !killed.has(id)).length,
    survivors: mutants
      .filter(({ id }) => !killed.has(id))
      .map((mutant) => ({ ...mutant, isReached: reached.has(mutant.id) }))
      .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
  }
}

export const tryMutants = async (asked: readonly string[]): Promise<boolean> => {
  let holds = true
  const survivors: string[] = []
  for (const name of asked.length === 0 ? Object.keys(folders) : asked) {
    const { mutants, killed, unreached, survivors: left } = await tryFolder(name)
    const share = mutants === 0 ? 0 : killed / mutants
    holds &&= share >= least
    console.info(
      `mutants: ${name} ${mutants}, noticed ${killed} (${(share * 100).toFixed(1)} %), survived ${left.length}, of them reached by no test ${unreached}`
    )
    for (const { file, line, from, to, operator, isReached } of left)
      survivors.push(`${file}:${line} ${operator} ${from} => ${to}${isReached ? "" : " (not reached)"}`)
  }
  const file = process.env["HOOKTAPE_TEST_SURVIVORS"]
  if (file !== undefined) writeFileSync(file, `${survivors.join("\n")}\n`)
  return holds
}
