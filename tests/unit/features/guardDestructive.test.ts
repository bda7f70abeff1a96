/** The guard of shell commands: how it does on a labelled table, and what its answers and settings are. */

import { describe, expect, it } from "vitest"
import { adapters } from "../../../src/agents/adapters.ts"
import { classify } from "../../../src/features/guard/classify.ts"
import { guardDestructive } from "../../../src/features/guard/guardDestructive.ts"
import { classifyLooking, type GitStatus, gitStatus } from "../../../src/features/guard/look.ts"
import { type Place, ruleIds } from "../../../src/features/guard/rule.ts"
import { rules } from "../../../src/features/guard/rules.ts"
import { explanation, placeOf } from "../../../src/features/guard/settings.ts"
import { guardSettingsProblems } from "../../../src/tools/build/guardSettings.ts"
import { bypasses } from "../../support/labelled/bypasses.ts"
import { commands, place } from "../../support/labelled/commands.ts"
import { forms } from "../../support/labelled/forms.ts"
import { behindMany, deepCommand, hostileCommands, repeatedCommands } from "../../support/labelled/hostile.ts"
import { everyday, harmful } from "../../support/labelled/hundredTwenty.ts"
import { indirections } from "../../support/labelled/indirections.ts"
import { otherWays } from "../../support/labelled/otherWays.ts"
import { packRows } from "../../support/labelled/packs.ts"
import { score } from "../../support/labelled/score.ts"
import { countSteps } from "../../support/labelled/steps.ts"
import { registered, tell } from "../../support/world.ts"

const rule = (command: string, changed: Partial<Place> = {}): string | null =>
  classify(command, { ...place, ...changed })?.rule ?? null

describe("the labelled commands", () => {
  it("are many, of every rule, and half of them harmless, each once", () => {
    const labels = commands.map(([, label]) => label)
    expect(commands.length).toBeGreaterThanOrEqual(250)
    expect(new Set(commands.map(([command]) => command)).size).toBe(commands.length)
    expect(new Set([...labels, ...packRows.map(([, label]) => label)])).toEqual(new Set([...ruleIds, null]))
    expect(labels.filter((label) => label === null).length).toBeGreaterThanOrEqual(120)
  })

  it("are told apart with a precision of 0.98 and a recall of 0.9", () => {
    const { precision, recall, wrong } = score(commands, rule)
    expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.98)
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9)
  })
})

describe("a hundred and twenty commands that were written before anybody saw how they fare", () => {
  it("are told with a precision of 0.97 and a recall of 0.95", () => {
    const stopped = (command: string): boolean => classify(command, place) !== undefined
    const right = harmful.filter(stopped)
    const wrong = everyday.filter(stopped)
    const missed = harmful.filter((command) => !stopped(command))
    expect(right.length / (right.length + wrong.length), wrong.join("\n")).toBeGreaterThanOrEqual(0.97)
    expect(right.length / harmful.length, missed.join("\n")).toBeGreaterThanOrEqual(0.95)
  })
})

describe("every form of a command", () => {
  it.each(forms)("%s is told", (command, label) => {
    expect(rule(command)).toBe(label)
  })
})

describe("a command behind something else", () => {
  const rows = indirections.map(([command, label, action]) => ({ command, label, action }))
  it.each(rows)("is told: $command", ({ action, command, label }) => {
    const verdict = classify(command, place)
    expect(verdict?.rule ?? null).toBe(label)
    if (action !== undefined) expect(verdict?.action).toBe(action)
  })
})

describe("a command in a directory that is not there", () => {
  it("is asked about, and nothing fails", async () => {
    const verdict = await classifyLooking("git -C /nowhere/at/all reset --hard HEAD~5", place, gitStatus)
    expect(verdict).toMatchObject({ rule: "git-discard", action: "ask" })
  })
})

describe("a command told another way", () => {
  const rows = otherWays.map(([command, label, action]) => ({ command, label, action }))
  it.each(rows)("is told: $command", ({ action, command, label }) => {
    const verdict = classify(command, place)
    expect(verdict?.rule ?? null).toBe(label)
    if (action !== undefined) expect(verdict?.action).toBe(action)
  })
})

describe("a command of a pack", () => {
  it.each(packRows)("%s", (command, label) => {
    expect(rule(command)).toBe(label)
  })
})

describe("a command that hides what it does", () => {
  it.each(bypasses)("is told: %s", (command) => {
    expect(classify(command, place)).toBeDefined()
  })
})

