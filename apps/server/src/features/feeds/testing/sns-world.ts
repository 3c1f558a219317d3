import { createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export const topicArn = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const host = 'sns.eu-west-1.amazonaws.com';
export const certificateName = `SimpleNotificationService-${'0a'.repeat(16)}.pem`;

/**
 * Certificates whose keys are public and protect nothing: only hosts on loopback use them. To make them anew, make an authority
 * (`openssl req -x509 -newkey ec … -days 36500`), a certificate of it for the two names of `host.pem`, and a self-signed one with an
 * RSA key for `CN=sns.amazonaws.com`.
 */
const readPem = (name: string): string =>
  readFileSync(new URL(`./certificates/${name}.pem`, import.meta.url), 'utf8');

/** Amazon SNS on loopback: a host with a certificate of an authority of its own, and the key that signs messages. */
export async function openSnsWorld() {
  const asked: string[] = [];
  const answers = { status: 200 };
  const server = createServer({ key: readPem('host.key'), cert: readPem('host') }, (request, answer) => {
    asked.push(request.url ?? '');
    if (answers.status !== 200)
      answer.writeHead(answers.status, { location: `https://${host}/${certificateName}` });
    answer.end(request.url === `/${certificateName}` ? readPem('signing') : 'confirmed');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    options: {
      allowRanges: [`127.0.0.1/32@${port}`],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      port,
      ca: readPem('authority'),
    },
    /** The paths that somebody asked for. */
    asked,
    answers,
    sign: (fields: Readonly<Record<string, string>>, version: '1' | '2' = '2') =>
      signMessage(fields, version, readPem('signing.key')),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
export type SnsWorld = Awaited<ReturnType<typeof openSnsWorld>>;

export interface SignedMessage extends Readonly<Record<string, string>> {}

const orders: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  other: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

function signMessage(
  fields: Readonly<Record<string, string>>,
  version: '1' | '2',
  key: string,
): SignedMessage {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topicArn,
    Message: 'Hello',
    Timestamp: new Date().toISOString(),
    ...fields,
  };
  const order = (message.Type === 'Notification' ? orders.Notification : orders.other) ?? [];
  const text = order
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join('');
  return {
    SignatureVersion: version,
    SigningCertURL: `https://${host}/${certificateName}`,
    Signature: createSign(version === '1' ? 'sha1' : 'sha256')
      .update(text)
      .sign(key, 'base64'),
    ...message,
  };
}
