import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderHosts } from './host-order.ts'

const host = (name: string, zone?: string) => ({ uuid: name, name, labels: zone === undefined ? {} : { zone } })
const names = (hosts: readonly { name: string }[]): string => hosts.map(({ name }) => name).join(' ')

test('hosts are ordered by name', () =>
  assert.equal(names(orderHosts([host('b'), host('c'), host('a')], null)), 'a b c'))

test('every part of the order has the hosts of each zone in proportion', () => {
  const hosts = [...Array(60).keys()].map((index) => host(`h${String(index).padStart(2, '0')}`, index < 40 ? 'a' : 'b'))
  const ordered = orderHosts(hosts, 'zone')
  assert.equal(new Set(ordered).size, 60)
  for (let at = 0; at < 60; at += 6)
    assert.equal(ordered.slice(at, at + 6).filter(({ labels }) => labels.zone === 'a').length, 4, `from ${at}`)
})

test('hosts without the label are a group of their own', () =>
  assert.equal(names(orderHosts([host('a'), host('b'), host('c', 'x'), host('d', 'x')], 'zone')), 'a c b d'))

test('a label is not mistaken for a property of every object', () =>
  assert.equal(names(orderHosts([host('b'), host('a')], 'constructor')), 'a b'))
