/** The guard on what a line made itself: nobody misses that, as long as it is what the line made. */
import { describe, expect, it } from "vitest"
import { classify } from "../../../src/features/guard/classify.ts"
import { place } from "../../support/labelled/commands.ts"

describe("what a line made", () => {
  it.each([
    ["docker run -d --name x nginx || docker rm -f x", "containers"],
    ["docker run -d --name x nginx || exit 1; docker rm -f x", null],
    ["docker run -d --name x nginx && docker rm -f x", null],
    ["docker run -d --name x nginx; docker rm -f x", null],
    ["docker run -d --name x nginx || true; docker rm -f x", null],
    ["docker run -d --name x nginx && curl -sf localhost || docker rm -f x", null],
    ["docker run -d --name x nginx || docker start x || docker rm -f x", "containers"],
    ["docker run -d --name x nginx || { docker rm -f x; exit 1; }", "containers"],
    ["docker run -d --name y nginx; docker run -d --name x nginx || docker rm -f y", null],
    ["git worktree add ../b || git worktree remove --force ../b", "git-drop"],
    ["git worktree add ../b && npm test; git worktree remove --force ../b", null],
    ["docker run -d --name x nginx && docker rename x y && docker rm -f y", null],
    ["docker run -d --name x nginx && docker rename x y && docker rm -f x", "containers"],
    ["docker rename x y && docker rm -f y", "containers"],
    ["python manage.py flush --settings=app.settings.test", null],
    ["python manage.py flush --settings=app.settings.test --settings=app.settings.live", "databases"],
    ["python manage.py flush --settings app.settings.live --settings app.settings.test", null]
  ])("is its own only where it was made: %s", (command, label) => {
    expect(classify(command, place)?.rule ?? null).toBe(label)
  })
})
