# over_ssh ADDRESS COMMAND: runs a shell command on another node, without a password; passes standard input.
# Exit code 255 when the node is unreachable.
over_ssh() {
  ssh -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=3 -o ServerAliveCountMax=3 -- "$1" "$2"
}
