import type { MailRoute } from '../dns/mail-route.ts';
import type { ReplyClass } from './classify-reply.ts';
import type { Reason } from './reasons.ts';

/** Whether the domain was proved to take any name. */
export type CatchAllKnowledge = 'yes' | 'no' | 'unproved';

/** The reason for an address that the host accepts. */
export function judgeAccepted(catchAll: CatchAllKnowledge): Reason {
  if (catchAll === 'yes') return 'catch_all';
  return catchAll === 'no' ? 'mailbox_accepted' : 'catch_all_unproved';
}

/** The reason for a domain whose mail goes nowhere; undefined when there are hosts to ask. */
export function judgeRoute(route: MailRoute): Reason | undefined {
  return route.kind === 'hosts' ? undefined : route.kind;
}

/** What the answer to the impossible address proves; undefined when it proves nothing. */
export function judgeProof(found: ReplyClass): boolean | undefined {
  if (found.reason === 'mailbox_accepted') return true;
  // A permanent no in any words will do, as long as it is not about us: the real address got a yes.
  if (found.meaning === 'refused' || found.reason === 'refused_unexplained') return false;
  return undefined;
}

// What the customer should hear when every host of a domain failed, each in its own way: what a host said counts for
// more than a silence, and a silence for more than a name that leads nowhere.
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
export function judgeFailures(failures: readonly Reason[]): Reason {
  const found = tellingFirst.find((reason) => failures.includes(reason));
  return found ?? failures[0] ?? 'no_mail_host';
}
