import assert from 'node:assert/strict'
import { test } from 'node:test'
import { avahiServiceFile } from './avahi.ts'

test('writes a service file with escaped values', () => {
  const file = avahiServiceFile({ hostName: 'web', sn: `<&"'>`, manufacturer: 'A\u0007 & B', product: undefined })
  assert.match(file, /<type>_wharf-host\._tcp<\/type>\n {4}<port>22<\/port>/)
  assert.deepEqual(file.match(/(?<=<txt-record>).*(?=<\/txt-record>)/g), [
    'sn=&lt;&amp;&quot;&apos;&gt;',
    'manufacturer=A &amp; B',
  ])
})

test('cuts long values between characters', () => {
  const [record = ''] =
    /(?<=<txt-record>).*(?=<\/txt-record>)/.exec(avahiServiceFile({ hostName: 'a', sn: '码'.repeat(200) })) ?? []
  assert.equal(record, `sn=${'码'.repeat(84)}`)
})
