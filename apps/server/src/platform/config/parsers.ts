import { isIP } from 'node:net';
import type { Egress } from '@assay/verifier';
import { SettingProblem } from './setting.ts';

export const text = (value: string): string => value;

export const folderOrNone = (value: string): string | null => (value === 'none' ? null : value);

/** A word that may become part of other names, such as that of a queue. */
export const name = (value: string): string => {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(value)) return value;
  throw new SettingProblem('must be up to 40 lower-case letters, digits and hyphens');
};

export const wholeNumber =
  ({ min, max }: { min: number; max: number }) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new SettingProblem(`must be a whole number from ${min} to ${max}, but is '${value}'.`);
  };

/** Claims that people can change themselves, or that name a mailbox, which may get another owner. */
const personalClaims = ['email', 'name', 'nickname', 'phone_number', 'preferred_username', 'upn', 'username'];

/** `name=value` of a token. Names may be URLs. */
export function claim(value: string): { readonly name: string; readonly value: string } {
  const end = value.lastIndexOf('=');
  const [name, wanted] = [value.slice(0, end).trim(), value.slice(end + 1).trim()];
  if (end < 1 || name === '' || wanted === '')
    throw new SettingProblem('must be name=value, such as roles=assay-operator');
  if (personalClaims.includes(name) || wanted.includes('@'))
    throw new SettingProblem('must not depend on an address or a name that people choose');
  return { name, value: wanted };
}

export const port = wholeNumber({ min: 1, max: 65_535 });

export const oneOf =
  <const Choice extends string>(...choices: Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice !== undefined) return choice;
    throw new SettingProblem(`must be ${choices.join(' or ')}, but is '${value}'.`);
  };

const secretBytesMin = 32;

/** Values of secret settings are never repeated in a message. */
export function secret(value: string): string {
  if (Buffer.byteLength(value) >= secretBytesMin) return value;
  throw new SettingProblem(
    `must have at least ${secretBytesMin} bytes, for example from: openssl rand -base64 48`,
  );
}

const parseUrl = (value: string, protocols: string[]): URL => {
  const url = URL.parse(value);
  if (url && protocols.includes(url.protocol)) return url;
  const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ');
  throw new SettingProblem(`must be an address that begins with ${schemes}`);
};

/** Scheme, host and port, and nothing after them. */
export function origin(value: string): string {
  const url = parseUrl(value, ['http:', 'https:']);
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (isBare) return url.origin;
  throw new SettingProblem(`must be an origin without a path, such as ${url.origin}, but is '${value}'.`);
}

/** Kept letter by letter: an issuer is compared as text. */
export function issuerUrl(value: string): string {
  if (isPrivateOnTheWay(value)) return value;
  throw new SettingProblem(
    'must begin with https://, since keys fetched over plain http could be anybody’s.',
  );
}

/** Where secrets are sent to. */
export function secureUrl(value: string): string {
  if (isPrivateOnTheWay(value)) return value;
  throw new SettingProblem('must begin with https://, since what is sent there must not be read on the way.');
}

function isPrivateOnTheWay(value: string): boolean {
  const url = parseUrl(value, ['http:', 'https:']);
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '[::1]';

export const webUrl = (value: string): string => parseUrl(value, ['http:', 'https:']).href;

/** Where a service is called: nothing after the path, and no password, which messages would repeat. */
export function serviceUrl(value: string): string {
  const url = parseUrl(value, ['http:', 'https:']);
  if (!url.search && !url.hash && !url.username && !url.password) return url.href;
  throw new SettingProblem('must be an address without user, password, query or fragment.');
}

export const pathOrWebUrl = (value: string): string => (/^\/(?!\/)/.test(value) ? value : webUrl(value));

export const postgresUrl = (value: string): string => {
  parseUrl(value, ['postgres:', 'postgresql:']);
  return value;
};

export const smtpUrl = (value: string): string => {
  parseUrl(value, ['smtp:', 'smtps:']);
  return value;
};

/** A folder, or a bucket and what the keys in it begin with: nothing, or words that end in a slash. */
export function filePlace(value: string): FilePlace {
  const [, scheme, location = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(value) ?? [];
  if (scheme === undefined) return { kind: 'folder', folder: value };
  const [, bucket, prefix = ''] =
    /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w-]+)*)\/?$/.exec(location) ?? [];
  if (scheme === 's3' && bucket) return { kind: 's3', bucket, prefix: prefix && `${prefix.slice(1)}/` };
  throw new SettingProblem(
    `must be a folder, or s3://bucket or s3://bucket/prefix with letters, digits, hyphens and underscores in the prefix, but is '${value}'.`,
  );
}

type FilePlace =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly prefix: string };

/** One mailbox without a name beside it, so that it cannot smuggle a second recipient in. */
export function mailAddress(value: string): string {
  if (/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(value)) return value;
  throw new SettingProblem(`must be one address, such as sales@example.com, but is '${value}'.`);
}

