/** Packs `processes`, `packages`, `network`, `backups` and `services`: what a machine and what runs on it lives on. */
import { option, rows, type Tools, tools, words } from "./table.ts"

const essential =
  /(?: |^)(?:ssh|sshd|systemd-\w+|network\w*|NetworkManager|networking|firewalld|ufw|docker|containerd|dbus|kubelet|cron|crond|polkit|getty\S*|rsyslog|auditd|fail2ban|chronyd|ntp\w*|nginx|apache2|httpd|postgresql\S*|mysqld?|mariadb|mongod|redis\S*|-\.mount|multi-user\.target|graphical\.target)(?:\.service|\.socket)?(?: |$)/

/** Packages without which a machine does not start, cannot be reached or loses its data; and patterns. */
const base =
  / (?:linux-\S+|kernel\S*|libc6?|glibc\S*|systemd\S*|grub\S*|sudo|openssh\S*|bash|coreutils|apt|dpkg|dnf|yum|rpm|python3|network\S*|NetworkManager|docker\S*|containerd\S*|postgres\S*|mysql\S*|mariadb\S*|mongo\S*|redis\S*|nginx\S*|\S*[*^]\S*|ubuntu-\S+|\S*-desktop|xorg\S*|gnome\S*) /

const stays = "leaves a task that runs when nobody is there"

