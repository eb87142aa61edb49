# HTTP requests with a timeout of $http_seconds. Source after places.sh.

# http METHOD ADDRESS PORT PATH
http() { timeout "${http_seconds:-5}" "$prefix/http.bash" "$@"; }

# http_get ADDRESS PORT PATH
http_get() { http GET "$@" </dev/null; }

# http_post ADDRESS PORT PATH JSON [TOKEN]
http_post() { printf '%s\n%s\n' "${5-}" "$4" | http POST "$1" "$2" "$3"; }
