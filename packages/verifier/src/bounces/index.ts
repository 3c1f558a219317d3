export {
  type BounceAction,
  type BounceClass,
  type BounceFinding,
  type BounceReason,
  type BounceSubject,
  bounceActions,
  bounceClasses,
  bounceMeanings,
  bounceSubjects,
} from './bounce-reasons.ts';
export { bounceBytesMax, explainBounce, explainReply } from './explain-bounce.ts';
export { explainMail, recipientsMax } from './explain-mail.ts';
export { splitMailbox } from './mbox.ts';
export { eventsMax, explainEvents } from './sender-events.ts';
