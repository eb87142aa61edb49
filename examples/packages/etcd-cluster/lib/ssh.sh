# over_ssh ADDRESS COMMAND: shell text for another node, which lets us in without a password; standard input goes along.
# 255 when the node cannot be reached.
over_ssh() {
  ssh -o BatchMode=yes -o ConnectTimeout=5 -o ServerAliveInterval=3 -o ServerAliveCountMax=3 -- "$1" "$2"
}
