import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBuiltInCatalogue } from './built-in-catalogue.ts'
import { ElaborationSet } from './elaboration-set.ts'
import { TextSearch } from './text-search.ts'

const search = new TextSearch(new ElaborationSet(readBuiltInCatalogue()))

/** An error text of the server, its code, and what its explanation contains and does not contain. */
const rows: [text: string, code: string, expected: RegExp, unexpected?: RegExp][] = [
  ['software package gw has no GatewayImage to create a VM from', 'SoftwarePackage.1132', /key GatewayImage/],
  ['no software package of type Migrate exists; upload and install one first', 'SYS.1005', /install it/],
  [
    'software package gw is Uploaded; to create gateway VMs it must be Installed',
    'SYS.1005',
    /^The migration package gw/,
  ],
  ['network must be network:<name>, bridge:<name> or user; names have letters', 'SYS.1007', /bridge:NAME/],
  ['network must be text', 'SYS.1007', /bridge:NAME/],
  ['params.operations: there is no operation or group A; did you mean B?', 'SYS.1007', /^A is neither/],
  ['the host does not report its user ID and home folder', 'SYS.1016', /id -u/],
  ['virsh is not installed on the host; install libvirt and its clients', 'MIGRATE.1001', /Install libvirt/],
  ['libvirt could not list its VMs: virsh ended with exit code 1', 'MIGRATE.1001', /list its VMs/],
  ['libvirt could not list its VMs: Failed to connect socket', 'MIGRATE.1001', /qemu:\/\/\/session/, /group libvirt/],
  ['libvirt could not start a VM: Could not access KVM: /dev/kvm', 'MIGRATE.1001', /automatically/, /go without/],
  ['the image "a.qcow2" has a backing file; flatten it', 'SoftwarePackage.1132', /it has a backing file/],
  ['the image "a.qcow2" ends within the header of a qcow2', 'SoftwarePackage.1132', /it ends within/],
  ['the image "a.qcow2" claims to be 9007199254740992 bytes large', 'SoftwarePackage.1132', /it claims/],
  ['the image "a.qcow2" needs features of qcow2 that are not known', 'SoftwarePackage.1132', /it needs/],
  ['the image "a.qcow2" keeps its data in another file; flatten it', 'SoftwarePackage.1132', /it keeps/],
  ['the image "a" is a VMDK; only qcow2, raw and ISO images can be used', 'SoftwarePackage.1132', /it is a VMDK/],
  ['the image gateway is missing on backup storage vault', 'SYS.1003', /missing on the storage/],
  ['the host could not move /a/b.part to /a/b: mv: denied', 'SYS.1016', /in.*place at \/a\/b/],
  ['no image exists at this address', 'SYS.1003', /exportUrl/],
  [
    `uuid ${'a'.repeat(32)} is in use by another record (host); omit resourceUuid or choose another`,
    'SYS.1002',
    /resourceUuid/,
  ],
  [`libvirt on the host already has a VM with the uuid ${'a'.repeat(32)}: payroll`, 'SYS.1002', /payroll/],
  [
    'params.managementIp leads to 169.254.169.254: a cloud metadata address, which is reached only when WHARF_DOWNLOAD_ALLOW admits it',
    'SYS.1007',
    /WHARF_DOWNLOAD_ALLOW/,
  ],
  [
    'params.managementIp leads to 10.0.0.5: an address of the machine of this server, which is reached only when WHARF_DOWNLOAD_ALLOW admits it, or for an admin',
    'SYS.1007',
    /by an admin/,
  ],
  ['DingTalk answered 400106: the robot is not in the group', 'SNS.1001', /no longer in the group/, /too long/],
  ['DingTalk answered 400105: the type of the message is not supported', 'SNS.1001', /type that is not supported/],
  ['DingTalk answered 43004: the message is not accepted', 'SNS.1001', /template/],
  ['there are software packages or gateway VMs on host web-1; delete them first', 'SYS.1004', /gateway VMs/, /move/],
  ['there are software packages on backup storage vault; delete them first', 'SYS.1004', /^Backup storage vault/, /VM/],
  ['cpu must be a whole number from 1 to 255', 'SYS.1007', /from 1 to 255/, /type/],
  ['params.sshPort must be a whole number', 'SYS.1007', /wrong type/],
  ['backup storage s3 cannot write a.tar: QuotaExceeded', 'SoftwarePackage.1121', /full/],
  [
    'backup storage s3 cannot write a.tar: the file is larger than the storage accepts',
    'BS.1500',
    /size limit/,
    /is full/,
  ],
  ['Connection refused', 'SYS.1015', /nothing listens on this port/],
  ['ECONNREFUSED', 'SYS.1015', /nothing listens on this port/],
  ['curl: (7) connection refused', 'SYS.1015', /nothing listens on this port/],
  ['connect ECONNREFUSED 10.0.0.9:5432', 'SYS.1015', /^Nothing listens at 10\.0\.0\.9:5432/],
  ['ssh: connect to host a port 22: Connection refused', 'HOST.1003', /Start sshd/],
  ['backup storage vault cannot be reached: connection refused', 'BS.1003', /^backup storage vault/],
  ['ID.1006', 'ID.1006', /number of accounts/, /last admin/],
  ['HOST.1004', 'HOST.1004', /hostKeyFingerprint of updateHost/],
  [
    'the key of host 10.0.0.9 is not the one that was pinned when it was added.',
    'HOST.1004',
    /hostKeyFingerprint of updateHost/,
  ],
  ['params.selector: no field "foo"; these can be queried: uuid, name', 'SYS.1007', /the field foo/],
  ['params.waves: 0 must be at least 1 host, or more than 0% and at most 100%', 'SYS.1007', /^The wave 0 is/],
  ['params.maxFailures: 200% must be at most 100%', 'SYS.1007', /percentage/],
  [
    'params.startAt must be a time such as 2026-11-05T01:02:03Z or Nov 5, 2026 1:02:03 AM',
    'SYS.1007',
    /^params\.startAt is not a time/,
  ],
  ['upgradeSoftwarePackage.config: config.greeting must be string', 'SYS.1007', /schema/],
  ['the delivery is Sent; only one that is Failed can be sent again', 'SYS.1005', /./],
  ['software package etcd is not on a host', 'SYS.1005', /Install it on a host/],
  [
    'the component did not accept the adminToken: the check of software package etcd did not end within 5 s',
    'ClusterPlugin.1001',
    /./,
  ],
]
for (const [text, code, expected, unexpected] of rows)
  test(`${code} is explained: ${text}`, () => {
    const found = search.explain(text)
    assert.equal(`${found?.category}.${found?.code}`, code)
    assert.match(found?.message_en ?? '', expected)
    if (unexpected) assert.doesNotMatch(found?.message_en ?? '', unexpected)
  })
