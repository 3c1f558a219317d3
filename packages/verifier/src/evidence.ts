/**
 * One step of how a verdict came about. Small enough to store with every address; replies are cut short and nothing
 * in it is secret.
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
  /** What the host said, code first. */
  reply?: string;
  /** What happened instead of a reply, or what was found. */
  note?: string;
  /** The limit or the rest of the provider that applied. */
  limit?: string;
  /** How long the step took. */
  ms?: number;
  /** The reply rule that decided, by its id in docs/verdicts.md. */
  rule?: string;
}

/** The note of an address whose host was not asked because our own proxy or address is away. */
export const egressAwayNote = 'our egress is away; the mail host was not asked';

/** The note of an address whose host was not asked because the customer's share of our connections is used up. */
export const noConnectionNote = 'no free connection for a minute; the mail host was not asked';

/** The note of an address whose host was silent when we closed its connection for a customer who had none. */
export const connectionNeededNote = 'no answer so far; another customer needed the connection';

/** The note of an address whose domain or host could not be looked up because our own name server is away. */
export const resolverAwayNote = 'our name server is away';

const replyCharactersMax = 300;

/** A reply as evidence shows it: the code, then the text on one line, cut short. */
export function quoteReply(code: number, text: string): string {
  const line = text.includes('\n') ? text.replaceAll('\n', ' ') : text;
  if (line === '') return String(code);
  if (line.length <= replyCharactersMax) return `${code} ${line}`;
  // The cut may leave half of a character, which no database stores.
  return `${code} ${line.slice(0, replyCharactersMax).toWellFormed()}…`;
}
