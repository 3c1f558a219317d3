import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to those who ask for any: one of these could be given away before it is used. */
const ports = [10_000, 30_000] as const;

/** A free port, for a process that needs its port in advance. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...ports);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