describe("a pack", () => {
  it("blocks, asks or is off, as the settings say", () => {
    const action = (command: string, packs = {}) => classify(command, { ...place, packs })?.action
    expect(action("git stash clear")).toBe("ask")
    expect(action("git stash clear", { git: "block" })).toBe("block")
    expect(action("git stash clear", { git: "off" })).toBeUndefined()
    expect(action("git push -f origin main")).toBe("block")
    expect(action("git push -f origin mine")).toBe("ask")
    expect(action("git push -f origin main", { git: "ask" })).toBe("ask")
  })

  it("that only asks does not hide what is stopped behind it", () => {
    expect(classify("git stash clear; rm -rf ~", place)).toMatchObject({
      rule: "delete-outside",
      action: "block"
    })
  })
})

describe("a rule that depends on a working tree", () => {
  const git =
    (stdout: string, exitCode: number | null = 0): GitStatus =>
    async () => ({ exitCode, stdout, truncated: false })
  const looked = async (command: string, answer: GitStatus) =>
    (await classifyLooking(command, place, answer))?.action

  it("lets pass what loses nothing, and asks about what does", async () => {
    expect(await looked("git reset --hard", git(""))).toBeUndefined()
    expect(await looked("git reset --hard", git("?? new.ts\0"))).toBeUndefined()
    expect(await looked("git reset --hard", git(" M a.ts\0"))).toBe("ask")
    expect(await looked("git clean -fd", git("?? new.ts\0"))).toBe("ask")
    expect(await looked("git clean -fdx", git("!! node_modules/\0"))).toBeUndefined()
    expect(await looked("git clean -fdx", git("!! .env\0"))).toBe("ask")
    expect(await looked("git checkout -- a.ts", git(" M b.ts\0"))).toBeUndefined()
    expect(await looked("git checkout -- a.ts", git(" M a.ts\0"))).toBe("ask")
    expect(await looked("git restore .", git(" M a.ts\0"))).toBe("ask")
  })

  it("asks where it cannot look, and where git does not answer", async () => {
    expect(await looked("git reset --hard", async () => undefined)).toBe("ask")
    expect(await looked("git reset --hard", git("", null))).toBe("ask")
    expect(await looked("cd $X && git reset --hard", git(""))).toBe("ask")
  })
})

describe("a session in a directory that is nobody's project", () => {
  const home = "/home/me"
  it.each(["/", "/home", home, "/etc", "/usr", "/var", "/usr/local", "/usr/lib/x", "/opt"])("%s", (wide) => {
    const there = { project: wide, cwd: wide, home }
    for (const command of [
      "rm -rf ~/Documents",
      "rm -rf Documents",
      "rm -rf ./x/y",
      "rm -rf *",
      "rm -rf .git"
    ])
      expect(rule(command, there), command).toBe("delete-outside")
    expect(rule("rm -rf $(git rev-parse --show-toplevel)", there)).toBe("delete-outside")
    expect(rule("chmod -R 777 x", { ...there, cwd: "/etc", project: "/etc" })).toBe("permissions")
    for (const command of ["rm -rf /tmp/x", "rm x", "ls"]) expect(rule(command, there), command).toBeNull()
    expect(rule("rm -rf ~/.cache/x", { ...there, allow: ["~/.cache"] })).toBeNull()
  })

  it("has the directory that it runs in for its project, where only the one above is too wide", () => {
    const there = { project: home, cwd: "/home/me/work/app", home }
    expect(rule("rm -rf dist", there)).toBeNull()
    expect(rule("rm -rf ../other", there)).toBe("delete-outside")
    for (const cwd of ["/usr/src/app", "/var/www/site", "/srv/app", "/workspace", "/etc/x"])
      expect(rule("rm -rf dist", { project: cwd, cwd, home: "/root" }), cwd).toBeNull()
  })
})

