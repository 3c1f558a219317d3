import type { ReplyClass } from './classify-reply.ts';
import { type Reason, resultOf } from './reasons.ts';
import { replyRules } from './reply-rules.ts';
import { ruleIn } from './same-words.ts';

/** Whether we have proved that the domain accepts any name. */
export type CatchAllKnowledge = 'yes' | 'no' | 'unproved' | 'changed';

/** The reason for an address that the host accepts. */
export function judgeAccepted(catchAll: CatchAllKnowledge): Reason {
  if (catchAll === 'changed') return 'answers_change';
  if (catchAll === 'yes') return 'catch_all';
  return catchAll === 'no' ? 'mailbox_accepted' : 'catch_all_unproved';
}

/**
 * Whether a refusal says anything about the mailbox: a control confirms it, or the host refuses everyone. `unproved`
 * refusals need a control; for `unprovable` ones the control was of no use.
 */
export type RefusalKnowledge = 'confirmed' | 'refuted' | 'unproved' | 'unprovable' | 'changed';

/** The reason for an address that the host refuses. */
export function judgeRefused(refusal: ReplyClass, knowledge: RefusalKnowledge): Reason {
  if (knowledge === 'changed') return 'answers_change';
  if (knowledge === 'refuted') return 'refuses_everyone';
  return knowledge === 'confirmed' ? refusal.reason : 'refusal_unproved';
}

/** Whether a mailbox that is refused for this reason exists. */
export const isOfLivingMailbox = (reason: Reason): boolean =>
  reason === 'mailbox_full' || reason === 'mailbox_busy' || reason === 'mailbox_restricted';

/** Whether the host refused its postmaster as a mailbox, and not because of us. */
export function isRefusedAsMailbox(words: string): boolean {
  const rule = replyRules.find(({ id }) => id === ruleIn(words));
  if (rule === undefined) return false;
  return (rule.meaning === 'refused' && !rule.isAmbiguous) || isOfLivingMailbox(rule.reason);
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
  'owner_declined',
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
  'mailbox_name_not_supported',
  'no_mail_host',
];

/** One reason out of the failures of the hosts that we asked. */
export function judgeFailures(
  failures: readonly { readonly reason: Reason }[],
  { hasUnaskedHosts = false }: { readonly hasUnaskedHosts?: boolean } = {},
): Reason {
  const found = tellingFirst.find((reason) => failures.some((failure) => failure.reason === reason));
  const reason = found ?? failures[0]?.reason ?? 'no_mail_host';
  // A host that we did not ask may take the mail.
  return hasUnaskedHosts && resultOf(reason) === 'INVALID' ? 'connection_refused' : reason;
}
