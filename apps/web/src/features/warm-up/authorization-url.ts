import type { MailboxProvider } from '@assay/contract';
import { isRecord } from './records.ts';
import { WarmUpFailure } from './warm-up-failure.ts';
import { webUrlOf } from './web-url.ts';

/** Under which names each provider's service answers the address. */
const namesOf: Readonly<Record<MailboxProvider, readonly string[]>> = {
  GOOGLE: ['authorizationUrl', 'authorization_url', 'url'],
  MICROSOFT: ['authorizationUrl'],
};

/** Where to send the browser. */
export function readAuthorizationUrl(answer: unknown, provider: MailboxProvider): string {
  const url = isRecord(answer) ? namesOf[provider].map((name) => webUrlOf(answer[name])).find(Boolean) : null;
  if (!url) throw new WarmUpFailure('Missing authorizationUrl in response');
  return url;
}