describe("a verdict", () => {
  it("names what in the command is meant, and what to do instead", () => {
    const verdict = classify("npm test && rm -rf /etc/nginx", place)
    expect(verdict).toEqual({
      action: "block",
      rule: "delete-outside",
      reason: "`rm -r` deletes /etc/nginx and what is in it, outside the project."
    })
    expect(verdict && explanation(verdict)).toBe(
      `guard-destructive (delete-outside): ${verdict?.reason} ${rules["delete-outside"].instead}`
    )
  })

  it("depends on where the command runs", () => {
    expect(rule("rm -rf build")).toBeNull()
    expect(rule("rm -rf build", { cwd: "/srv" })).toBe("delete-outside")
    expect(rule("rm -rf ../app/build", { cwd: "/home/me/work/app" })).toBeNull()
    expect(rule("rm -rf *", { cwd: "/home/me/work/app/dist" })).toBeNull()
  })

  it("does not take a neighbour for temporary because all of it lies in /tmp", () => {
    const there = { project: "/tmp/t1/app", cwd: "/tmp/t1/app", home: "/tmp/t1/home" }
    for (const command of [
      "rm -rf ../other",
      "cd .. && rm -rf other",
      "rm -rf ~/x",
      "rm -rf /tmp/t1",
      "rm -rf /tmp/t1/x"
    ])
      expect(rule(command, there), command).toBe("delete-outside")
    for (const command of ["rm -rf dist", "rm -rf /tmp/other"])
      expect(rule(command, there), command).toBeNull()
    const shallow = { project: "/tmp/app", cwd: "/tmp/app", home: "/root" }
    expect(rule("rm -rf ../other", shallow)).toBe("delete-outside")
    expect(rule("rm -rf /tmp/other", shallow)).toBeNull()
  })

  it("is none for directories that are allowed, and for rules that are off", () => {
    expect(rule("rm -rf ~/.cache/pip /data/x", { allow: ["~/.cache", "/data"] })).toBeNull()
    expect(rule("rm -rf /database", { allow: ["/data"] })).toBe("delete-outside")
    expect(rule("git push -f; mkfs /dev/sda", { off: ["force-push"] })).toBe("disk")
    expect(rule("rm -rf /srv .git", { off: ["delete-outside"] })).toBe("delete-project")
    for (const off of ruleIds) {
      const [command] = [...commands, ...packRows].find(([, label]) => label === off) ?? [""]
      expect(rule(command, { off: ruleIds.filter((id) => id !== off) })).toBe(off)
      expect(rule(command, { off: [off] }), command).not.toBe(off)
    }
  })
})

describe("a hostile command", () => {
  it.each(Object.entries(hostileCommands))("of %s is read to its end", (_, command) => {
    expect(command.length).toBeGreaterThan(30_000)
    const steps = countSteps(() => expect([null, ...ruleIds]).toContain(rule(command)))
    // Ten times as long may take ten times as many, and not a hundred times.
    expect(steps).toBeLessThan(100 * command.length)
  })

  it("hides nothing behind what is nested too deep, and is asked about", () => {
    expect(rule(deepCommand)).toBe("hidden-code")
    expect(classify(deepCommand, place)?.action).toBe("ask")
    expect(rule(`# ${"x".repeat(140_000)}\nls`)).toBe("hidden-code")
    expect(rule(`${deepCommand}; rm -rf /`)).toBe("delete-outside")
  })

  it.each(Object.entries(repeatedCommands))("of %s takes steps that can be counted", (_, command) => {
    expect(command.length).toBeLessThan(100_000)
    const steps = countSteps(() => expect([null, ...ruleIds]).toContain(rule(command)))
    expect(steps).toBeLessThan(2_000_000)
  })

  // Where what one look may cost ends and what all may cost does not, nothing may slip through.
  it.each(Object.entries(behindMany))("is read, or asked about, behind any number of %s", (_, behind) => {
    const counts = [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 20, 41, 50, 101, 199, 201, 260, 401]
    for (const count of [...counts, ...Array.from({ length: 25 }, (_, at) => 430 + 30 * at)])
      expect(rule(behind(count)), `${count}`).not.toBeNull()
  })

  it("that cannot be read to its end is judged by what stands in it, as far as that rule is on", () => {
    const endless = repeatedCommands["functions that do much"] as string
    for (const [command, label] of [
      ["rm -rf dist", "delete-outside"],
      ["rm -v --recursive dist", "delete-outside"],
      ["find / -name x -delete", "delete-outside"],
      ["mkfs.ext4 /dev/sda", "disk"],
      ["dd if=/dev/zero of=/dev/sda", "disk"],
      ["git push origin main --force", "force-push"],
      ["git push -f", "force-push"],
      ["git push --force-with-lease", "hidden-code"],
      ["rm a; ls -r", "hidden-code"]
    ] as const) {
      expect(rule(`${endless}${command}`), command).toBe(label)
      // Another rule may know it as well: as where it is read.
      const other = command.startsWith("mkfs") ? "volumes" : null
      expect(rule(`${endless}${command}`, { off: [label, "hidden-code"] }), command).toBe(other)
      if (other !== null) expect(rule(command, { off: [label] })).toBe(other)
    }
    expect(classify(`${endless}rm -rf dist`, place)?.reason).toBe(
      "The command is too long or nested too deep to be read to its end, and `rm -r` stands in it."
    )
  })

  it("with more tools in it than are looked at is asked about, where the shell's grammar is broken", () => {
    const tools = "echo kubectl get pods; ".repeat(600)
    expect(rule(`${tools} kubectl delete namespace production )`)).not.toBeNull()
    expect(rule(`${tools} )`)).toBe("hidden-code")
  })

  it("that makes the reading fail is judged the same", () => {
    const failing: Place = {
      ...place,
      get allow(): never {
        throw new RangeError("Maximum call stack size exceeded")
      }
    }
    expect(classify("rm -rf dist", failing)?.rule).toBe("delete-outside")
    expect(classify("ls", failing)).toBeUndefined()
  })

  it("of any characters is read to its end", () => {
    const pieces = [
      "rm -rf ",
      "/",
      "$(",
      ")",
      "`",
      '"',
      "'",
      "\\",
      "<<A\n",
      "A\n",
      "${a:-",
      "}",
      "{ ",
      "(",
      "|",
      ";",
      " ",
      "\n",
      "bash -c ",
      "curl -d ",
      "@",
      "~",
      "&"
    ]
    let seed = 1
    const next = () => {
      seed = (seed * 48271) % 2147483647
      return pieces[seed % pieces.length] as string
    }
    for (let run = 0; run < 2000; run++) {
      const command = Array.from({ length: 1 + (run % 40) }, next).join("")
      expect([null, ...ruleIds], command).toContain(rule(command))
    }
  })
})

