// What a zone says, once it is read: hosts that speak SMTP, domains that live on them, the wordings they
// use and the addresses worth trying.

export const stages = ['banner', 'ehlo', 'helo', 'starttls', 'mail', 'rcpt', 'rset', 'quit'] as const;
export type Stage = (typeof stages)[number];

/** What a host does at one stage of the dialogue instead of, or before, the ordinary thing. */
interface StageOrder {
  say?: string;
  waitMs: number;
  end?: 'close' | 'reset' | 'hang';
}

export type LimitKind =
  | 'connections'
  | 'recipients-per-transaction'
  | 'recipients-per-connection'
  | 'recipients-per-period'
  | 'transactions'
  | 'unknown';

export interface Limit {
  count: number;
  periodMs: number;
  say?: string;
}

export const manners = ['one-byte', 'latin1', 'bare-lf'] as const;
export type Manner = (typeof manners)[number];

export const dnsFaults = ['servfail', 'refused', 'timeout', 'lossy', 'unrelated', 'forged'] as const;
export type DnsFault = (typeof dnsFaults)[number];

export interface HostPlan {
  name: string;
  line: number;
  stages: Partial<Record<Stage, StageOrder>>;
  /** EHLO keywords, with their parameters. */
  extensions: string[];
  requiresTls: boolean;
  hasBrokenTls: boolean;
  /** Reads only the first command of those that arrive together. */
  hasBrokenPipelining: boolean;
  greylistMs?: number;
  limits: Partial<Record<LimitKind, Limit>>;
  manners: Manner[];
  wording: string;
  /** Nothing listens at its address: a connection is refused. */
  isClosed: boolean;
  idleMs?: number;
  /** Addresses that DNS gives out; 'self' is the loopback address on which the world serves the host. */
  addresses: string[];
  cname?: string;
  dnsFault?: DnsFault;
}

type MailboxKind = 'accepted' | 'full' | 'disabled' | 'busy';

/** A mailbox of a named kind, or one with a reply of its own. */
export type Mailbox = { kind: MailboxKind } | { say: string };

export interface MailExchange {
  preference: number;
  exchange: string;
}

export interface DomainPlan {
  name: string;
  line: number;
  mailboxes: Map<string, Mailbox>;
  /** Local parts given as `name*` in the zone, without the star. */
  prefixes: { prefix: string; mailbox: Mailbox }[];
  /** Whether the domain takes a name that it does not list; undefined when it takes none. */
  takesAny?: (name: string) => boolean;
  /** RFC 5321 §4.5.1 obliges every domain to have one. */
  hasPostmaster: boolean;
  /** The host does not know the domain, although the domain's MX points there. */
  isUnserved: boolean;
  wording?: string;
  mx: MailExchange[];
  /** The domain's own name is a host's name, so it has an address record. */
  ownAddressHost?: string;
  cname?: string;
  dnsFault?: DnsFault;
  ttlSeconds: number;
  /** TXT records below `_assay`, in which the owner says how often verifiers may ask. */
  ownerRecords: string[];
  ownerDnsFault?: DnsFault;
  /** What the host does, for people. */
  about: string;
  chapter: string;
  truths: { name: string; truth: Truth }[];
  /** The host changes its answers, so that nobody can be blamed for not knowing. */
  isFickle: boolean;
}

/**
 * What is true of a mailbox, whatever a client makes of its host's replies: it is there, it is not, its domain takes any
 * name, or no client can find out from outside.
 */
export const truths = ['living', 'dead', 'open', 'unknowable'] as const;
export type Truth = (typeof truths)[number];

export const wordingKinds = [
  'banner',
  'accepted',
  'missing',
  'full',
  'disabled',
  'busy',
  'relay',
  'greylist',
] as const;
export type WordingKind = (typeof wordingKinds)[number];
export type Wording = Record<WordingKind, string>;

/** An address documented for trying, with the verdict that a good verifier reaches. */
export interface Example {
  address: string;
  result: 'VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN';
  reason: string;
  note: string;
  chapter: string;
}

export interface Zone {
  hosts: Map<string, HostPlan>;
  domains: Map<string, DomainPlan>;
  wordings: Map<string, Wording>;
  examples: Example[];
  /** Names that have nothing themselves but lie above others; DNS says of them that they exist. */
  parents: Set<string>;
}
