import { readFileSync } from 'node:fs';
import { Conduct } from './conduct.ts';
import { createForwarder } from './dns/forwarder.ts';
import { startDnsServer } from './dns/server.ts';
import { Agenda } from './smtp/agenda.ts';
import { addressAt, network, startSmtpServers } from './smtp/server.ts';
import { parseZone } from './zone/parse.ts';
import type { DnsFault, Example, Zone } from './zone/plan.ts';
import { type KnownTruth, listTruths } from './zone/truths.ts';

export type { Conduct, Counts, Transcript, Violation, ViolationRecord } from './conduct.ts';
export { certificateName, readCertificate } from './smtp/tls.ts';
export type { Example } from './zone/plan.ts';
export type { KnownTruth } from './zone/truths.ts';

export interface MailWorldOptions {
  /** The text of a zone, in the format of docs/mail-world.md; the shipped one by default. */
  zone?: string;
  /** How long after a command its reply comes, as if the host were that far away; 0 by default. */
  replyDelayMs?: number;
  /** Connections that a host takes at one time; as many as come by default. */
  maxConnectionsPerHost?: number;
  /** Free ports by default. */
  dnsPort?: number;
  smtpPort?: number;
  /** Whether questions outside `.test` go to the system's resolver; they are refused by default. */
  forward?: boolean;
}

export interface MailWorld {
  /** `host:port` of the DNS server, by UDP and by TCP. */
  dns: string;
  /** The port on which every host listens. */
  smtpPort: number;
  /** The only addresses that a client has to be allowed beyond its habit, as `CIDR@port`. */
  allowRanges: string[];
  /** What clients did. */
  conduct: Conduct;
  /** The addresses documented for trying in this zone, with the verdict that each deserves. */
  examples: Example[];
  /** What is true of the mailboxes of the hosts that are hard to judge. */
  truths: KnownTruth[];
  /** The loopback address of a host. */
  addressOf(hostName: string): string;
  /** The owner of a domain publishes other records below `_assay`, or their name servers fail for that name. */
  publishOwnerRecords(domain: string, records: readonly string[] | DnsFault): void;
  close(): Promise<void>;
}

const dnsHost = '127.0.0.1';

/** A small internet of mail on loopback: DNS, and mail hosts that behave as the zone says. */
export async function startMailWorld(options: MailWorldOptions = {}): Promise<MailWorld> {
  const zone = parseZone(options.zone ?? readDefaultZone());
  const conduct = new Conduct();
  const agenda = new Agenda();
  const addresses = new Map([...zone.hosts.keys()].map((name, index) => [name, addressAt(index)]));
  const smtp = await startSmtpServers(
    {
      zone,
      conduct,
      agenda,
      replyDelayMs: options.replyDelayMs ?? 0,
      maxConnectionsPerHost: options.maxConnectionsPerHost ?? Number.POSITIVE_INFINITY,
    },
    options.smtpPort ?? 0,
  );
  const dns = await startDnsServer({
    host: dnsHost,
    port: options.dnsPort ?? 0,
    names: { zone, addressOf: (name) => addresses.get(name) },
    conduct,
    forwarder: options.forward ? createForwarder() : undefined,
  }).catch(async (error: unknown) => {
    await smtp.close();
    throw error;
  });
  return {
    dns: `${dnsHost}:${dns.port}`,
    smtpPort: smtp.port,
    allowRanges: [`${network}@${smtp.port}`],
    conduct,
    examples: zone.examples,
    truths: listTruths(zone),
    addressOf: (name) => requireAddress(addresses, zone, name),
    publishOwnerRecords(domain, records) {
      const plan = zone.domains.get(domain);
      if (plan === undefined) throw new Error(`${domain} is not a domain of this zone`);
      const isFault = typeof records === 'string';
      plan.ownerRecords = isFault ? plan.ownerRecords : [...records];
      if (isFault) plan.ownerDnsFault = records;
      else delete plan.ownerDnsFault;
    },
    close: async () => {
      agenda.close();
      await Promise.all([smtp.close(), dns.close()]);
    },
  };
}

/** The zone that is shipped: every behaviour that the world knows, the names to try, and the hosts that are hard to judge. */
export function readDefaultZone(): string {
  return `${readZone('default')}\n${readZone('truth')}`;
}

/** The hosts that are hard to judge, alone. */
export const readTruthZone = (): string => readZone('truth');

const readZone = (name: string): string => readFileSync(new URL(`./${name}.zone`, import.meta.url), 'utf8');

function requireAddress(addresses: Map<string, string>, zone: Zone, name: string): string {
  const address = addresses.get(name);
  if (address === undefined)
    throw new Error(`${name} is not one of the ${zone.hosts.size} hosts of this zone`);
  return address;
}
