/** Pack `storage`: pools, volumes, arrays and encrypted devices. */
import { option, rows, type Tools, tools, words } from "./table.ts"

export const storageTools: Tools = {
  ...tools("zfs", () => ({
    rows: rows(
      "volumes",
      [/^destroy /, "destroys a file system or its snapshots"],
      [/^rollback /, "throws away what was written since the snapshot"],
      [/^(?:receive|recv)\b/, "overwrites the file system", { with: option("F") }],
      [/^unload-key|^promote /, "changes what the file system stands on"]
    )
  })),
  ...tools("zpool", () => ({
    rows: rows(
      "volumes",
      [/^(?:destroy|labelclear|remove|split|offline|detach) ?/, "takes the pool or a part of it away"],
      [/^(?:create|add|import)\b/, "overwrites what the devices hold", { with: option("f") }]
    )
  })),
  ...tools("lvremove vgremove pvremove lvreduce vgreduce thin_repair dmsetup-remove", () => ({
    rows: rows("volumes", [/^/, "takes volumes and what is on them away", { without: option("t", "test") }])
  })),
  ...tools("lvresize", () => ({
    rows: rows("volumes", [
      /^/,
      "may make the volume smaller than what is on it",
      { with: / (?:-[Ll]|--size|--extents)[= ]?(?!\+)\S/, without: option("t", "test") }
    ])
  })),
  ...tools("lvm", () => ({
    rows: rows("volumes", [/^(?:lv|vg|pv)(?:remove|reduce)\b/, "takes volumes away"])
  })),
  ...tools("dmsetup", () => ({
    rows: rows("volumes", [/^(?:remove|remove_all|wipe_table)\b/, "takes devices away"])
  })),
  ...tools("btrfs", () => ({
    rows: rows(
      "volumes",
      [/^su\w* del\w* /, "deletes a subvolume"],
      [/^dev\w* (?:del\w*|rem\w*) /, "takes a device out of the file system"],
      [
        /^(?:check|rescue)\b/,
        "may make the damage worse",
        { with: / --(?:repair|init-csum-tree|init-extent-tree) / }
      ]
    )
  })),
  ...tools("mdadm", () => ({
    rows: rows("volumes", [
      /^/,
      "stops or takes apart an array",
      { with: / (?:--(?:stop|remove|fail|zero-superblock|create|manage-remove)|-[SrfC]\w*) / }
    ])
  })),
  ...tools("cryptsetup", () => ({
    rows: rows("volumes", [
      /(?:^| )(?:luksFormat|luksErase|erase|luksKillSlot|luksRemoveKey|reencrypt|format)(?: |$)/,
      "makes what is encrypted unreadable"
    ])
  })),
  ...tools("wipefs", () => ({
    rows: rows("volumes", [
      /^\S/,
      "erases what tells the file system",
      { with: / (?:-\w*[ao]\w*|--all|--offset\S*) / }
    ])
  })),
  ...tools("sgdisk gdisk", () => ({
    rows: rows("volumes", [
      /^/,
      "erases partitions",
      { with: / (?:-(?:Z|z|o|d)\S*|--(?:zap-all|zap|clear|delete)\S*) / }
    ])
  })),
  ...tools("parted", () => ({
    rows: rows("volumes", [/ (?:mklabel|mktable|mkpart|rm|resizepart)(?: |$)/, "changes partitions"])
  })),
  ...tools("sfdisk", () => ({
    // What it is to write comes from standard input.
    rows: rows("volumes", [
      /^\S/,
      "changes partitions",
      {
        without:
          / (?:-[ldsJgFTVvhn]|--(?:list|dump|show-\S+|json|verify|list-\S+|no-act|backup-pt-sectors|part-uuid|part-type|part-label|disk-id)) /
      }
    ])
  })),
  ...tools(
    "mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.ntfs mkfs.f2fs mkswap blkdiscard newfs",
    () => ({
      rows: rows("volumes", [
        /(?:^| )\/dev\/(?!loop|null|zero|ram)\S/,
        "makes a new file system over what is there"
      ])
    })
  ),
  ...tools("ceph", () => ({
    valued: words("-c -n --cluster -k --id --keyring"),
    rows: rows("volumes", [
      /^osd (?:purge|destroy|lost|pool (?:delete|rm))|^fs rm|^mon remove/,
      "takes storage away"
    ])
  })),
  ...tools("rbd", () => ({
    valued: words("-p --pool -c --cluster --id"),
    rows: rows("volumes", [/^(?:rm|remove|snap (?:purge|rm)|trash purge)\b/, "deletes images"])
  })),
  ...tools("gluster", () => ({
    rows: rows("volumes", [/^volume (?:delete|stop|remove-brick|reset-brick)/, "takes a volume away"])
  })),
  ...tools("diskutil", () => ({
    rows: rows("volumes", [
      /^(?:erase|zero|random|secureErase|partition|reformat|apfs (?:delete|erase)|ap delete|cs delete|unmountDisk force)/i,
      "erases a disk"
    ])
  }))
}
