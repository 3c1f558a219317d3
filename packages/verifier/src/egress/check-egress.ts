import { isIPv6 } from 'node:net';
import { type Clock, systemClock } from '../clock.ts';
import { createDialGuard, type DialGuard } from '../net/dial-guard.ts';
import { type DialFailure, dialHost } from '../smtp/dial-host.ts';
import { checkContacts } from './check-contacts.ts';
import { createEgressDns, type EgressDns, reversed } from './egress-dns.ts';
import type { EgressCheck, EgressCheckOptions, EgressFinding } from './egress-finding.ts';
import { checkSpf } from './spf.ts';

export interface EgressReport {
  readonly findings: EgressFinding[];
  /** No target took a connection, although some were dialled. */
  readonly isPortClosed: boolean;
  /** A block list names the address. */
  readonly isListed: boolean;
}

interface Surroundings extends EgressCheckOptions {
  readonly resolver: EgressDns;
  readonly guard: DialGuard;
  readonly clock: Clock;
}

const connectMs = 10_000;

/** Finds out whether mail hosts can be reached and what they think of our address, and says how to mend it. */
export async function checkEgress(options: EgressCheckOptions): Promise<EgressReport> {
  const around: Surroundings = {
    ...options,
    resolver: createEgressDns(options.dns ?? [], options.signal),
    guard: createDialGuard(options.smtpPort, options.allowRanges),
    clock: systemClock,
  };
  const port = await checkPort(around);
  if (port.isDnsAway) return reportOf([port.finding, ...withoutDns()]);
  const contacts = options.asksContacts ? [await checkContacts(options)] : [];
  const address = options.address ?? publicOf(port.localAddress);
  if (address === undefined)
    return reportOf([port.finding, ...withoutAddress(port.localAddress), ...contacts]);
  const others = await Promise.all([
    unlessLookupFails('reverse_dns', () => checkReverse(address, around)),
    unlessLookupFails('helo', () => checkHelo(address, around)),
    unlessLookupFails('spf', () => checkSender(address, around)),
    unlessLookupFails('block_lists', () => checkBlockLists(address, around)),
  ]);
  const named: EgressFinding = { check: 'address', status: 'ok', detail: `Mail hosts see ${address}.` };
  return reportOf([port.finding, named, ...others, ...contacts]);
}

const reportOf = (findings: EgressFinding[]): EgressReport => {
  const has = (check: EgressCheck) =>
    findings.some((finding) => finding.check === check && finding.status === 'problem');
  return { findings, isPortClosed: has('port_25'), isListed: has('block_lists') };
};

async function checkPort(around: Surroundings): Promise<PortCheck> {
  const { targets, smtpPort } = around;
  if (targets.length === 0) {
    const finding = { check: 'port_25', status: 'skipped', detail: 'No targets are configured.' } as const;
    return { finding, localAddress: undefined, isDnsAway: false };
  }
  const attempts = await Promise.all(targets.map((target) => tryTarget(target, around)));
  const reached = attempts.find(({ finding }) => finding === 'connected');
  if (reached !== undefined) {
    const finding = {
      check: 'port_25',
      status: 'ok',
      detail: `${reached.target} took a connection.`,
    } as const;
    return { finding, localAddress: reached.localAddress, isDnsAway: false };
  }
  if (attempts.every(({ finding }) => finding === 'dns_away')) {
    const finding: EgressFinding = {
      check: 'port_25',
      status: 'unclear',
      detail: `Port ${smtpPort} could not be checked: no name server answered.`,
      fix: 'Connect this machine to the network, or correct its resolver (ASSAY_DNS).',
    };
    return { finding, localAddress: undefined, isDnsAway: true };
  }
  const said = attempts.map(({ target, finding }) => `${target}: ${finding.replaceAll('_', ' ')}`).join('; ');
  // A target that DNS does not know says nothing about the port.
  const wasDialled = attempts.some(
    ({ finding }) => !['not_found', 'dns_away', 'forbidden'].includes(finding),
  );
  const finding: EgressFinding = wasDialled
    ? {
        check: 'port_25',
        status: 'problem',
        detail: `No mail host could be reached on port ${smtpPort} (${said}).`,
        fix: attempts.some(({ finding }) => finding === 'egress_away')
          ? 'Check that the proxy of this egress runs and takes our password, or that this machine has its address. Until then no address can be verified.'
          : 'Ask your hosting provider to open outbound port 25, or check the firewall. Until then no address can be verified.',
      }
    : {
        check: 'port_25',
        status: 'unclear',
        detail: `No target could be dialled (${said}).`,
        fix: 'Check the resolver (ASSAY_DNS) and the targets (ASSAY_EGRESS_TARGETS).',
      };
  return { finding, localAddress: undefined, isDnsAway: false };
}

interface PortCheck {
  readonly finding: EgressFinding;
  readonly localAddress: string | undefined;
  /** No lookup of a target was answered, so further ones would only take time. */
  readonly isDnsAway: boolean;
}

