# Sourced by install.sh, verify.sh and upgrade.sh: sets $greeting and $folder from the input,
# {"config":{"greeting":"…","path":"…"}}, to which an upgrade adds "from":{"packageDir":"…",…}.
# A host may have only a POSIX shell. The schema in wharf.json allows no quote or backslash in a value,
# and the input is JSON on one line without spaces, so sed is sufficient; otherwise require jq or python3.
input=$(cat)
config=${input%%',"from":{'*}
field() { printf '%s\n' "$config" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
from_field() { printf '%s\n' "${input#"$config"}" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

greeting=$(field greeting)
: "${greeting:=hello}"
folder=$(field path)
# only root may write to /var/lib
if [ "$(id -u)" = 0 ]; then : "${folder:=/var/lib/wharf-hello}"; else : "${folder:=$HOME/wharf-hello}"; fi
