import { appConfigSchema } from '@assay/contract';
import * as z from 'zod/mini';
import type { Config } from '../../platform/config/index.ts';
import { whyFetchFailed } from '../../platform/why-fetch-failed.ts';
import type { Finding } from '../finding.ts';
import { failedCheck } from './failed-check.ts';

const timeoutMs = 10_000;
const check = 'public_url';
const discoverySchema = z.object({ issuer: z.string() });

/** Asks PUBLIC_URL what browsers ask first: through DNS, TLS and the proxy, is it this installation that answers? */
export async function checkPublicUrl({
  publicUrl,
  identity,
}: Pick<Config, 'publicUrl' | 'identity'>): Promise<Finding> {
  try {
    const seen = appConfigSchema.parse(await getJson(`${publicUrl}/config.json`));
    if (seen.issuer !== identity.issuer)
      return problem(
        `${publicUrl} sends people to ${seen.issuer} to sign in, and not to ${identity.issuer}.`,
        'Let the proxy lead to this installation, and give all its processes the same settings.',
      );
    if (identity.pages) {
      const { issuer } = discoverySchema.parse(
        await getJson(`${identity.issuer}/.well-known/openid-configuration`),
      );
      if (issuer !== identity.issuer)
        return problem(
          `${identity.issuer} calls itself ${issuer}.`,
          'Start `assay identity` with the same PUBLIC_URL as the API.',
        );
    }
    return { check, status: 'ok', detail: `${publicUrl} leads to this installation.` };
  } catch (error) {
    // Some networks let no machine reach its own public address.
    if ((error as Error).name === 'TimeoutError')
      return { check, status: 'unclear', detail: `${publicUrl} does not answer this machine in time.` };
    const isOther = error instanceof z.core.$ZodError || error instanceof SyntaxError;
    return failedCheck(check, error, {
      detail: `${publicUrl} does not answer as Assay does (${isOther ? 'another answer' : whyFetchFailed(error)}).`,
      fix: 'Start the API and the proxy, and check the name in DNS, or correct PUBLIC_URL.',
    });
  }
}

const problem = (detail: string, fix: string): Finding => ({ check, status: 'problem', detail, fix });

async function getJson(address: string): Promise<unknown> {
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}
