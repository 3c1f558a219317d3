import { verify, X509Certificate } from 'node:crypto';
import * as z from 'zod/mini';
import { strictBase64 } from '../proofs/same-text.ts';

const text = (max: number) => z.string().check(z.maxLength(max));

const messageSchema = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: text(200),
  TopicArn: text(500),
  Subject: z.optional(z.nullable(text(1_000))),
  Message: text(1_000_000),
  Timestamp: text(50),
  SignatureVersion: z.enum(['1', '2']),
  Signature: text(2_000),
  SigningCertURL: text(500),
  SubscribeURL: z.optional(text(4_000)),
  Token: z.optional(text(2_000)),
});
/** What SNS posts (docs.aws.amazon.com, sns-message-and-json-formats). */
export type SnsMessage = z.output<typeof messageSchema>;

export function readSnsMessage(parsed: unknown): SnsMessage | undefined {
  const { success, data } = messageSchema.safeParse(parsed);
  return success ? data : undefined;
}

/** The only host that may be asked about a topic: that of its region. */
function snsHostOf(topicArn: string): string {
  const [, partition, , region] = topicArn.split(':');
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
}

const certificatePath = /^\/SimpleNotificationService-[0-9a-zA-Z]{32}\.pem$/;

/** Where the certificate of a message is; undefined if that is not exactly where SNS keeps it. */
export function certificateUrlOf({ SigningCertURL, TopicArn }: SnsMessage): string | undefined {
  const path = SigningCertURL.slice(`https://${snsHostOf(TopicArn)}`.length);
  const isThere = SigningCertURL === `https://${snsHostOf(TopicArn)}${path}` && certificatePath.test(path);
  return isThere ? SigningCertURL : undefined;
}

/** The address that confirms a subscription, of our own making; undefined if the one in the message is another. */
export function confirmationUrlOf({
  SubscribeURL = '',
  TopicArn,
  Token = '',
}: SnsMessage): string | undefined {
  if (!/^[0-9a-f]{1,1000}$/.test(Token) || !URL.canParse(SubscribeURL)) return undefined;
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token });
  const own = new URL(`https://${snsHostOf(TopicArn)}/?${query}`);
  const given = new URL(SubscribeURL);
  const isSame =
    given.origin === own.origin &&
    given.pathname === own.pathname &&
    given.username === '' &&
    given.password === '' &&
    [...query].every(([name, value]) => given.searchParams.get(name) === value);
  return isSame ? own.href : undefined;
}

const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const satisfies Record<SnsMessage['Type'], readonly (keyof SnsMessage)[]>;

/** Whether the certificate is good now and its key signed the message. */
export function isSignedBy(message: SnsMessage, pem: string, now: Date): boolean {
  const signature = strictBase64(message.Signature);
  const signed = signedFields[message.Type]
    .flatMap((name) => (message[name] == null ? [] : [name, message[name]]))
    .map((line) => `${line}\n`)
    .join('');
  try {
    const certificate = new X509Certificate(pem);
    if (now < certificate.validFromDate || now > certificate.validToDate || !signature) return false;
    const hash = message.SignatureVersion === '1' ? 'sha1' : 'sha256';
    return verify(hash, Buffer.from(signed), certificate.publicKey, signature);
  } catch {
    return false;
  }
}
