import { FEED_USER } from '@assay/contract';
import type { FeedCall } from './proof.ts';
import { isSameText } from './same-text.ts';

const secretHeader = 'x-assay-feed-secret';

/** Whether a call has our secret: as the password of basic authentication, as a bearer token, or in a header of ours. */
export function hasSecret({ headers, secrets }: Pick<FeedCall, 'headers' | 'secrets'>): boolean {
  const given = givenSecret(headers);
  return given !== undefined && secrets.some((secret) => isSameText(given, secret));
}

function givenSecret(headers: FeedCall['headers']): string | undefined {
  const { authorization = '' } = headers;
  const [, scheme = '', credentials = ''] = /^(basic|bearer) +(\S{1,500})$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  if (scheme.toLowerCase() === 'basic') {
    const [user, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    return user === FEED_USER ? password.join(':') : undefined;
  }
  return headers[secretHeader];
}
