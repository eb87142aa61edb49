#!/bin/bash
# http.bash METHOD ADDRESS PORT PATH: one HTTP request, by the only client that every Debian has.
#
# Standard input is the Authorization header on one line and the body on the next, either may be empty: what is secret
# does not belong among the arguments, which everyone on the host can see. Prints the body of the answer, that of a
# refusal too, and fails unless the status is 2xx. Nothing is printed when nobody answers.
LC_ALL=C
IFS= read -r authorization
IFS= read -r body
host=$2
[[ $host != *:* ]] || host="[$host]"

{ exec 3<>"/dev/tcp/$2/$3"; } 2>/dev/null || exit
# 1.0 has the server close the connection, and so the body ends with it
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
