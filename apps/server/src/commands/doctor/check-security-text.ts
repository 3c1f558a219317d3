import { isTestDomain } from '../../features/engine/index.ts';
import { ForbiddenAddress, type GuardedGetOptions, guardedGet } from '../../features/webhooks/index.ts';
import type { Finding } from '../finding.ts';

const check = 'security_txt';
const path = '/.well-known/security.txt';

/** Whether a domain says whom to write to about abuse and weaknesses (RFC 9116). */
export async function checkSecurityText(domain: string, options: GuardedGetOptions): Promise<Finding> {
  if (!domain.includes('.') || isTestDomain(domain))
    return { check, status: 'skipped', detail: `${domain} is no domain of the internet.` };
  const url = `https://${domain}${path}`;
  try {
    const { status, text } = await guardedGet(url, options);
    const wrong = status === 200 ? whatIsWrong(text) : `answers ${status}`;
    return wrong === undefined
      ? { check, status: 'ok', detail: `${url} says whom to write to.` }
      : advice(`${url} ${wrong}.`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = error instanceof ForbiddenAddress ? 'its address is not public' : (code ?? message);
    return advice(`${url} cannot be read (${why}).`);
  }
}

/** Nobody is obliged to have the file, so its absence is no problem. */
const advice = (detail: string): Finding => ({
  check,
  status: 'unclear',
  detail,
  fix: 'Publish a text with the lines Contact and Expires (RFC 9116), so that people find you before they block you.',
});

function whatIsWrong(text: string): string | undefined {
  const lines = text.split('\n');
  const fieldOf = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  if (!fieldOf('contact')) return 'has no line Contact';
  const expires = Date.parse(fieldOf('expires') ?? '');
  if (Number.isNaN(expires)) return 'has no line Expires with a date';
  return expires < Date.now() ? 'has expired' : undefined;
}
