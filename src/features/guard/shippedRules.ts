/** Every rule that is asked about a command, in the order in which they are asked. */
import type { Rule } from "./Call.ts"
import { deletes } from "./deletes.ts"
import { disk } from "./disk.ts"
import { gitFolder } from "./gitFolder.ts"
import { backupFiles } from "./packs/backupFiles.ts"
import { credentials } from "./packs/credentials.ts"
import { git } from "./packs/git.ts"
import { gitListed } from "./packs/gitListed.ts"
import { handedShell } from "./packs/handedShell.ts"
import { named } from "./packs/named.ts"
import { processes } from "./packs/processes.ts"
import { remoteCode } from "./packs/remoteCode.ts"
import { requests } from "./packs/requests.ts"
import { secretsPrinted } from "./packs/secretsPrinted.ts"
import { unreadIndexes } from "./packs/unreadIndexes.ts"
import { permissions } from "./permissions.ts"
import { secrets } from "./secretSinks.ts"
import { uncommitted } from "./uncommitted.ts"
import { unpacked } from "./unpacked.ts"

export const shippedRules: readonly Rule[] = [
  deletes,
  backupFiles,
  gitFolder,
  disk,
  permissions,
  secrets,
  credentials,
  secretsPrinted,
  unpacked,
  git,
  gitListed,
  uncommitted,
  processes,
  remoteCode,
  unreadIndexes,
  handedShell,
  requests,
  named
]
