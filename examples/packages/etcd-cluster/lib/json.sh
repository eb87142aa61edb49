# JSON for a host that has nothing but a POSIX shell and awk.
#
#   json_text PATH <text    the value at PATH (`cluster.otherManagementIp.0`), a string decoded
#   json_raw PATH <text     the value as JSON, with quotes and escapes
#
# Prints nothing when the value does not exist. Invalid JSON is an error, exit code 2.
#
# The shell removes trailing line breaks from the output of a program, and cannot represent a NUL. A value with arbitrary
# content, such as a password, should be read raw and copied into other JSON. The text is on standard input, where
# other users cannot see it.

json_text() { LC_ALL=C awk -v path="$1" -v raw_wanted=0 "$json_reader"; }
json_raw() { LC_ALL=C awk -v path="$1" -v raw_wanted=1 "$json_reader"; }

json_reader='
{ json = json $0 "\n" }

END {
  meaning["b"] = "\b"; meaning["f"] = "\f"; meaning["n"] = "\n"; meaning["r"] = "\r"; meaning["t"] = "\t"
  position = 1
  read_value("")
  skip_blanks()
  if (position <= length(json)) broken("something follows it")
  if (!found) exit 0
  print raw_wanted || value !~ /^"/ ? value : meaning_of(value)
}

function broken(why) {
  print "not JSON: " why " at character " position | "cat >&2"
  exit 2
}

function here() { return substr(json, position, 1) }

function skip_blanks() { while (here() ~ /[ \t\r\n]/) position++ }

function expect(character) {
  skip_blanks()
  if (here() != character) broken(character " is missing")
  position++
}

function read_value(at,   start, first) {
  skip_blanks()
  start = position
  first = here()
  if (first == "{") read_object(at)
  else if (first == "[") read_array(at)
  else if (first == "\"") skip_string()
  else skip_word()
  if (at == path) {
    found = 1
    value = substr(json, start, position - start)
  }
}

function read_object(at,   start, more) {
  expect("{")
  skip_blanks()
  more = here() != "}"
  while (more) {
    skip_blanks()
    start = position
    skip_string()
    read_member(at, substr(json, start, position - start))
    skip_blanks()
    more = here() == ","
    if (more) position++
  }
  expect("}")
}

function read_member(at, name) {
  expect(":")
  read_value((at == "" ? "" : at ".") meaning_of(name))
}

function read_array(at,   count, more) {
  expect("[")
  skip_blanks()
  more = here() != "]"
  for (count = 0; more; count++) {
    read_value((at == "" ? "" : at ".") count)
    skip_blanks()
    more = here() == ","
    if (more) position++
  }
  expect("]")
}

function skip_string(   character) {
  if (here() != "\"") broken("a string is missing")
  for (position++; here() != "\""; position++) {
    character = here()
    if (character == "" || character ~ /[\001-\037]/) broken("a string does not end")
    if (character == "\\") skip_escape()
  }
  position++
}

function skip_escape() {
  position++
  if (substr(json, position, 5) ~ /^u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]$/) position += 4
  else if (here() !~ /["\\\/bfnrt]/) broken("there is no such escape")
}

function skip_word(   start, word) {
  start = position
  while (here() ~ /[-+.0-9A-Za-z]/) position++
  word = substr(json, start, position - start)
  if (word !~ /^(true|false|null|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?)$/) broken("a value is missing")
}

function meaning_of(string,   text, at, character) {
  for (at = 2; at < length(string); at++) {
    character = substr(string, at, 1)
    if (character == "\\") {
      character = substr(string, ++at, 1)
      if (character == "u") {
        text = text utf8(code_at(string, at + 1))
        at += is_pair(string, at) ? 10 : 4
      } else text = text (character in meaning ? meaning[character] : character)
    } else text = text character
  }
  return text
}

function is_pair(string, at) {
  return unit(string, at + 1) >= 55296 && unit(string, at + 1) < 56320 && substr(string, at + 5, 2) == "\\u" \
    && unit(string, at + 7) >= 56320 && unit(string, at + 7) < 57344
}

# characters beyond 65535 are written as two units
function code_at(string, at) {
  if (!is_pair(string, at - 1)) return unit(string, at)
  return 65536 + (unit(string, at) - 55296) * 1024 + unit(string, at + 6) - 56320
}

function unit(string, at,   sum, digit) {
  for (digit = 0; digit < 4; digit++)
    sum = sum * 16 + index("0123456789abcdef", tolower(substr(string, at + digit, 1))) - 1
  return sum
}

function utf8(code) {
  if (code == 0) broken("a NUL is in it, which no program here can take,")
  if (code < 128) return sprintf("%c", code)
  if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
  if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
  return sprintf("%c", 240 + int(code / 262144)) sprintf("%c", 128 + int(code / 4096) % 64) \
    sprintf("%c%c", 128 + int(code / 64) % 64, 128 + code % 64)
}
'
