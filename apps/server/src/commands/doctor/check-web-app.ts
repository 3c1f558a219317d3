import type { Config } from '../../platform/config/index.ts';
import { isWebAppIn } from '../../platform/http/web-app.ts';
import type { Finding } from '../finding.ts';

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
