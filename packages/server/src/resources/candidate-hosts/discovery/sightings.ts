import { type Message, nameKey, type Question, type ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { serviceType, type Txt } from '@wharf/announcer/service-type.ts'
import { type AddressRecord, AddressRecords } from './address-records.ts'
import { type AnnouncedHost, AnnouncedService, isServiceName } from './announced-service.ts'

/** Anybody can announce anything. A host counts once for each link. */
const maxServices = 16_384
/** At the limit, services without an address for this long are removed. */
const emptyMs = 10_000

type Of<T extends ResourceRecord['type']> = Extract<ResourceRecord, { type: T }>

/** The announcements on the links of this node. It gets messages and the time, and does no I/O. */
export class Sightings {
  readonly #services = new Map<string, AnnouncedService>()
  readonly #hosts = new Map<string, AnnouncedHost>()
  #version = 0
  #removedAt = Number.NEGATIVE_INFINITY

  /** Changes when the present services change. */
  get version(): number {
    return this.#version
  }

  receive(link: string, { answers, additionals }: Message, now: number): void {
    const records = [...answers, ...additionals]
    // in the order of their references, whatever their order in the message
    for (const record of records) if (record.type === 'PTR') this.#receivePointer(link, record, now)
    for (const record of records) if (record.type === 'SRV') this.#receiveServer(link, record, now)
    const described = records.flatMap((record) =>
      record.type === 'TXT' ? (this.#receiveText(link, record, now) ?? []) : [],
    )
    const hosts = new Map(described.map(({ host, facts }) => [host, facts]))
    for (const record of records)
      if (record.type === 'A' || record.type === 'AAAA') this.#receiveAddress(link, record, now, hosts)
  }

  #receivePointer(link: string, { name, target, ttlSeconds }: Of<'PTR'>, now: number): void {
    const instance = nameKey(target)
    if (nameKey(name) !== serviceType || !isServiceName(instance)) return
    const key = keyOf(link, instance)
    const known = this.#services.get(key)
    if (ttlSeconds === 0 && known) this.#remove(key, known)
    if (ttlSeconds === 0) return
    if (known) known.receive(now, ttlSeconds * 1000)
    else if (this.#services.size < maxServices || this.#removeEmpty(now))
      this.#services.set(key, new AnnouncedService(link, target, now, ttlSeconds * 1000))
  }

  #receiveServer(link: string, { name, target, ttlSeconds }: Of<'SRV'>, now: number): void {
    const key = keyOf(link, nameKey(name))
    const service = this.#services.get(key)
    if (service === undefined) return
    if (ttlSeconds === 0) {
      this.#remove(key, service)
      return
    }
    if (service.host === undefined || nameKey(service.host.name) !== nameKey(target)) {
      this.#detachHost(service)
      service.host = this.#hostNamed(link, target)
      service.host.services.add(service)
      this.#version++
    }
    service.receiveDetail('SRV', now, ttlSeconds * 1000)
  }

  #receiveText(link: string, { name, strings, ttlSeconds }: Of<'TXT'>, now: number): AnnouncedService | undefined {
    const service = ttlSeconds === 0 ? undefined : this.#services.get(keyOf(link, nameKey(name)))
    if (service?.receiveFacts(strings, now, ttlSeconds * 1000)) this.#version++
    return service
  }

  /** A host with two interfaces on one link sends a message for each, with its addresses. */
  #receiveAddress(link: string, record: AddressRecord, now: number, facts: Map<AnnouncedHost | undefined, Txt>): void {
    const host = this.#hosts.get(keyOf(link, nameKey(record.name)))
    const on = facts.get(host)?.[record.type === 'A' ? 'ipv4Interface' : 'ipv6Interface']
    if (host?.addresses.receive(record, now, on)) this.#version++
  }

  #hostNamed(link: string, name: string): AnnouncedHost {
    const key = keyOf(link, nameKey(name))
    const host = this.#hosts.get(key) ?? { name, addresses: new AddressRecords(), services: new Set() }
    this.#hosts.set(key, host)
    return host
  }

  /** Removes what has expired, and returns the queries that are due, by link. */
  tick(now: number): Map<string, Question[]> {
    for (const { addresses } of this.#hosts.values()) if (addresses.expire(now)) this.#version++
    const questions = new Map<string, Question[]>()
    const queried = new Set<AnnouncedHost>()
    for (const [key, service] of this.#services) {
      if (service.isServerLost(now)) {
        if (service.isPresent) this.#version++
        this.#detachHost(service)
      }
      if (service.isExpired(now)) {
        this.#remove(key, service)
        continue
      }
      const { link, name, host } = service
      const due = questions.get(link) ?? []
      if (service.takeDue(now)) due.push({ name, type: 'SRV' }, { name, type: 'TXT' })
      if (host && !queried.has(host) && host.addresses.takeDue(now))
        due.push({ name: host.name, type: 'A' }, { name: host.name, type: 'AAAA' })
      if (host) queried.add(host)
      if (due.length > 0) questions.set(link, due)
    }
    return questions
  }

  listPresent(): AnnouncedService[] {
    return [...this.#services.values()].filter((service) => service.isPresent)
  }

  get size(): number {
    return this.#services.size
  }

  /** At most once a second, because a flood of announcements must not cause a scan for each. */
  #removeEmpty(now: number): boolean {
    if (now < this.#removedAt + 1000) return false
    this.#removedAt = now
    for (const [key, service] of this.#services)
      if (!service.isPresent && service.receivedAt < now - emptyMs) this.#remove(key, service)
    return this.#services.size < maxServices
  }

  #remove(key: string, service: AnnouncedService): void {
    if (service.isPresent) this.#version++
    this.#detachHost(service)
    this.#services.delete(key)
  }

  #detachHost(service: AnnouncedService): void {
    const { host, link } = service
    service.host = undefined
    if (host?.services.delete(service) && host.services.size === 0) this.#hosts.delete(keyOf(link, nameKey(host.name)))
  }
}

/** A name is valid on its link only: the same name on another link is another host. */
const keyOf = (link: string, name: string): string => `${link} ${name}`
