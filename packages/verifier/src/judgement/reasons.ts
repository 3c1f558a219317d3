/** The four answers a customer can get. */
export type Result = 'VALID' | 'INVALID' | 'CATCH_ALL' | 'UNKNOWN';

/** What each answer promises, for the customer. */
export const results: Record<Result, string> = {
  VALID: 'The host that takes the mail of the domain accepts this mailbox and refuses one that cannot exist.',
  INVALID: 'A definite, permanent no about this mailbox or its domain.',
  CATCH_ALL: 'The host takes anything, so its yes says nothing about this mailbox.',
  UNKNOWN: 'Nothing was proved. Never a guess, and never charged.',
};

interface ReasonEntry {
  result: Result;
  /** One plain sentence for the customer; docs/verdicts.md is generated from it. */
  meaning: string;
}

/**
 * Every reason a verdict can carry. A reason belongs to exactly one result, so that the reason alone tells
 * a program what happened.
 */
export const reasons = {
  mailbox_accepted: {
    result: 'VALID',
    meaning: 'The mail host accepts this mailbox and refuses one that cannot exist.',
  },
  catch_all: {
    result: 'CATCH_ALL',
    meaning: 'The mail host accepts any name at this domain, so its yes proves nothing about this mailbox.',
  },

  syntax_missing_part: {
    result: 'INVALID',
    meaning: 'There is no @, or nothing before it or after it.',
  },
  syntax_local_part: {
    result: 'INVALID',
    meaning: 'The part before the @ holds characters or dots that no mailbox name may have.',
  },
  syntax_domain: {
    result: 'INVALID',
    meaning: 'The part after the @ is not a domain name.',
  },
  syntax_too_long: {
    result: 'INVALID',
    meaning: 'Longer than mail allows: 64 octets before the @, 254 in all, 63 in one part of the domain.',
  },
  syntax_control_character: {
    result: 'INVALID',
    meaning: 'The address holds a line break or another character that cannot be seen.',
  },
  syntax_comment: {
    result: 'INVALID',
    meaning: 'The address holds a comment in parentheses, which mail hosts do not take.',
  },
  syntax_ip_literal: {
    result: 'INVALID',
    meaning: 'The part after the @ is an IP address in brackets instead of a domain.',
  },
  no_such_domain: {
    result: 'INVALID',
    meaning: 'The domain does not exist.',
  },
  no_mail_host: {
    result: 'INVALID',
    meaning: 'The domain exists, but no host takes its mail.',
  },
  null_mx: {
    result: 'INVALID',
    meaning: 'The domain declares that it takes no mail (a null MX record, RFC 7505).',
  },
  no_such_mailbox: {
    result: 'INVALID',
    meaning: 'The mail host says that this mailbox does not exist.',
  },
  mailbox_disabled: {
    result: 'INVALID',
    meaning: 'The mail host says that this mailbox is closed.',
  },
  mailbox_name_not_supported: {
    result: 'INVALID',
    meaning: 'The name has letters outside ASCII and the mail host cannot take such names (no SMTPUTF8).',
  },

  dns_failed: {
    result: 'UNKNOWN',
    meaning: "The domain's name servers answered with an error.",
  },
  dns_timeout: {
    result: 'UNKNOWN',
    meaning: "The domain's name servers did not answer in time.",
  },
  mail_host_forbidden: {
    result: 'UNKNOWN',
    meaning: 'The mail host has only private or reserved addresses, which are never dialled.',
  },
  connection_refused: {
    result: 'UNKNOWN',
    meaning: 'No mail host of the domain took a connection.',
  },
  connection_timeout: {
    result: 'UNKNOWN',
    meaning: 'No mail host of the domain could be reached in time.',
  },
  connection_lost: {
    result: 'UNKNOWN',
    meaning: 'The mail host ended the conversation before it answered.',
  },
  reply_timeout: {
    result: 'UNKNOWN',
    meaning: 'The mail host took the connection and then did not answer in time.',
  },
  protocol_error: {
    result: 'UNKNOWN',
    meaning: 'What answered does not speak SMTP as it should.',
  },
  tls_failed: {
    result: 'UNKNOWN',
    meaning: 'The mail host demands encryption and then failed to set it up.',
  },
  sender_refused: {
    result: 'UNKNOWN',
    meaning: 'The mail host refused us (greeting, HELO or sender) before it was asked about the mailbox.',
  },
  blocked: {
    result: 'UNKNOWN',
    meaning:
      'The mail host refuses to talk to our address by policy or blocklist; that says nothing about the mailbox.',
  },
  throttled: {
    result: 'UNKNOWN',
    meaning:
      'The mail host asked us to slow down, or we did so before it had to, and there was no answer within the time allowed.',
  },
  owner_declined: {
    result: 'UNKNOWN',
    meaning:
      'The owner of the domain does not want to be asked, or not so often, so its mail host was not asked.',
  },
  greylisted: {
    result: 'UNKNOWN',
    meaning: 'The mail host wants to be asked again later, and later was beyond the time allowed.',
  },
  temporary_failure: {
    result: 'UNKNOWN',
    meaning: 'The mail host reports trouble of its own that should pass.',
  },
  mailbox_full: {
    result: 'UNKNOWN',
    meaning: 'The mailbox exists or existed, but is over its quota and takes no mail now.',
  },
  mailbox_full_for_good: {
    result: 'UNKNOWN',
    meaning: 'The mailbox has been over its quota for so long that its host no longer keeps mail for it.',
  },
  mailbox_busy: {
    result: 'UNKNOWN',
    meaning:
      'The mail host says that this mailbox is receiving too much mail just now, and accepts no more for it.',
  },
  mailbox_restricted: {
    result: 'UNKNOWN',
    meaning: 'The mailbox or its domain accepts mail from certain senders only, and we are none of them.',
  },
  message_refused: {
    result: 'UNKNOWN',
    meaning: 'The mail host refused a message, which we never sent, and said nothing about the mailbox.',
  },
  refuses_everyone: {
    result: 'UNKNOWN',
    meaning:
      'The mail host refuses this mailbox in the same words as its postmaster, which every host must have, so its no proves nothing.',
  },
  refusal_unproved: {
    result: 'UNKNOWN',
    meaning: 'The mail host refused the mailbox, but would not say whether it refuses everyone.',
  },
  answers_change: {
    result: 'UNKNOWN',
    meaning:
      'The mail host changed its answers after some addresses, so they prove nothing about this mailbox.',
  },
  refused_unexplained: {
    result: 'UNKNOWN',
    meaning: 'The mail host refused without saying whether the mailbox exists.',
  },
  host_will_not_say: {
    result: 'UNKNOWN',
    meaning: 'The mail host takes the mail without promising that the mailbox exists (reply 252).',
  },
  catch_all_unproved: {
    result: 'UNKNOWN',
    meaning: 'The mail host accepted the mailbox, but would not say whether it accepts any name.',
  },

  // No verdicts of the engine. The product writes the first for rows of a list that a customer finished early, the second for addresses
  // that the customer does not want to ask.
  not_checked: {
    result: 'UNKNOWN',
    meaning: 'The list was finished before this row was checked.',
  },
  suppressed: {
    result: 'UNKNOWN',
    meaning: 'The address or its domain is suppressed, so its mail host was not asked.',
  },
} as const satisfies Record<string, ReasonEntry>;

export type Reason = keyof typeof reasons;

export const isReason = (reason: string): reason is Reason => Object.hasOwn(reasons, reason);

/** The result a reason belongs to. */
export const resultOf = (reason: Reason): Result => reasons[reason].result;

/** Whether a host failed by staying silent. */
export const isSilence = (reason: Reason): boolean =>
  reason === 'reply_timeout' || reason === 'connection_timeout';
