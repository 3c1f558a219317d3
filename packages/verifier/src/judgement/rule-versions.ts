interface RuleVersion {
  readonly version: number;
  readonly since: string;
  /** Of the rules and of the code that reads by them. */
  readonly fingerprint: string;
  /** Ids of reply rules. One that was removed is never used again, because stored results name it. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Every version of the rules that read replies, oldest first. Stored results name theirs. A change of the rules is a new
 * version: the test that fails prints it.
 */
export const ruleVersions: readonly RuleVersion[] = [
  {
    version: 1,
    since: '2026-11-18',
    fingerprint: '7704dee8dd15aa11',
    added: [
      'accepted',
      'no-promise',
      'recipients-per-transaction',
      'recipients-per-transaction-by-code',
      'too-many-bad-recipients',
      'too-frequent',
      'greylist-run-as-blocklist',
      'system-storage',
      'mailbox-receives-too-much',
      'mailbox-receive-limit',
      'mailbox-refuses-outsiders',
      'restricted-by-wording',
      'named-blocklist',
      'blocklist',
      'our-address',
      'reputation',
      'aol-block-codes',
      'mimecast-holds-us-off',
      'barracuda-recipient-blocks',
      'reverse-name',
      'sender-or-helo',
      'sender-by-code',
      'relay-or-login',
      'sender-in-other-words',
      'us-in-other-words',
      'message-refused',
      'full-for-good',
      'over-quota',
      'over-quota-by-code',
      'microsoft-365-recipient',
      'inactive-at-apple',
      'disabled',
      'no-such-mailbox-by-wording',
      'no-such-mailbox-other-languages',
      'microsoft-consumer-unavailable',
      'no-such-mailbox-by-code',
      'other-address-status',
      'address-rejected',
      'policy-by-code',
      'temporary-policy-of-microsoft',
      'too-much-of-us',
      'maximum-reached',
      'closing',
      'throttled-by-code',
      'ask-again',
      'greylisted-by-code',
      'other-4xx',
      'full-552',
      'other-5xx',
    ],
    removed: [],
  },
  { version: 2, since: '2026-11-18', fingerprint: '1fa8adc2a43244b6', added: [], removed: [] },
  { version: 3, since: '2026-11-19', fingerprint: 'a9b72405db5885d3', added: [], removed: [] },
];

export const rulesVersion: number = ruleVersions.at(-1)?.version ?? 0;
