// Apart from activity.ts, whose schemas would otherwise be in the code of the activity page.

/** What an entry of the activity log can be about: the part of a kind before its dot. */
export const ACTIVITY_AREAS = [
  'session',
  'password',
  'two_step',
  'api_key',
  'webhook',
  'plan',
  'credits',
  'export',
  'deletion',
  'mailbox',
  'suppression',
  'setting',
] as const;
export type ActivityArea = (typeof ACTIVITY_AREAS)[number];

/** Every kind of entry in words. docs/records.md lists the details that each has. */
export const ACTIVITY_WORDS = {
  'session.started': 'Signed in',
  'session.signed_out': 'Signed out',
  'session.ended': 'Session ended',
  'session.others_ended': 'Signed out everywhere else',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'two_step.authenticator_added': 'Authenticator app added',
  'two_step.authenticator_removed': 'Authenticator app removed',
  'two_step.passkey_added': 'Passkey added',
  'two_step.passkey_removed': 'Passkey removed',
  'two_step.recovery_code_used': 'Recovery code used',
  'two_step.recovery_codes_renewed': 'Recovery codes renewed',
  'two_step.removed': 'Two-step verification turned off by support',
  'api_key.created': 'API key created',
  'api_key.changed': 'API key changed',
  'api_key.rolled': 'API key rolled',
  'api_key.revealed': 'API key revealed',
  'api_key.deleted': 'API key deleted',
  'webhook.created': 'Webhook created',
  'webhook.changed': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.secret_replaced': 'Webhook secret replaced',
  'webhook.secret_revealed': 'Webhook secret revealed',
  'plan.portal_opened': 'Subscription page opened',
  'plan.changed': 'Plan changed',
  'plan.payment_failed': 'Payment failed',
  'plan.kept': 'Plan change undone',
  'credits.checkout_opened': 'Checkout opened',
  'credits.bought': 'Credits bought',
  'credits.redeemed': 'Coupon redeemed',
  'credits.top_up_on': 'Automatic top-up turned on',
  'credits.top_up_changed': 'Automatic top-up changed',
  'credits.top_up_off': 'Automatic top-up turned off',
  'credits.top_up_stopped': 'Automatic top-up stopped',
  'credits.top_up_cap_reached': 'Automatic top-up reached its monthly cap',
  'export.created': 'Export created',
  'export.shared': 'Download link created',
  'export.revoked': 'Download link revoked',
  'export.account': 'Account data downloaded',
  'deletion.list': 'List deleted',
  'deletion.single': 'Single verifications deleted',
  'deletion.guess': 'Guesses deleted',
  'mailbox.connected': 'Mailbox connected',
  'mailbox.removed': 'Mailbox removed',
  'suppression.added': 'Suppressions added',
  'suppression.removed': 'Suppression removed',
  'setting.profile': 'Personal info changed',
  'setting.mails': 'Notifications changed',
  'setting.alerts': 'Low balance alerts changed',
  'setting.invoice_details': 'Invoice details changed',
  'setting.retention': 'Retention changed',
} as const satisfies Readonly<Record<`${ActivityArea}.${string}`, string>>;
export type ActivityKind = keyof typeof ACTIVITY_WORDS;

/** A kind in words. A newer server may record one that this version does not know. */
export const activityWords = (kind: string): string =>
  (ACTIVITY_WORDS as Readonly<Record<string, string>>)[kind] ?? kind;