export const operationTools: Tools = {
  ...tools("shutdown", () => ({
    hasHost: true,
    rows: rows("shutdown", [/^/, "stops the machine", { without: / (?:-c|-k|--show) / }])
  })),
  ...tools("reboot halt poweroff", () => ({
    rows: rows("shutdown", [/^/, "stops the machine", { without: / -w / }])
  })),
  ...tools("init telinit", () => ({ rows: rows("shutdown", [/^[016]$/, "stops the machine"]) })),
  ...tools("systemctl", () => ({
    valued: words("-H --host -M --machine -t --type -p --property -n --lines -o --output"),
    rows: rows(
      "shutdown",
      [
        /^(?:poweroff|reboot|halt|kexec|emergency|rescue|suspend|hibernate|isolate|default|exit|soft-reboot)\b/,
        "stops the machine"
      ],
      [/^(?:stop|disable|mask|kill)\b/, "stops a service that the machine depends on", { with: essential }]
    ).concat(rows("services", [/^(?:enable|link|reenable) (?:\S+ )*[~./]\S*\//, stays]))
  })),
  ...tools("schtasks Register-ScheduledTask", () => ({
    rows: rows("services", [/^/, stays, { with: /^(?: \/create | -\w)/i }])
  })),
  ...tools("service rc-service", () => ({
    rows: rows("shutdown", [
      /^\S+ stop\b/,
      "stops a service that the machine depends on",
      { with: essential }
    ])
  })),
  ...tools("launchctl", () => ({
    rows: [
      ...rows("shutdown", [
        /^(?:bootout|remove|unload|disable|reboot) (?:system|gui|\/System|com\.apple)/,
        "stops a service of the system"
      ]),
      ...rows("services", [/^submit\b/, stays])
    ]
  })),
  ...tools("rmmod", () => ({ rows: rows("shutdown", [/^./, "takes a driver out of the running system"]) })),
  ...tools("modprobe", () => ({
    rows: rows("shutdown", [
      /^./,
      "takes a driver out of the running system",
      { with: / (?:-\w*r\w*|--remove) / }
    ])
  })),
  ...tools("swapoff", () => ({ rows: rows("shutdown", [/^/, "takes memory away", { with: / -a / }]) })),
  ...tools("umount", () => ({
    rows: rows("shutdown", [/^/, "takes file systems away while they are used", { with: / -\w*[alf]\w* / }])
  })),
  ...tools("apt apt-get aptitude nala", () => ({
    valued: words("-o -t -c"),
    rows: rows(
      "packages",
      // A package with its configuration comes back as it went; what the system stands on does not.
      [/^(?:remove|purge)\b/, "removes what the system stands on", { with: base }],
      [/^autoremove\b/, "removes system packages with their configuration", { with: / --purge / }]
    )
  })),
  ...tools("dnf yum microdnf zypper", () => ({
    valued: words("-c --installroot --releasever --root -R"),
    rows: rows(
      "packages",
      [/^(?:autoremove|history (?:undo|rollback))\b/, "removes system packages"],
      [/^(?:remove|erase|rm)\b/, "removes what the system stands on", { with: base }]
    )
  })),
  ...tools("pacman yay paru", () => ({
    rows: rows("packages", [/^/, "removes system packages", { with: / (?:-R\w*|--remove) / }])
  })),
  ...tools("dpkg", () => ({
    rows: rows("packages", [
      /^/,
      "removes system packages",
      { with: / (?:-[rP]|--remove|--purge|--force-\S+) / }
    ])
  })),
  ...tools("rpm", () => ({
    rows: rows("packages", [/^/, "removes system packages", { with: / (?:-e\w*|--erase|--nodeps) / }])
  })),
  ...tools("apk", () => ({ rows: rows("packages", [/^del\b/, "removes system packages"]) })),
  ...tools("snap flatpak", () => ({
    rows: rows("packages", [
      /^(?:remove|uninstall)\b/,
      "removes a package with what it keeps",
      { with: / (?:--purge|--delete-data|--all) / }
    ])
  })),
  ...tools("brew", () => ({
    rows: rows("packages", [
      /^(?:uninstall|remove|rm)\b/,
      "removes what others depend on",
      { with: / (?:--force|--zap|--ignore-dependencies|-f) / }
    ])
  })),
  ...tools("pkg port emerge xbps-remove eopkg guix", () => ({
    rows: rows(
      "packages",
      [/^(?:delete|remove|uninstall)\b/, "removes system packages"],
      [/^/, "removes system packages", { with: / (?:--unmerge|-C|--depclean|-R) / }]
    )
  })),
  ...tools("nix-collect-garbage", () => ({
    rows: rows("packages", [/^/, "deletes every former generation", { with: / (?:-d|--delete-old) / }])
  })),
  ...tools("restic", () => ({
    valued: words("-r --repo -p --password-file --repository-file --tag --host -o --cache-dir"),
    rows: rows(
      "backups",
      [
        /^(?:forget|prune|key (?:remove|passwd)|rewrite|rebuild-index|repair|migrate|recover)\b/,
        "deletes backups or what is needed to read them"
      ],
      [/^unlock\b/, "lets two work on one repository", { with: / --remove-all / }],
      [/^cache\b/, "deletes what speeds backups up", { with: / --cleanup / }]
    )
  })),
  ...tools("borg borgmatic attic", () => ({
    valued: words("--rsh --remote-path"),
    rows: rows(
      "backups",
      [
        /^(?:delete|prune|compact|recreate|break-lock|key change-\w+|rdelete|repo-delete|undelete)\b/,
        "deletes backups or what is needed to read them"
      ],
      [/^check\b/, "may delete what it cannot read", { with: / --repair / }]
    )
  })),
  ...tools("velero", () => ({
    valued: words("-n"),
    rows: rows("backups", [/^(?:\S+ )?delete\b|^uninstall\b/, "deletes backups"])
  })),
  ...tools("duplicity", () => ({
    rows: rows("backups", [/^(?:remove-\S+|cleanup)\b/, "deletes backups", { with: / --force / }])
  })),
  ...tools(
    "duplicacy kopia rdiff-backup tarsnap bup barman pgbackrest wal-g wal-e snapper timeshift bacula rsnapshot proxmox-backup-client vzdump duplicati-cli autorestic rustic",
    () => ({
      rows: rows(
        "backups",
        [
          /^(?:\S+ ){0,2}(?:delete|remove|prune|forget|purge|expire|stanza-delete|remove-older-than|wipe|nuke)(?: |$)/,
          "deletes backups"
        ],
        [/^/, "deletes backups", { with: / (?:--(?:delete|delete-all|nuke|remove-older-than)|-d) / }]
      )
    })
  ),
  ...tools("tmutil", () => ({
    rows: rows("backups", [
      /^(?:delete|deletelocalsnapshots|thinlocalsnapshots|disable|removedestination)/,
      "deletes backups"
    ])
  })),
  ...tools("vssadmin wbadmin", () => ({ rows: rows("backups", [/^delete\b/i, "deletes backups"]) })),
  ...tools("rclone", () => ({
    valued: words(
      "--config --transfers --checkers --include --exclude --filter --min-age --max-age --bwlimit"
    ),
    rows: rows("cloud-storage", [
      /^(?:delete|deletefile|purge|cleanup|dedupe|rmdirs?|config delete|move|moveto|sync|bisync) (?!\.{0,2}\/)\S/,
      "deletes what lies at its target or its source",
      { without: / (?:-n|-i|--interactive) / }
    ])
  })),
  ...tools("rabbitmqctl", () => ({
    valued: words("-n --node -p --vhost"),
    rows: rows("services", [
      /^(?:reset|force_reset|delete_\w+|purge_queue|stop|stop_app|shutdown|forget_cluster_node|clear_\w+|close_all_connections)\b/,
      "deletes queues or stops them"
    ])
  })),
  ...tools("rabbitmqadmin", () => ({
    rows: rows("services", [/(?:^| )(?:delete|purge)(?: |$)/, "deletes queues or what is in them"])
  })),
  ...tools(
    "kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh kafka-acls kafka-acls.sh kafka-configs.sh kafka-configs",
    () => ({
      rows: rows("services", [
        /^/,
        "deletes topics, records or offsets",
        {
          with: / --(?:delete|offset-json-file|remove|delete-offsets|delete-config)\b|--reset-offsets .*--execute/
        }
      ])
    })
  ),
  ...tools("kcat rpk confluent", () => ({
    rows: rows("services", [/^(?:\S+ ){0,3}(?:delete|trim-prefix)(?: |$)/, "deletes topics or records"])
  })),
  ...tools("nats pulsar-admin", () => ({
    rows: rows("services", [
      /^(?:\S+ ){0,3}(?:rm|del|delete|purge|clear-backlog|delete-\w+|terminate|edit)(?: |$)/,
      "deletes streams or what is in them"
    ])
  })),
  ...tools("celery", () => ({
    rows: rows("services", [
      /(?:^| )(?:purge|amqp queue\.(?:delete|purge))(?: |$)/,
      "deletes the tasks that wait"
    ])
  })),
  ...tools("postsuper", () => ({ rows: rows("services", [/^/, "deletes mail", { with: / -d / }]) })),
  ...tools("exim exim4 sendmail mailq", () => ({
    rows: rows("services", [/^/, "deletes mail", { with: / (?:-Mrm|-Mg|--purge) / }])
  })),
  ...tools("vault bao", () => ({
    valued: words("-address -namespace -mount"),
    rows: rows("services", [
      /^(?:delete|(?:kv|secrets?|auth|policy|lease|token|audit|namespace|operator raft) (?:delete|destroy|metadata delete|disable|revoke|remove-peer|undelete-not)|operator (?:seal|rekey|migrate|raft remove-peer)|kv metadata delete|lease revoke|token revoke)\b/,
      "deletes kept secrets or closes them"
    ])
  })),
  ...tools("op bw doppler infisical chamber keyctl secret-tool lpass", () => ({
    rows: rows("services", [
      /^(?:\S+ ){0,3}(?:delete|rm|remove|purge|clear|unlink)(?: |$)/,
      "deletes kept secrets"
    ])
  })),
  ...tools("pass gopass", () => ({
    rows: rows("services", [/^(?:rm|remove|delete)\b/, "deletes kept secrets"])
  })),
  ...tools("consul nomad", () => ({
    valued: words("-http-addr -address -token -namespace -region -datacenter -partition"),
    rows: rows(
      "services",
      [
        /^(?:kv delete|leave|force-leave|system gc|job stop|volume (?:delete|deregister)|namespace delete|acl \S+ delete|snapshot restore|var purge|operator raft remove-peer)\b/,
        "deletes or stops what others use"
      ],
      [/^stop\b/, "stops what others use", { with: / -purge / }]
    )
  })),
  ...tools("zkCli.sh zkcli", () => ({
    rows: rows("services", [/(?:^| )(?:deleteall|rmr|delete)(?: |$)/, "deletes a tree of keys"])
  })),
  ...tools("curator elasticdump es", () => ({
    rows: rows("services", [
      /(?:^| )(?:delete|delete_indices|delete-indices|delete_snapshots)(?: |$)/,
      "deletes search indexes"
    ])
  })),
  ...tools("crontab", () => ({
    rows: rows("services", [/^/, "deletes every planned task", { with: option("r") }])
  })),
  ...tools("atrm", () => ({ rows: rows("services", [/^\*$/, "deletes planned tasks"]) })),
  ...tools("at", () => ({
    rows: rows(
      "services",
      [/^\*$/, "deletes planned tasks"],
      [
        /^(?:now|noon|midnight|teatime|today|tomorrow|next|mon|tue|wed|thu|fri|sat|sun|\d+(?::\d+)?(?: ?[ap]m)?(?: |$|\+))/i,
        stays,
        { without: / -\w*[lrdc]\w* / }
      ]
    )
  })),
  ...tools("batch", () => ({ rows: rows("services", [/^$/, stays]) })),
  ...tools("zap wipe srm scrub", () => ({
    rows: rows("overwrite", [/(?:^| )(?:\/|~)/, "makes files unreadable for good"])
  }))
}
