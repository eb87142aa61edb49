#!/bin/sh
# Builds the images: build.sh FOLDER. Each is a disk whose first sector prints a line on the serial console and then waits,
# which shows that a virtual machine starts from it.
set -eu
mkdir -p "$1/images"
node - "$1/images" <<'END'
const { writeFileSync } = require('node:fs')
const folder = process.argv[2]

/** Runs at 0x7c00, in real mode. */
function bootSector(line) {
  const code = Buffer.from([
    0x31, 0xc0, //       xor ax, ax
    0x8e, 0xd8, //       mov ds, ax
    0xfc, //             cld
    0x31, 0xd2, //       xor dx, dx       the first serial line
    0xb8, 0xe3, 0x00, // mov ax, 0x00e3   set it up: 9600 baud, 8 bits
    0xcd, 0x14, //       int 0x14
    0xbe, 0x1d, 0x7c, // mov si, text
    0xac, //       next: lodsb
    0x84, 0xc0, //       test al, al
    0x74, 0x06, //       jz wait
    0xb4, 0x01, //       mov ah, 1        send a character
    0xcd, 0x14, //       int 0x14
    0xeb, 0xf5, //       jmp next
    0xf4, //       wait: hlt
    0xeb, 0xfd, //       jmp wait
  ])
  const sector = Buffer.alloc(512)
  code.copy(sector)
  sector.write(`${line}\r\n`, code.length)
  sector.writeUInt16LE(0xaa55, 510)
  return sector
}

/** A disk of 1 MiB with data only in the first sector. */
const disk = (line) => Buffer.concat([bootSector(line), Buffer.alloc(2 ** 20 - 512)])

/** One cluster of data: header, refcount table, refcount block, first table, second table, data. */
function qcow2(data) {
  const cluster = 65536
  const file = Buffer.alloc(6 * cluster)
  file.write('QFI\xfb', 0, 'latin1')
  file.writeUInt32BE(3, 4)
  file.writeUInt32BE(16, 20)
  file.writeBigUInt64BE(BigInt(data.length), 24)
  file.writeUInt32BE(1, 36)
  file.writeBigUInt64BE(BigInt(3 * cluster), 40)
  file.writeBigUInt64BE(BigInt(cluster), 48)
  file.writeUInt32BE(1, 56)
  file.writeUInt32BE(4, 96)
  file.writeUInt32BE(104, 100)
  file.writeBigUInt64BE(BigInt(2 * cluster), cluster)
  for (let each = 0; each < 6; each++) file.writeUInt16BE(1, 2 * cluster + 2 * each)
  const own = 1n << 63n
  file.writeBigUInt64BE(own | BigInt(4 * cluster), 3 * cluster)
  file.writeBigUInt64BE(own | BigInt(5 * cluster), 4 * cluster)
  data.copy(file, 5 * cluster, 0, cluster)
  return file
}

/** ISO 9660 with only a boot sector (El Torito, no emulation). */
function iso(line) {
  const sector = (number) => number * 2048
  const file = Buffer.alloc(sector(24))
  const both16 = (value, at) => {
    file.writeUInt16LE(value, at)
    file.writeUInt16BE(value, at + 2)
  }
  const both32 = (value, at) => {
    file.writeUInt32LE(value, at)
    file.writeUInt32BE(value, at + 4)
  }
  const text = (value, at, length) => file.write(value.padEnd(length), at, length, 'latin1')
  const directory = (at, name) => {
    file[at] = 34
    both32(23, at + 2)
    both32(2048, at + 10)
    file.set([100, 1, 1, 0, 0, 0, 0], at + 18)
    file[at + 25] = 2
    both16(1, at + 28)
    file[at + 32] = 1
    file[at + 33] = name
  }
  const descriptor = (number, type) => {
    file[sector(number)] = type
    file.write('CD001\x01', sector(number) + 1, 'latin1')
    return sector(number)
  }
  const volume = descriptor(16, 1)
  text('', volume + 8, 32)
  text('WHARF', volume + 40, 32)
  both32(24, volume + 80)
  both16(1, volume + 120)
  both16(1, volume + 124)
  both16(2048, volume + 128)
  both32(10, volume + 132)
  file.writeUInt32LE(21, volume + 140)
  file.writeUInt32BE(22, volume + 148)
  directory(volume + 156, 0)
  text('', volume + 190, 623)
  for (const at of [813, 830, 847, 864]) file.write('0'.repeat(16), volume + at)
  file[volume + 881] = 1
  const boot = descriptor(17, 0)
  file.write('EL TORITO SPECIFICATION', boot + 7)
  file.writeUInt32LE(19, boot + 71)
  descriptor(18, 255)
  const catalogue = sector(19)
  file[catalogue] = 1
  file.writeUInt16LE(0xaa55, catalogue + 30)
  file[catalogue + 32] = 0x88
  file.writeUInt16LE(4, catalogue + 38)
  file.writeUInt32LE(20, catalogue + 40)
  // the words of the validation entry sum to zero
  let sum = 0
  for (let at = 0; at < 32; at += 2) sum = (sum + file.readUInt16LE(catalogue + at)) & 0xffff
  file.writeUInt16LE(-sum & 0xffff, catalogue + 28)
  bootSector(line).copy(file, sector(20))
  for (const [number, place] of [[21, 'LE'], [22, 'BE']]) {
    file[sector(number)] = 1
    file[`writeUInt32${place}`](23, sector(number) + 2)
    file[`writeUInt16${place}`](1, sector(number) + 6)
  }
  directory(sector(23), 0)
  directory(sector(23) + 34, 1)
  return file
}

writeFileSync(`${folder}/gateway.qcow2`, qcow2(disk('wharf gateway is up')))
writeFileSync(`${folder}/linux-boot.img`, disk('wharf linux boot is up'))
writeFileSync(`${folder}/windows-boot.iso`, iso('wharf windows boot is up'))
END
