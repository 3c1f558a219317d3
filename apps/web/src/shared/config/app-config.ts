import type { AppConfig } from '@assay/contract';

/** What this build learns from the server that serves it, so that one build serves every stage. `index.html` preloads it. */
export async function loadAppConfig(fetch: typeof globalThis.fetch): Promise<AppConfig> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  return response.json();
}
