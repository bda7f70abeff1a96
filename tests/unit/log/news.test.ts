/** Whether somebody wrote to a log is told once, for each log that stands there, and never missed. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Sqlite from "better-sqlite3"
import { afterEach, beforeEach, expect, it } from "vitest"
import { makeNews, type News } from "../../../src/log/news.ts"

let folder: string
let file: string
let news: News
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "news-"))
  file = join(folder, "log.sqlite")
  news = makeNews(file)
})
afterEach(() => {
  news.close()
  rmSync(folder, { recursive: true })
})

/** A log of somebody else's, who writes into it. */
const written = (path: string, ...rows: readonly number[]): void => {
  const db = new Sqlite(path)
  db.pragma("journal_mode = WAL")
  db.exec("CREATE TABLE IF NOT EXISTS fact (n)")
  for (const n of rows) db.prepare("INSERT INTO fact VALUES (?)").run(n)
  db.close()
}

it("is none where there is no log, and some as soon as there is one", () => {
  expect(news.isThere()).toBe(false)
  written(file)
  expect(news.isThere()).toBe(true)
  expect(news.isThere()).toBe(false)
})

it("is told once for all that was written before, however soon the next comes", () => {
  written(file, 1)
  news.isThere()
  for (let n = 0; n < 20; n++) {
    written(file, n, n)
    expect(news.isThere()).toBe(true)
    expect(news.isThere()).toBe(false)
  }
})

it("is no news that somebody reads, and none before what is written is committed", () => {
  written(file, 1)
  news.isThere()
  const other = new Sqlite(file)
  expect(other.prepare("SELECT count(*) AS n FROM fact").get()).toEqual({ n: 1 })
  expect(news.isThere()).toBe(false)
  other.exec("BEGIN IMMEDIATE; INSERT INTO fact VALUES (2)")
  expect(news.isThere()).toBe(false)
  other.exec("COMMIT")
  expect(news.isThere()).toBe(true)
  other.close()
})

it("is another log in its place, and what is written there", () => {
  written(file, 1)
  news.isThere()
  const next = join(folder, "next.sqlite")
  written(next, 1)
  renameSync(next, file)
  expect(news.isThere()).toBe(true)
  expect(news.isThere()).toBe(false)
  written(file, 2)
  expect(news.isThere()).toBe(true)
})

it("is once that it cannot be told, and what is told after that", () => {
  writeFileSync(file, "no database at all, and long enough to be read as one".repeat(40))
  expect([news.isThere(), news.isThere()]).toEqual([true, false])
  rmSync(file)
  written(file, 1)
  expect([news.isThere(), news.isThere()]).toEqual([true, false])
})

it("is asked without waiting, and not lost, where somebody has the whole log to himself", () => {
  const other = new Sqlite(file)
  other.exec("CREATE TABLE fact (n)")
  news.isThere()
  other.exec("BEGIN EXCLUSIVE; INSERT INTO fact VALUES (2)")
  expect(news.isThere()).toBe(false)
  other.exec("COMMIT")
  other.close()
  expect(news.isThere()).toBe(true)
})