describe("the settings", () => {
  it("that are no lists of texts change nothing", () => {
    const where = { cwd: "/p", project: "/p" }
    expect(placeOf({ allow: ["/a", 1], off: "disk" }, where)).toMatchObject({ allow: ["/a"], off: [] })
    expect(placeOf({}, where)).toMatchObject({ ...where, allow: [], off: [] })
  })

  it("do not make the home directory temporary, whatever TMPDIR says", () => {
    const { home, temporary } = placeOf({}, { cwd: "/p", project: "/p" })
    expect(temporary).not.toContain("/")
    expect(temporary).not.toContain(home)
  })
})

describe("guard-destructive", () => {
  const call = (command: string) => ({
    adapter: adapters["claude-code"],
    agentEvent: "PreToolUse",
    payload: { session_id: "s", cwd: "/srv/app", tool_name: "Bash", tool_input: { command } },
    registry: registered({ "guard-destructive": guardDestructive as never })
  })

  it("stops the tool before it runs, and says why and what to do", async () => {
    const { find } = await tell(call("git push --force"))
    expect(find("REPLY_DELIVERED")[0]).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("guard-destructive (force-push)")
    })
    expect(find("REPLY_DELIVERED")[0]).toMatchObject({
      stdout: expect.stringContaining('"permissionDecision":"deny"')
    })
  })

  it("asks about what the tables name in a command that cannot be read to its end", () => {
    const long = `echo ${"x".repeat(140_000)}; `
    expect(classify(`${long}terraform destroy -auto-approve`, place)?.action).toBe("ask")
    expect(classify(`${long}sudo aws ec2 terminate-instances --instance-ids i-1`, place)?.action).toBe("ask")
    expect(rule(`${long}terraform destroy`)).toBe("infrastructure")
    expect(rule(`${long}terraform plan`)).toBe("hidden-code")
    const packs = { infrastructure: "off", "hidden-code": "off" } as const
    expect(classify(`${long}terraform destroy`, { ...place, packs })).toBeUndefined()
  })

  it("says nothing of what is harmless", async () => {
    const { find } = await tell(call("echo 'git push --force'"))
    expect(find("REPLY_DELIVERED")[0]).toMatchObject({ exitCode: 0, stderr: "" })
  })
})

describe("settings that mean nothing", () => {
  it("are named, and the rule that may have been meant", () => {
    const off = { hooks: { "guard-destructive": { settings: { off: ["force-pusch", "disk"], allow: "x" } } } }
    expect(guardSettingsProblems(off, "/u")).toEqual([
      {
        file: "/u/config.json",
        reason: 'settings of "guard-destructive": "allow" is no list, and counts for nothing'
      },
      {
        file: "/u/config.json",
        reason: expect.stringContaining('"off" names the rule "force-pusch", which there is not'),
        remedy: expect.stringContaining("force-push")
      }
    ])
    expect(guardSettingsProblems({}, "/u")).toEqual([])
    expect(guardSettingsProblems({ hooks: { other: { settings: { off: ["x"] } } } }, "/u")).toEqual([])
  })
})
