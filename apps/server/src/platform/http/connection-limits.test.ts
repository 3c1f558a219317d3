import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testHttpServer } from '../../testing/http-server.ts';
import { limitsBelow } from './connection-limits.ts';
import { addHealth } from './health.ts';

describe('connections', () => {
  const serve = async (limits: {
    connectionsMax: number;
    connectionsPerAddress: number;
    trustedProxies?: string[];
  }) => {
    const server = await testHttpServer((app) => addHealth(app, async () => null), limits);
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as AddressInfo;
    const sockets: Socket[] = [];
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await server.app.close();
    });
    /** Half a request on each connection. */
    const open = async (count: number, localAddress: string) => {
      const opened = Array.from({ length: count }, () =>
        connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined),
      );
      sockets.push(...opened);
      await Promise.all(opened.map((socket) => once(socket, 'connect')));
      for (const socket of opened) socket.write('GET /health/live HTTP/1.1\r\n');
      return opened;
    };
    const finish = async (socket: Socket) => {
      let answer = '';
      socket.setEncoding('utf8').on('data', (text) => {
        answer += text;
      });
      socket.write('Host: localhost\r\nConnection: close\r\n\r\n');
      if (!socket.closed) await once(socket, 'close');
      return answer.slice(0, 12);
    };
    const countOpen = () =>
      new Promise<number>((resolve, reject) =>
        server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );
    return { server, open, finish, countOpen };
  };

  it('of one address are closed beyond its share, others are served, and a place is free again after an end', async () => {
    const { server, open, finish, countOpen } = await serve({
      connectionsMax: 200,
      connectionsPerAddress: 50,
    });
    const flood = await open(120, '127.0.0.2');
    await expect.poll(countOpen).toBe(50);

    const [other] = await open(1, '127.0.0.3');
    expect(await finish(other as Socket)).toBe('HTTP/1.1 200');
    const first = flood.find((socket) => !socket.closed) as Socket;
    expect(await finish(first)).toBe('HTTP/1.1 200');
    const [next] = await open(1, '127.0.0.2');
    expect(await finish(next as Socket)).toBe('HTTP/1.1 200');
    expect(server.logLines.filter(({ msg }) => msg === 'closing connections beyond the limit')).toMatchObject(
      [{ problem: 'connections of one address', connectionsPerAddress: 50 }],
    );
  });

  it('of a trusted proxy have no share, only the limit of all', async () => {
    const { open, countOpen } = await serve({
      connectionsMax: 80,
      connectionsPerAddress: 10,
      trustedProxies: ['127.0.0.8/30'],
    });
    await open(100, '127.0.0.9');
    await expect.poll(countOpen).toBe(80);
  });

  it('leave files for everything else, whatever the limit of the system is', () => {
    expect(limitsBelow(65_536)).toEqual({ connectionsMax: 52_428, connectionsPerAddress: 512 });
    expect(limitsBelow(1_024)).toEqual({ connectionsMax: 768, connectionsPerAddress: 128 });
    expect(limitsBelow(256)).toEqual({ connectionsMax: 128, connectionsPerAddress: 128 });
  });

  it('on which no whole head of a request arrives are closed after ten seconds, also if the client does not close', async () => {
    const { server, open, countOpen } = await serve({ connectionsMax: 10, connectionsPerAddress: 10 });
    expect(server.app.server.headersTimeout).toBe(10_000);
    server.app.server.headersTimeout = 50;
    // They do not read, so they do not notice that the server ended its side.
    await open(5, '127.0.0.2');
    await expect.poll(countOpen).toBe(5);
    await expect.poll(countOpen, { timeout: 20_000 }).toBe(0);
  });
});
