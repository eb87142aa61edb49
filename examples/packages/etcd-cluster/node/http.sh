# HTTP. After places.sh. What is asked for comes within $http_seconds, or not at all.

# http METHOD ADDRESS PORT PATH
http() { timeout "${http_seconds:-5}" "$prefix/http.bash" "$@"; }

# http_get ADDRESS PORT PATH
http_get() { http GET "$@" </dev/null; }

# http_post ADDRESS PORT PATH JSON [TOKEN]
http_post() { printf '%s\n%s\n' "${5-}" "$4" | http POST "$1" "$2" "$3"; }
