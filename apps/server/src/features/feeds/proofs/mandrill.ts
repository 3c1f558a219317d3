import { createHmac } from 'node:crypto';
import { type FeedCall, type Proof, refused } from './proof.ts';
import { isSameText } from './same-text.ts';

const mandrillField = 'mandrill_events';

/** The only field of Mandrill's form; undefined for another form. */
export function readMandrillForm(body: Buffer): string | undefined {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const [name, value] = fields[0] ?? [];
  return fields.length === 1 && name === mandrillField ? value : undefined;
}

/** HMAC over the address as it was given to Mandrill, and the names and values of the form. */
export function proveMandrill({ headers, url, secrets }: FeedCall, events: string): Proof {
  const given = headers['x-mandrill-signature'] ?? '';
  const isGenuine = secrets.some((secret) =>
    isSameText(
      createHmac('sha1', secret).update(`${url}${mandrillField}`).update(events).digest('base64'),
      given,
    ),
  );
  return isGenuine ? {} : refused('not_genuine');
}
