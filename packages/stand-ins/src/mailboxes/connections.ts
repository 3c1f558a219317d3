import type { Answer } from '@assay/pages';
import { redirect } from '@assay/pages';
import { endGrant, listGrants } from './grants.store.ts';
import { connectionsPage } from './pages/screens.ts';
import type { Provider } from './providers.ts';
import type { Call } from './world.ts';

/** What people allowed so far. There is no signing in here, so it shows everybody's. */
export const showConnections = async (provider: Provider, call: Call): Promise<Answer> =>
  connectionsPage(provider, call, await listGrants(call.db, provider.name));

/** A person takes back what they allowed, without telling the application. */
export async function withdrawConsent(provider: Provider, call: Call): Promise<Answer> {
  const grants = await listGrants(call.db, provider.name);
  const chosen = grants.find(({ id }) => id === call.form.get('grant'));
  if (chosen) await endGrant(call.db, chosen.id);
  return redirect(provider.paths.connections);
}