type Attempt = 'connected' | 'not_found' | 'dns_away' | DialFailure;

async function tryTarget(target: string, { resolver, guard, egress, clock, signal }: Surroundings) {
  const ips = await resolver.addresses(target).catch(isAway);
  if (ips === 'away') return { target, finding: 'dns_away' as Attempt, localAddress: undefined };
  if (ips.length === 0 || signal?.aborted)
    return { target, finding: 'not_found' as Attempt, localAddress: undefined };
  return new Promise<{ target: string; finding: Attempt; localAddress: string | undefined }>((resolve) => {
    const stopDialling = dialHost({
      ips,
      firstIp: 0,
      guard,
      egress,
      clock,
      timeoutMs: connectMs,
      onConnected(socket) {
        // Through a proxy, the address that mail hosts see is the proxy's.
        const localAddress = egress.kind === 'local' ? socket.localAddress : undefined;
        socket.on('error', () => {});
        socket.end('QUIT\r\n');
        resolve({ target, finding: 'connected', localAddress });
        // The host may never answer the QUIT.
        socket.once(
          'close',
          clock.after(connectMs, () => socket.destroy()),
        );
      },
      onBytes() {},
      onFailed: (finding) => resolve({ target, finding, localAddress: undefined }),
    });
    signal?.addEventListener('abort', () => {
      stopDialling();
      resolve({ target, finding: 'lost', localAddress: undefined });
    });
  });
}

/** Whether no name server was reached. One that answers with an error is there. */
const isAway = ({ code }: NodeJS.ErrnoException): 'away' | string[] =>
  code === 'ECONNREFUSED' || code === 'ETIMEOUT' ? 'away' : [];

/** The address if it is one that mail hosts can see: the guard forbids exactly the others. */
function publicOf(localAddress: string | undefined): string | undefined {
  if (localAddress === undefined) return undefined;
  const plain = localAddress.includes('.') ? localAddress.replace('::ffff:', '') : localAddress;
  return createDialGuard(25, []).check(plain).allowed ? plain : undefined;
}

function withoutAddress(localAddress: string | undefined): EgressFinding[] {
  const detail =
    localAddress === undefined
      ? 'Our public address is not known.'
      : `Connections leave from ${localAddress}, which is not public.`;
  const address: EgressFinding = {
    check: 'address',
    status: 'unclear',
    detail,
    fix: 'Behind NAT or a proxy, configure the address that mail hosts see (ASSAY_EGRESS_ADDRESS).',
  };
  const rest = lookedUpChecks.map(
    (check): EgressFinding => ({ check, status: 'skipped', detail: 'It needs the public address.' }),
  );
  return [address, ...rest];
}

const withoutDns = (): EgressFinding[] =>
  (['address', ...lookedUpChecks] as const).map((check) => ({
    check,
    status: 'unclear',
    detail: 'Not checked, because no name server answered.',
  }));

const lookedUpChecks = ['reverse_dns', 'helo', 'spf', 'block_lists'] as const;

async function unlessLookupFails(
  check: EgressCheck,
  lookUp: () => Promise<EgressFinding>,
): Promise<EgressFinding> {
  try {
    return await lookUp();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { check, status: 'unclear', detail: `A lookup failed (${code ?? 'no reason given'}).` };
  }
}

/** The address that hosts see and those of the HELO name: a host that we meet over IPv6 looks up that one. */
async function addressesOf(address: string, { resolver, helo }: Surroundings): Promise<string[]> {
  return [...new Set([address, ...(await resolver.addresses(helo))])].slice(0, 10);
}

async function checkReverse(address: string, around: Surroundings): Promise<EgressFinding> {
  const found = await Promise.all(
    (await addressesOf(address, around)).map((one) => checkReverseOf(one, around)),
  );
  return (
    found.find(({ status }) => status === 'problem') ?? {
      check: 'reverse_dns',
      status: 'ok',
      detail: found.map(({ detail }) => detail).join(' '),
    }
  );
}

/** Whether a reverse name leads back (RFC 1912 §2.1). */
async function checkReverseOf(address: string, { resolver, helo }: Surroundings): Promise<EgressFinding> {
  const names = (await resolver.namesOf(address)).slice(0, 10);
  if (names.length === 0) {
    return {
      check: 'reverse_dns',
      status: 'problem',
      detail: `${address} has no reverse name (PTR), so many hosts refuse it.`,
      fix: `Ask the owner of the address to set its PTR record to ${helo}.`,
    };
  }
  for (const name of names) {
    if ((await resolver.addresses(name)).includes(address)) {
      return { check: 'reverse_dns', status: 'ok', detail: `${address} is ${name}, and ${name} leads back.` };
    }
  }
  return {
    check: 'reverse_dns',
    status: 'problem',
    detail: `${address} is ${names.join(', ')}, but no such name leads back to ${address}.`,
    fix: `Give ${names[0]} an address record with ${address}, or set the PTR record to a name that has one.`,
  };
}

