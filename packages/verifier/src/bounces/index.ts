export type { BounceFinding, BounceReason } from './bounce-reasons.ts';
export { explainBounce, explainReply } from './explain-bounce.ts';
export { explainMail } from './explain-mail.ts';
export { explainEvents, explainReported, readFeedEvents, type SentEvent } from './sender-events.ts';
