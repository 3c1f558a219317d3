export type { BounceFinding, BounceReason } from './bounce-reasons.ts';
export { bounceBytesMax, explainBounce, explainReply } from './explain-bounce.ts';
export { explainMail } from './explain-mail.ts';
export { readMailDate } from './mail/mail-date.ts';
export { splitMailbox } from './mail/mbox.ts';
export { explainEvents, explainReported, readFeedEvents, type SentEvent } from './sender-events.ts';
