// The least that an honest single check can cost: bare Fastify, the same token verification, the same engine, and one statement that
// records the verdict and charges for it. A call that is repeated with its key gets the first verdict and is charged once.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createVerifier } from '@assay/verifier';
import { fastify } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';

const { DATABASE_URL, OIDC_ISSUER = '', OIDC_AUDIENCE = '', ASSAY_DNS = '' } = process.env;
const { ASSAY_ALLOW_RANGES = '', ASSAY_HELO = '', BARE_PORT = '0' } = process.env;

// The pool has the size that the product's API has by default.
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
pool.on('error', () => undefined);
const keys = createRemoteJWKSet(new URL(`${OIDC_ISSUER}/jwks`));
const verifier = createVerifier({
  dns: [ASSAY_DNS],
  allowRanges: ASSAY_ALLOW_RANGES.split(','),
  helo: ASSAY_HELO,
});
const app = fastify();

interface Check {
  readonly id: string;
  readonly email_address: string;
  readonly verdict: string;
}

/** One statement is one transaction. A balance below 0 violates a constraint, which undoes the record as well. */
const recordAndCharge = {
  name: 'record and charge',
  text: `with recorded as (
      insert into bare_checks (owner_id, id, email_address, verdict, evidence) values ($1, $2, $3, $4, $5)
      on conflict do nothing returning owner_id)
    update bare_wallets set balance = balance - $6 from recorded where bare_wallets.owner_id = recorded.owner_id`,
};

async function findCheck(ownerId: string, id: string): Promise<Check | undefined> {
  const { rows } = await pool.query({
    name: 'find',
    text: 'select id, email_address, verdict from bare_checks where owner_id = $1 and id = $2',
    values: [ownerId, id],
  });
  return rows[0];
}

app.post<{ Body: { email_address: string } }>('/checks', async (request, reply) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const { payload } = await jwtVerify(token, keys, { issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE });
  const ownerId = payload.sub ?? '';
  const { email_address } = request.body;
  const key = request.headers['idempotency-key'];
  const id = typeof key === 'string' ? key : randomUUID();
  const before = typeof key === 'string' ? await findCheck(ownerId, id) : undefined;
  if (before) return before;

  const startedAt = performance.now();
  const outcome = await verifier.verify(email_address, { customer: ownerId });
  const engineMs = performance.now() - startedAt;
  const verdict = outcome.kind === 'verdict' ? outcome.result : 'UNKNOWN';
  const evidence = JSON.stringify(outcome.evidence);
  const dueCredits = verdict === 'UNKNOWN' ? 0 : 1;
  const values = [ownerId, id, email_address, verdict, evidence, dueCredits];
  const { rowCount } = await pool.query({ ...recordAndCharge, values });
  reply.header('engine-ms', engineMs.toFixed(3));
  // A twin was quicker.
  return rowCount === 0 ? findCheck(ownerId, id) : { id, email_address, verdict };
});

process.send?.({ url: await app.listen({ port: Number(BARE_PORT), host: '127.0.0.1' }) });
await once(process, 'disconnect');
await app.close();
await verifier.close();
await pool.end();
