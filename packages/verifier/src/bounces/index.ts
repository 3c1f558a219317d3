export type { BounceFinding } from './bounce-reasons.ts';
export { explainBounce, explainReply } from './explain-bounce.ts';
export { explainMail } from './explain-mail.ts';
export { explainEvents } from './sender-events.ts';
