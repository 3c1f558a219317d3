import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openMailer } from './mailer.ts';

it('gives up a relay that falls silent after its greeting', async () => {
  const sockets: Socket[] = [];
  const relay = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.write('220 relay.test ESMTP\r\n');
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const { port } = relay.address() as AddressInfo;
  const mailer = await openMailer({
    relayUrl: `smtp://127.0.0.1:${port}`,
    from: 'no-reply@assay.test',
    homeUrl: 'https://assay.test/',
    silenceMaxMs: 300,
  });

  await expect(mailer.sendCode('person@exists.test', '123456')).rejects.toThrow('Timeout');

  mailer.close();
  for (const socket of sockets) socket.destroy();
  relay.close();
});
