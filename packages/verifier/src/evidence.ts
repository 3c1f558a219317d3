import type { Reason } from './judgement/reasons.ts';

/**
 * One step of how a verdict came about. Small enough to store with every address, and enough to judge its replies again
 * (`judge-again.ts`). Nothing in it is secret.
 */
export interface EvidenceStage {
  stage:
    | 'syntax'
    | 'dns'
    | 'connect'
    | 'greeting'
    | 'hello'
    | 'tls'
    | 'sender'
    | 'rcpt'
    | 'proof'
    | 'control';
  /** The mail host's name. */
  host?: string;
  /** The address that was dialled. */
  ip?: string;
  /** What the host said: the code, then its lines. */
  reply?: string;
  /** What happened instead of a reply, or what was found. */
  note?: string;
  /** The limit or the rest of the provider that applied. */
  limit?: string;
  /** How long the step took. */
  ms?: number;
  /** The rule that read the step, by its id: of docs/verdicts.md for a reply, of `rule-versions.ts` otherwise. */
  rule?: string;
  /** What the step meant, where the verdict does not say it: of a host that failed, or of a question of our own. */
  reason?: Reason;
  /** The names of ours in a reply that names no recipient. The rules read it as about us. */
  ourNames?: readonly string[];
}

/** The note of an address whose host was not asked because our own proxy or address is away. */
export const egressAwayNote = 'our egress is away; the mail host was not asked';

/** The note of an address whose host was not asked because the customer's share of our connections is used up. */
export const noConnectionNote = 'no free connection for a minute; the mail host was not asked';

/** The note of an address whose host was silent when we closed its connection for a customer who had none. */
export const connectionNeededNote = 'no answer so far; another customer needed the connection';

/** The note and the rule of an address whose host was not asked so that its provider need not block us. */
export const ownLimitNote = 'our own limit for this provider is used up; the mail host was not asked';
export const ownLimitRule = 'own-limit';

/** The rule of an address whose host was not asked because the owner of its domain does not want it. */
export const ownerRule = 'owner';

/** The note of an address whose domain or host could not be looked up because our own name server is away. */
export const resolverAwayNote = 'our name server is away';

const replyCharactersMax = 1_000;
/** What stands for the rest of a longer reply. */
const cut = '…';
const codeLength = '550 '.length;

/** A reply as evidence keeps it: the code, then the text, whole up to a thousand characters. */
export function quoteReply(code: number, text: string): string {
  if (text === '') return String(code);
  if (text.length <= replyCharactersMax) return `${code} ${text}`;
  // The cut may leave half of a character, which no database stores.
  return `${code} ${text.slice(0, replyCharactersMax).toWellFormed()}${cut}`;
}

/** Whether evidence holds only the beginning of a reply. */
export const isCut = (reply: string): boolean => reply.length > codeLength + replyCharactersMax;

/** A reply on one line, for people. */
export const onOneLine = (reply: string): string => reply.replaceAll('\n', ' ');
