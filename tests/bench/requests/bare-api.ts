// The least that an authenticated call can cost: bare Fastify, the same token verification, one SQL query.
import { once } from 'node:events';
import { fastify } from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';

const { DATABASE_URL, OIDC_ISSUER = '', OIDC_AUDIENCE = '' } = process.env;

// The pool has the size that the product's API has by default.
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const keys = createRemoteJWKSet(new URL(`${OIDC_ISSUER}/jwks`));
const app = fastify();

app.get('/users/me', async (request) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const { payload } = await jwtVerify(token, keys, { issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE });
  const { rows } = await pool.query(
    `select users.* from user_identities join users on users.id = user_id where issuer = $1 and subject = $2`,
    [payload.iss, payload.sub],
  );
  return rows[0];
});

process.send?.({ url: await app.listen({ port: 0, host: '127.0.0.1' }) });
await once(process, 'disconnect');
await app.close();
await pool.end();
