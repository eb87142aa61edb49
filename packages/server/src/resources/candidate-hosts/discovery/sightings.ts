import { type Message, nameKey, type Question, type ResourceRecord } from '@wharf/announcer/dns/message.ts'
import { serviceType, type Txt } from '@wharf/announcer/service-type.ts'
import { type AddressRecord, AddressRecords } from './address-records.ts'
import { type AnnouncedHost, AnnouncedService, isServiceName } from './announced-service.ts'

/** Anybody can announce anything. A host counts once for each link that it is seen on. */
const maxServices = 16_384
/** When there are too many, what has shown no address for this long makes room. */
const emptyMs = 10_000

type Of<T extends ResourceRecord['type']> = Extract<ResourceRecord, { type: T }>

/** What is announced on the links of this node. Takes messages and the time; does not know the network. */
export class Sightings {
  readonly #services = new Map<string, AnnouncedService>()
  readonly #hosts = new Map<string, AnnouncedHost>()
  #version = 0
  #roomSoughtAt = Number.NEGATIVE_INFINITY

  /** Another number: something else is present than before. */
  get version(): number {
    return this.#version
  }

  hear(link: string, { answers, additionals }: Message, now: number): void {
    const records = [...answers, ...additionals]
    // in the order in which one leads to the next, however they stand in the message
    for (const record of records) if (record.type === 'PTR') this.#hearPointer(link, record, now)
    for (const record of records) if (record.type === 'SRV') this.#hearServer(link, record, now)
    const told = records.flatMap((record) => (record.type === 'TXT' ? (this.#hearText(link, record, now) ?? []) : []))
    const hosts = new Map(told.map(({ host, facts }) => [host, facts]))
    for (const record of records)
      if (record.type === 'A' || record.type === 'AAAA') this.#hearAddress(link, record, now, hosts)
  }

  #hearPointer(link: string, { name, target, ttlSeconds }: Of<'PTR'>, now: number): void {
    const instance = nameKey(target)
    if (nameKey(name) !== serviceType || !isServiceName(instance)) return
    const key = placeOf(link, instance)
    const known = this.#services.get(key)
    if (ttlSeconds === 0 && known) this.#remove(key, known)
    if (ttlSeconds === 0) return
    if (known) known.hear(now, ttlSeconds * 1000)
    else if (this.#services.size < maxServices || this.#makeRoom(now))
      this.#services.set(key, new AnnouncedService(link, target, now, ttlSeconds * 1000))
  }

  #hearServer(link: string, { name, target, ttlSeconds }: Of<'SRV'>, now: number): void {
    const key = placeOf(link, nameKey(name))
    const service = this.#services.get(key)
    if (service === undefined) return
    if (ttlSeconds === 0) {
      this.#remove(key, service)
      return
    }
    if (service.host === undefined || nameKey(service.host.name) !== nameKey(target)) {
      this.#leaveHost(service)
      service.host = this.#hostNamed(link, target)
      service.host.services.add(service)
      this.#version++
    }
    service.hearDetail('SRV', now, ttlSeconds * 1000)
  }

  #hearText(link: string, { name, strings, ttlSeconds }: Of<'TXT'>, now: number): AnnouncedService | undefined {
    const service = ttlSeconds === 0 ? undefined : this.#services.get(placeOf(link, nameKey(name)))
    if (service?.hearFacts(strings, now, ttlSeconds * 1000)) this.#version++
    return service
  }

  /** A host with two interfaces on one wire names each in a message of its own, together with its addresses. */
  #hearAddress(link: string, record: AddressRecord, now: number, told: Map<AnnouncedHost | undefined, Txt>): void {
    const host = this.#hosts.get(placeOf(link, nameKey(record.name)))
    const on = told.get(host)?.[record.type === 'A' ? 'ipv4Interface' : 'ipv6Interface']
    if (host?.addresses.hear(record, now, on)) this.#version++
  }

  #hostNamed(link: string, name: string): AnnouncedHost {
    const key = placeOf(link, nameKey(name))
    const host = this.#hosts.get(key) ?? { name, addresses: new AddressRecords(), services: new Set() }
    this.#hosts.set(key, host)
    return host
  }

  /** Lets go of what has run out, and says what is to be asked on which link. */
  tick(now: number): Map<string, Question[]> {
    for (const { addresses } of this.#hosts.values()) if (addresses.expire(now)) this.#version++
    const questions = new Map<string, Question[]>()
    const asked = new Set<AnnouncedHost>()
    for (const [key, service] of this.#services) {
      if (service.isServerGone(now)) {
        if (service.isPresent) this.#version++
        this.#leaveHost(service)
      }
      if (service.isForgettable(now)) {
        this.#remove(key, service)
        continue
      }
      const { link, name, host } = service
      const ask = questions.get(link) ?? []
      if (service.takeDue(now)) ask.push({ name, type: 'SRV' }, { name, type: 'TXT' })
      if (host && !asked.has(host) && host.addresses.takeDue(now))
        ask.push({ name: host.name, type: 'A' }, { name: host.name, type: 'AAAA' })
      if (host) asked.add(host)
      if (ask.length > 0) questions.set(link, ask)
    }
    return questions
  }

  present(): AnnouncedService[] {
    return [...this.#services.values()].filter((service) => service.isPresent)
  }

  get size(): number {
    return this.#services.size
  }

  /** At most once a second: looking through all of them for each newcomer would be what a flood is after. */
  #makeRoom(now: number): boolean {
    if (now < this.#roomSoughtAt + 1000) return false
    this.#roomSoughtAt = now
    for (const [key, service] of this.#services)
      if (!service.isPresent && service.heardAt < now - emptyMs) this.#remove(key, service)
    return this.#services.size < maxServices
  }

  #remove(key: string, service: AnnouncedService): void {
    if (service.isPresent) this.#version++
    this.#leaveHost(service)
    this.#services.delete(key)
  }

  #leaveHost(service: AnnouncedService): void {
    const { host, link } = service
    service.host = undefined
    if (host?.services.delete(service) && host.services.size === 0)
      this.#hosts.delete(placeOf(link, nameKey(host.name)))
  }
}

/** Names are known on their link only: the same one elsewhere is another host. */
const placeOf = (link: string, name: string): string => `${link} ${name}`