/** As the Standard Webhooks write secrets; the value is never repeated in a message. */
export function webhookSecret(value: string): string {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const byteCount = Buffer.from(encoded, 'base64').length;
  if (byteCount >= 24 && byteCount <= 64) return value;
  throw new SettingProblem(
    'must be whsec_ and 24 to 64 bytes in base64, for example from: echo whsec_$(openssl rand -base64 32)',
  );
}

/** The value is never repeated in a message. */
export function backupKey(value: string): string {
  if (/^(?:age1[a-z0-9]+|AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]+)$/.test(value)) return value;
  throw new SettingProblem('must be a key of age: age1… or AGE-SECRET-KEY-1…');
}

export function hostAndPort(value: string): string {
  const [, host, portText] = /^(.+):(\d+)$/.exec(value) ?? [];
  if (host && portText && Number(portText) >= 1 && Number(portText) <= 65_535) return value;
  throw new SettingProblem(`must be host:port, such as 127.0.0.1:5353, but is '${value}'.`);
}

export function ipAddress(value: string): string {
  if (isIP(value)) return value;
  throw new SettingProblem(`must be an IP address, but is '${value}'.`);
}

/** One part of ASSAY_EGRESSES. */
export interface EgressSetting {
  readonly name: string;
  readonly via: Egress;
  readonly helo?: string;
  readonly mailFrom?: string;
  readonly address?: string;
  readonly weight?: number;
  readonly connections?: number;
}

/** A password may be part of it, so messages repeat names only. */
export function egresses(value: string): EgressSetting[] {
  const listed = listOf(egress)(value);
  const names = listed.map(({ name: egressName }) => egressName);
  if (new Set(names).size === names.length) return listed;
  throw new SettingProblem('must give each egress its own name.');
}

function egress(value: string): EgressSetting {
  const [place = '', ...extras] = value.split(';').map((part) => part.trim());
  const [egressName = '', target = ''] = splitAtEquals(place);
  const setting: Record<string, unknown> = { name: name(egressName), via: egressPlace(egressName, target) };
  for (const [key, text] of extras.filter(Boolean).map((extra) => splitAtEquals(extra))) {
    const extra = Object.hasOwn(egressExtras, key) ? egressExtras[key] : undefined;
    if (extra === undefined) throw new SettingProblem(`has ${unknownPart(key)} at ${egressName}.`);
    setting[extra.field] = extra.parse(text);
  }
  return setting as unknown as EgressSetting;
}

/** The rest of a password with a semicolon looks like a part too, and is not repeated. */
const unknownPart = (key: string): string =>
  /^[a-z_]{1,20}$/.test(key) ? `the unknown part '${key}'` : 'an unknown part';

const egressExtras: Record<string, { field: keyof EgressSetting; parse: (value: string) => unknown }> = {
  helo: { field: 'helo', parse: hostName },
  mail_from: { field: 'mailFrom', parse: mailAddress },
  address: { field: 'address', parse: ipAddress },
  weight: { field: 'weight', parse: wholeNumber({ min: 1, max: 100 }) },
  connections: { field: 'connections', parse: wholeNumber({ min: 10, max: 10_000 }) },
};

// RFC 1929 §2 gives the length of each one byte.
const credentialBytesMax = 255;

function credential(egressName: string, encoded: string): string {
  const text = decoded(encoded);
  if (text !== undefined && Buffer.byteLength(text) <= credentialBytesMax) return text;
  throw new SettingProblem(
    `must give '${egressName}' a user name and a password of at most ${credentialBytesMax} bytes, percent-encoded.`,
  );
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function egressPlace(egressName: string, target: string): Egress {
  if (isIP(target)) return { kind: 'local', address: target };
  const url = URL.parse(target);
  if (url?.protocol === 'socks5:' && url.hostname !== '') {
    return {
      kind: 'socks5',
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? 1080 : Number(url.port),
      ...(url.username !== '' && { username: credential(egressName, url.username) }),
      ...(url.password !== '' && { password: credential(egressName, url.password) }),
    };
  }
  throw new SettingProblem(`must give '${egressName}' an IP address or socks5://host:port.`);
}

function splitAtEquals(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Host names with commas between them, or the word `none`. */
export function hostNames(value: string): string[] {
  return value === 'none' ? [] : listOf(hostName)(value);
}

function hostName(value: string): string {
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(value)) return value;
  throw new SettingProblem(`must list host names, but has '${value}'.`);
}

export const listOf =
  <Item>(item: (value: string) => Item) =>
  (value: string): Item[] =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map(item);

/** One address, or a range of them in CIDR notation. */
export function addressRange(value: string): string {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  const isPrefixGood = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= bits);
  if (isIP(address) && isPrefixGood && rest.length === 0) return value;
  throw new SettingProblem(`must list addresses or CIDR ranges, such as 10.0.0.0/8, but has '${value}'.`);
}

/** A range with an optional port: `CIDR@port`. */
export function addressRangeAtPort(value: string): string {
  const [range = '', portText, ...rest] = value.split('@');
  if (rest.length > 0) throw new SettingProblem(`must list CIDR or CIDR@port, but has '${value}'.`);
  addressRange(range);
  if (portText !== undefined) port(portText);
  return value;
}
