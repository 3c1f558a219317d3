import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@assay/client';
import type { TestIssuer } from '../../apps/server/src/testing/issuer.ts';
import { runAssay } from './product-process.ts';

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly client: Client;
  readonly token: string;
  /** The same person with another fetch. */
  clientWith(fetch: typeof globalThis.fetch): Client;
}

/** Longer than any run. */
const tokenLifeSeconds = 24 * 3_600;

/** A new customer with this many credits on top of those of a new account. */
export async function signUp(
  issuer: TestIssuer,
  product: { readonly apiUrl: string; readonly environment: Record<string, string> },
  credits: number,
): Promise<Customer> {
  const email = `${randomUUID()}@example.com`;
  const token = await issuer.tokenFor(
    {
      email,
      email_verified: true,
      given_name: 'Ada',
      family_name: 'Assayer',
      identities: ['email'],
      // For what needs a recent sign-in.
      auth_time: Math.floor(Date.now() / 1_000),
    },
    { lifeSeconds: tokenLifeSeconds },
  );
  const clientWith = (fetch: typeof globalThis.fetch) =>
    createClient({ baseUrl: product.apiUrl, getToken: () => token, fetch });
  const client = clientWith(globalThis.fetch);
  const { id } = await client.users.getMe();
  if (credits > 0) {
    const words = ['--email', email, '--credits', String(credits), '--reason', 'For a trial'];
    await runAssay(product.environment, 'credits', 'grant', ...words);
  }
  return { id, email, client, token, clientWith };
}
