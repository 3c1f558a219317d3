import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { StoreRefusal } from './errors.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface Authorization {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

const skewMaxMs = 15 * 60_000;

/** Refuses what S3 would refuse of a request signed in its headers by Signature Version 4. */
export function checkSignature(
  request: SignedRequest,
  { credentials, region, now }: { credentials: Credentials; region: string; now: Date },
): void {
  const given = readAuthorization(request);
  if (given.accessKeyId !== credentials.accessKeyId) {
    throw new StoreRefusal(
      'InvalidAccessKeyId',
      'The access key id you provided does not exist in our records.',
    );
  }
  if (given.region !== region) {
    throw new StoreRefusal(
      'AuthorizationHeaderMalformed',
      `The region '${given.region}' is wrong; expecting '${region}'.`,
    );
  }
  const missing = mustBeSigned(request).find((name) => !given.signedHeaders.includes(name));
  if (missing) throw new StoreRefusal('AccessDenied', `The header ${missing} is not signed.`);
  if (Math.abs(sentAt(request).getTime() - now.getTime()) > skewMaxMs) {
    throw new StoreRefusal('RequestTimeTooSkewed', 'The request was not sent now.');
  }
  const due = signatureOf(request, given, credentials.secretAccessKey);
  if (!isSame(given.signature, due)) {
    throw new StoreRefusal(
      'SignatureDoesNotMatch',
      'The signature we calculated does not match the one you provided.',
    );
  }
}

function readAuthorization({ headers }: SignedRequest): Authorization {
  const [scheme, ...parts] = (headers.authorization ?? '').split(/[ ,]+/);
  const { Credential, SignedHeaders: signedHeaders, Signature: signature } = fieldsOf(parts);
  const [accessKeyId, date, region, ...service] = (Credential ?? '').split('/');
  const isForUs = scheme === 'AWS4-HMAC-SHA256' && service.join('/') === 's3/aws4_request';
  if (!isForUs || !accessKeyId || !date || !region || !signedHeaders || !signature) {
    throw new StoreRefusal('AccessDenied', 'The request is not signed.');
  }
  return { accessKeyId, date, region, signedHeaders: signedHeaders.split(';'), signature };
}

const fieldsOf = (parts: readonly string[]): Partial<Record<string, string>> =>
  Object.fromEntries(parts.map((part) => part.split('=', 2)));

const mustBeSigned = ({ headers }: SignedRequest): string[] => [
  'host',
  'x-amz-date',
  'x-amz-content-sha256',
  ...Object.keys(headers).filter((name) => name.startsWith('x-amz-')),
];

function sentAt({ headers }: SignedRequest): Date {
  const [, date, hours, minutes, seconds] =
    /^(\d{8})T(\d\d)(\d\d)(\d\d)Z$/.exec(headers['x-amz-date'] ?? '') ?? [];
  const day = date?.replace(/(....)(..)(..)/, '$1-$2-$3');
  return new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export function signatureOf(
  request: SignedRequest,
  { date, region, signedHeaders }: Pick<Authorization, 'date' | 'region' | 'signedHeaders'>,
  secretAccessKey: string,
): string {
  const canonicalRequest = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...signedHeaders.map((name) => `${name}:${request.headers[name]?.trim().replace(/ +/g, ' ') ?? ''}`),
    '',
    signedHeaders.join(';'),
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${date}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonicalRequest)].join(
    '\n',
  );
  const key = [date, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return hmac(key, toSign).toString('hex');
}

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

/** As RFC 3986 has it, which leaves fewer characters alone than browsers do. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const isSame = (given: string, due: string): boolean => timingSafeEqual(Buffer.from(given), Buffer.from(due));