async function checkHelo(address: string, { resolver, helo }: Surroundings): Promise<EgressFinding> {
  const addresses = await resolver.addresses(helo);
  if (addresses.includes(address)) return { check: 'helo', status: 'ok', detail: `${helo} is ${address}.` };
  const leads = addresses.length === 0 ? 'has no address' : `leads to ${addresses.slice(0, 5).join(', ')}`;
  return {
    check: 'helo',
    status: 'problem',
    detail: `We introduce ourselves as ${helo}, which ${leads} and not to ${address}.`,
    fix: `Set ASSAY_HELO to a name whose address record is ${address}, best the reverse name of that address.`,
  };
}

async function checkSender(address: string, around: Surroundings): Promise<EgressFinding> {
  const { resolver, mailFrom, helo } = around;
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1);
  const addresses = await addressesOf(address, around);
  const allowed: string[] = [];
  // RFC 7208 §2.3: hosts may check the HELO name as well. It needs no record; the domain of the sender does.
  for (const name of new Set([domain, helo].filter((one) => one !== '')))
    for (const one of addresses) {
      const result = await checkSpf(name, one, resolver);
      if (result === 'none' && name !== domain) continue;
      if (result !== 'pass') return spfProblem(name, one, result);
      allowed.push(`${name} allows ${one}`);
    }
  if (allowed.length === 0) return { check: 'spf', status: 'skipped', detail: 'The sender is empty.' };
  return { check: 'spf', status: 'ok', detail: `${allowed.join(', ')} to send.` };
}

function spfProblem(domain: string, address: string, result: 'fail' | 'none' | 'unclear'): EgressFinding {
  const mechanism = isIPv6(address) ? 'ip6' : 'ip4';
  const details = {
    fail: `The SPF record of ${domain} does not allow ${address}.`,
    none: `${domain}, the domain of our sender, has no SPF record.`,
    unclear: `The SPF record of ${domain} is broken, or too complicated for this check.`,
  };
  return {
    check: 'spf',
    status: result === 'unclear' ? 'unclear' : 'problem',
    detail: details[result],
    fix: `Add ${mechanism}:${address} to the SPF record of ${domain}, such as: v=spf1 ${mechanism}:${address} -all`,
  };
}

/** RFC 5782 §5: every list names the first address and does not name the second. */
const testPoints = {
  ipv4: { listed: '127.0.0.2', unlisted: '127.0.0.1' },
  ipv6: { listed: '::ffff:7f00:2', unlisted: '::ffff:7f00:1' },
} as const;

/**
 * Whether a list names the address (RFC 5782 §2.1). 127.0.0.1 says nothing, and 127.255.255.0/24 is how Spamhaus refuses to answer, for
 * example through a public resolver.
 */
const isListing = (answers: readonly string[] = []): boolean =>
  answers.some(
    (answer) => answer.startsWith('127.') && !answer.startsWith('127.255.255.') && answer !== '127.0.0.1',
  );

async function checkBlockLists(address: string, around: Surroundings): Promise<EgressFinding> {
  const { resolver, blockLists } = around;
  if (blockLists.length === 0) {
    return { check: 'block_lists', status: 'skipped', detail: 'No block lists are configured.' };
  }
  const lists = await Promise.all(
    blockLists.map(async (zone) => {
      const ask = (ip: string) => resolver.addresses(`${reversed(ip)}.${zone}`).catch(() => ['failed']);
      const { listed, unlisted } = testPoints[isIPv6(address) ? 'ipv6' : 'ipv4'];
      const [answers, ofListed, ofUnlisted] = await Promise.all([address, listed, unlisted].map(ask));
      // A resolver that rewrites answers, or a list that has ended, may name every address.
      const isTrusted = isListing(ofListed) && ofUnlisted?.length === 0;
      return { zone, isTrusted, isListed: isListing(answers) };
    }),
  );
  const listed = lists.filter(({ isTrusted, isListed }) => isTrusted && isListed).map(({ zone }) => zone);
  if (listed.length > 0) {
    return {
      check: 'block_lists',
      status: 'problem',
      detail: `${address} is listed by ${listed.join(', ')}.`,
      fix: 'Look up the address on the list’s website, end the cause it names, and ask there for removal.',
    };
  }
  const silent = lists.filter(({ isTrusted }) => !isTrusted).map(({ zone }) => zone);
  if (silent.length === 0) {
    return { check: 'block_lists', status: 'ok', detail: `Not listed by ${blockLists.join(', ')}.` };
  }
  return {
    check: 'block_lists',
    status: 'unclear',
    detail: `No usable answer from ${silent.join(', ')}.`,
    fix: 'Many lists refuse public resolvers: point ASSAY_DNS at a resolver of your own.',
  };
}
