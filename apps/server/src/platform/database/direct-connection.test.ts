import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { withDirectConnection } from './direct-connection.ts';

it('names the server that does not answer, and what to check', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const options = { databaseUrl: `postgres://assay@127.0.0.1:${port}/assay`, applicationName: 'assay test' };

  const connecting = withDirectConnection({ ...options, connectTimeoutMs: 20 }, async () => undefined);

  await expect(connecting).rejects.toThrow(
    `PostgreSQL at 127.0.0.1:${port} did not answer in time. Check its address, and whether it is overloaded.`,
  );
});
