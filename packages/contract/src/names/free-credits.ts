/** Why an account got no welcome credits and no monthly free credits. An operator may grant them, except those of a taken mailbox. */
export const FREE_CREDITS_WITHHELD = ['disposable_domain', 'domain_limit', 'mailbox_taken'] as const;
export type FreeCreditsWithheld = (typeof FREE_CREDITS_WITHHELD)[number];

/** The same for people, in their credits history and above every page, with what to do about it. */
export const FREE_CREDITS_WITHHELD_TEXTS: Readonly<Record<FreeCreditsWithheld, string>> = {
  disposable_domain:
    'You have no free credits, because your mail service gives out disposable addresses. Sign up with another address, buy credits, or request a call.',
  domain_limit:
    'You have no free credits yet, because several people have signed up at your mail domain today. Request a call, and we will look at it.',
  mailbox_taken: 'You have no free credits, because another account has those of your mailbox.',
};
