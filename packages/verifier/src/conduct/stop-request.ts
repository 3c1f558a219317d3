import { wordingOf } from '../judgement/classify-reply.ts';
import { replaceMailbox } from '../judgement/echoed-mailbox.ts';

/** Replies that ask us not to ask again, each with a reply that it is for. */
export const stopRequests: readonly { readonly words: RegExp; readonly replies: readonly string[] }[] = [
  {
    words:
      /\b(?:stop|cease|quit|do not|don't|must not|may not|never) (?:probing|probe|verifying|verify|validating|validate|harvesting|harvest|checking|enumerating|enumerate)\b/,
    replies: [
      '550 5.7.1 Please stop probing our users',
      '554 Do not verify addresses at this server',
      '550 You may not validate recipients here',
    ],
  },
  {
    words:
      /\b(?:call-?outs?|call-?backs?|probes?|probing|(?:address|recipient|e-?mail|mailbox|list|user) (?:verification|validation|enumeration|harvesting))(?: (?:requests?|attempts?|probes?|services?|checks?))? (?:is |are )?(?:not (?:allowed|permitted|accepted|welcome|wanted|tolerated)|prohibited|forbidden|unwelcome|disallowed)/,
    replies: [
      '550 5.7.1 Sender callouts are not accepted here',
      '554 5.7.1 Address verification is prohibited',
      '550 Email validation services not welcome',
      '550 Recipient verification attempts are not permitted',
    ],
  },
  {
    words:
      /\bno (?:call-?outs?|probing|(?:address|recipient|e-?mail|mailbox) (?:verification|validation)|list (?:cleaning|washing))(?:,? please| allowed| permitted| here)/,
    replies: ['550 No address verification please', '550 No list cleaning here'],
  },
];

/** For how long we leave a domain alone whose host asks for it. */
export const stopForMs = 30 * 86_400_000;

/** Every phrase above has one of these. Most refusals have none, and a list may bring a million of them. */
const hint =
  /\b(?:prob(?:e|es|ing)|verif|validat|harvest|checking|enumerat|call-?(?:out|back)|list (?:cleaning|washing))/i;

/** Whether a reply asks us not to ask again. Sets the mailbox aside: a quoted local part may hold any words. */
export function asksUsToStop(text: string, mailbox: string): boolean {
  if (!hint.test(text)) return false;
  const wording = wordingOf(replaceMailbox(text, mailbox));
  return stopRequests.some(({ words }) => words.test(wording));
}
