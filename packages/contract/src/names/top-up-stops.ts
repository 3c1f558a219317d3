/** Why an automatic top-up has turned itself off. */
export const TOP_UP_STOPS = ['declined', 'requires_action', 'no_card', 'disputed', 'unreachable'] as const;
export type TopUpStop = (typeof TOP_UP_STOPS)[number];

/** The same for people, with what to do about it: on pages and in mails. */
export const TOP_UP_STOP_TEXTS: Readonly<Record<TopUpStop, string>> = {
  declined: 'Automatic top-up has stopped: your card was declined. Use another card, then turn it on again.',
  requires_action:
    'Automatic top-up has stopped: your bank wants you to confirm payments yourself. Use another card, then turn it on again.',
  no_card: 'Automatic top-up has stopped: no card is saved. Add one, then turn it on again.',
  disputed: 'Automatic top-up has stopped: a bank disputes one of your payments.',
  unreachable:
    'Automatic top-up has stopped: the payment could not be confirmed for a day. Turn it on again to go on.',
};
