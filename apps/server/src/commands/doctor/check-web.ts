import { versionSchema } from '@assay/contract';
import type { Config } from '../../platform/config/index.ts';
import { isWebAppIn } from '../../platform/http/web-app.ts';
import type { Finding } from '../finding.ts';
import { failedCheck } from './failed-check.ts';

const patienceMs = 10_000;

/** The build of the web app, without which `assay api` answers 404 to browsers. */
export async function checkWebApp({ webRoot }: Pick<Config, 'webRoot'>): Promise<Finding> {
  const check = 'web_app';
  if (webRoot === null)
    return { check, status: 'skipped', detail: 'ASSAY_WEB_APP is none: something else serves it.' };
  return (await isWebAppIn(webRoot))
    ? { check, status: 'ok', detail: 'The web app is built.' }
    : {
        check,
        status: 'problem',
        detail: `The web app is not built: ${webRoot} has no index.html.`,
        fix: 'Run `npm run build` in the folder of the product.',
      };
}

/** Asks for the product where browsers do. */
export async function checkPublicUrl({ publicUrl }: Pick<Config, 'publicUrl'>): Promise<Finding> {
  const check = 'public_url';
  const problem = (detail: string, error?: unknown): Finding =>
    failedCheck(check, error, {
      detail,
      fix: 'Start `assay api` and let your proxy and DNS lead there, or correct PUBLIC_URL.',
    });
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(`${publicUrl}/version.json`, { redirect: 'manual', signal });
    if (answer.status !== 200) return problem(`${publicUrl}/version.json answers ${answer.status}.`);
    const isOurs = versionSchema.safeParse(await answer.json().catch(() => null)).success;
    return isOurs
      ? { check, status: 'ok', detail: `${publicUrl} leads to the product.` }
      : problem(`Something else than the product answers at ${publicUrl}.`);
  } catch (error) {
    // Some networks let no machine reach its own public address.
    if ((error as Error).name === 'TimeoutError')
      return { check, status: 'unclear', detail: `${publicUrl} does not answer this machine in time.` };
    const { code = 'no reason given' } = ((error as Error).cause ?? {}) as { code?: string };
    return problem(`${publicUrl} cannot be reached (${code}).`, error);
  }
}
