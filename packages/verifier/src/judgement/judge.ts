import type { ReplyClass } from './classify-reply.ts';
import type { Reason } from './reasons.ts';

/** Whether we have proved that the domain accepts any name. */
export type CatchAllKnowledge = 'yes' | 'no' | 'unproved' | 'changed';

/** The reason for an address that the host accepts. */
export function judgeAccepted(catchAll: CatchAllKnowledge): Reason {
  if (catchAll === 'changed') return 'answers_change';
  if (catchAll === 'yes') return 'catch_all';
  return catchAll === 'no' ? 'mailbox_accepted' : 'catch_all_unproved';
}

/** Whether a refusal says anything about the mailbox: a control bears it out, or the host refuses everyone. */
export type RefusalKnowledge = 'borne_out' | 'refuted' | 'unproved' | 'changed';

/** The reason for an address that the host refuses. */
export function judgeRefused(refusal: ReplyClass, knowledge: RefusalKnowledge): Reason {
  if (knowledge === 'changed') return 'answers_change';
  if (knowledge === 'refuted') return 'refuses_everyone';
  return knowledge === 'borne_out' ? refusal.reason : 'refusal_unproved';
}

/** What the answer to an impossible address proves; undefined when it proves nothing. A doubtful no may be about us. */
export function judgeProof(found: ReplyClass): boolean | 'doubtful' | undefined {
  if (found.reason === 'mailbox_accepted') return true;
  if (found.meaning === 'refused') return found.isAmbiguous ? 'doubtful' : false;
  return found.reason === 'refused_unexplained' ? 'doubtful' : undefined;
}

/**
 * What the answers to several impossible addresses prove together. A yes beside a no may be a name that somebody has after
 * all, or a host that refuses only names of some shape: further names tell. A yes alone is not enough either. A doubtful
 * no counts if the host still accepts the real address.
 */
export function judgeProofs(
  answers: readonly (ReplyClass | undefined)[],
  isRealStillAccepted: boolean,
): boolean | 'ask_another' | 'ask_real' | undefined {
  const proofs = answers.map((answer) => answer && judgeProof(answer));
  if (proofs.some((proof) => proof === undefined)) return undefined;
  const yesCount = proofs.filter((proof) => proof === true).length;
  const noCount = proofs.length - yesCount;
  const isClear = yesCount === 0 ? proofs.includes(false) : !proofs.includes('doubtful');
  if (!isClear && !isRealStillAccepted) return 'ask_real';
  if (yesCount === 0 || noCount > 1) return false;
  return yesCount >= (noCount === 0 ? 2 : 3) ? true : 'ask_another';
}

// Which reason the customer gets when all hosts of a domain failed in different ways: a reply tells more than silence, and
// silence more than a name without an address.
const tellingFirst: readonly Reason[] = [
  'blocked',
  'throttled',
  'greylisted',
  'sender_refused',
  'temporary_failure',
  'tls_failed',
  'protocol_error',
  'reply_timeout',
  'connection_lost',
  'connection_timeout',
  'connection_refused',
  'mail_host_forbidden',
  'dns_timeout',
  'dns_failed',
  'no_mail_host',
];

/** One reason out of the failures of all hosts. */
export function judgeFailures(failures: readonly { readonly reason: Reason }[]): Reason {
  const found = tellingFirst.find((reason) => failures.some((failure) => failure.reason === reason));
  return found ?? failures[0]?.reason ?? 'no_mail_host';
}
