#!/bin/bash
# http.bash METHOD ADDRESS PORT PATH: one HTTP request with bash, because a Debian host may have no HTTP client.
#
# Standard input is the Authorization header on one line and the body on the next, either may be empty: secrets
# must not be arguments, which every user of the host can see. Prints the body of the response, also of an error,
# and fails unless the status is 2xx. Prints nothing without a response.
LC_ALL=C
IFS= read -r authorization
IFS= read -r body
host=$2
[[ $host != *:* ]] || host="[$host]"

{ exec 3<>"/dev/tcp/$2/$3"; } 2>/dev/null || exit
# HTTP/1.0: the body ends when the server closes the connection
{
  printf '%s %s HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\n' "$1" "$4" "$host"
  printf 'Content-Length: %d\r\n' "${#body}"
  [ -z "$authorization" ] || printf 'Authorization: %s\r\n' "$authorization"
  printf '\r\n%s' "$body"
} >&3

IFS=' ' read -r _ status _ <&3
while IFS= read -r header && [ "$header" != $'\r' ]; do :; done <&3
cat <&3
[[ $status == 2?? ]]
