import { domainToASCII } from 'node:url';
import type { DomainPlan, HostPlan, Mailbox, WordingKind, Zone } from '../zone/plan.ts';

/** What a host thinks of a recipient: a reply by its kind, to be worded, or a reply in full. */
export type Opinion = { kind: WordingKind; wording?: string } | { say: string };

/** Looks a recipient up among the domains that a host serves. */
export function judgeRecipient(domains: Map<string, DomainPlan>, recipient: string): Opinion {
  const at = recipient.lastIndexOf('@');
  const domain = domains.get(toLookupName(recipient.slice(at + 1)));
  if (at < 1 || !domain) return { kind: 'relay' };
  const mailbox = findMailbox(domain, toMailboxName(recipient.slice(0, at)));
  if (!mailbox) return { kind: 'missing', wording: domain.wording };
  return 'say' in mailbox ? mailbox : { kind: mailbox.kind, wording: domain.wording };
}

/** The domains whose mail comes to a host, by MX record or by address, also where that names an alias of the host. */
export function domainsServedBy(zone: Zone, plan: HostPlan): Map<string, DomainPlan> {
  const isHere = (name: string | undefined) =>
    name !== undefined && (name === plan.name || zone.hosts.get(name)?.cname === plan.name);
  const served = [...zone.domains.values()].filter(
    (domain) =>
      !domain.isUnserved &&
      (isHere(domain.ownAddressHost) || domain.mx.some(({ exchange }) => isHere(exchange))),
  );
  return new Map(served.map((domain) => [domain.name, domain]));
}

const accepted: Mailbox = { kind: 'accepted' };

function findMailbox(domain: DomainPlan, name: string): Mailbox | undefined {
  const known = domain.mailboxes.get(name);
  if (known) return known;
  if (name === 'postmaster' && domain.hasPostmaster) return accepted;
  const alike = domain.prefixes.find(({ prefix }) => name.startsWith(prefix))?.mailbox;
  return alike ?? (domain.takesAny?.(name) ? accepted : undefined);
}

/** Mail hosts know A-labels; a client that speaks SMTPUTF8 may send the domain as people write it. */
function toLookupName(domain: string): string {
  return isAscii(domain) ? domain.toLowerCase() : domainToASCII(domain);
}

/** The mailbox that a local part names: without its quotes, its `+tag` and its capitals. */
function toMailboxName(local: string): string {
  const bare = local.startsWith('"') ? local.slice(1, -1).replaceAll(/\\(.)/g, '$1') : local;
  const plus = bare.indexOf('+');
  const name = (plus > 0 ? bare.slice(0, plus) : bare).toLowerCase();
  return isAscii(name) ? name : name.normalize('NFC');
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII.
  return !/[^\x00-\x7f]/.test(text);
}
