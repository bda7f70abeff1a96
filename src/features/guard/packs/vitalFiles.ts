/** Files that a system does not start without, or that nobody makes anew: to delete one of them is to break it, by whatever name. */

const settings = String.raw`fstab|crypttab|hosts|hostname|resolv\.conf|machine-id|nsswitch\.conf|inittab|exports|services|protocols|shells|login\.defs|sysctl\.conf|default/grub|netplan/.+|network/interfaces|ssh/(?:sshd?_config|ssh_host_.+)|ssl/(?:private/.+|openssl\.cnf|certs/ca-certificates\.crt)|letsencrypt/(?:live|archive|renewal|accounts)/.+|kubernetes/(?:admin\.conf|pki/.+|manifests/.+)|selinux/config|rc\.conf|apt/sources\.list|yum\.conf|pacman\.conf|dnf/dnf\.conf|grub[\w.]*`
const programs =
  "sudo|su|env|bash|sh|dash|zsh|login|ssh|sshd|scp|apt|apt-get|dpkg|rpm|dnf|yum|pacman|apk|systemctl|init|mount|umount|ls|cp|mv|rm|cat|ln|chmod|chown|mkdir|grep|sed|awk|tar|gzip|find|xargs|python3|perl|busybox|ip|modprobe|fsck|agetty|getty"
const vital = new RegExp(
  String.raw`^/(?:etc/(?:${settings})|boot/.+|(?:usr/)?s?bin/(?:${programs})|(?:usr/)?lib(?:32|64)?/(?:[^/]+/)?(?:lib|ld-)[^/]+\.so[.\d]*|(?:usr/)?lib/modules/.+)$`
)

/** What somebody put beside it. */
const copy = /(?:\.(?:bak|old|orig|save|tmp|dpkg-\w+|rpm\w+|old-dkms|swp)|~)$/

export const isVital = (path: string): boolean => vital.test(path) && !copy.test(path)
