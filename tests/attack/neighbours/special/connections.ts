import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { API_BASE, REALTIME_PATH } from '@assay/contract';
import { WebSocket } from 'ws';
import { Customer, read } from '../../customer.ts';
import { sendHttp } from '../../send.ts';
import type { Action } from '../action.ts';

const halfRequestsMax = 2_000;
const connectMs = 5_000;

const halfRequests: Action = {
  name: 'half-requests',
  what: `${halfRequestsMax} connections with half a request each`,
  operations: [],
  connections: 50,
  prepare: async (scene) => {
    const { target } = scene.fromElsewhere();
    const open = new Set<Socket>();
    return {
      turn: async () => {
        if (open.size >= halfRequestsMax) return null;
        const socket = connect(target);
        open.add(socket);
        const { promise, resolve } = Promise.withResolvers<number | null>();
        socket.setTimeout(connectMs, () => resolve(null));
        socket.on('connect', () => {
          socket.write('GET /api/users/me HTTP/1.1\r\nHost: a\r\nAuthor');
          resolve(200);
        });
        socket.on('error', () => resolve(null));
        socket.on('close', () => open.delete(socket));
        return promise;
      },
      rest: async () => {
        for (const socket of open) socket.destroy();
      },
    };
  },
};

const socketsMax = 100;

const realtime: Action = {
  name: 'sockets',
  what: 'realtime sockets with good tokens, bad tokens and none',
  operations: [],
  otherRoutes: [`GET ${API_BASE}${REALTIME_PATH}`],
  connections: 8,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const { target } = product;
    const customer = await Customer.signUp(product);
    const open = new Set<WebSocket>();
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const socket = new WebSocket(`ws://${target.host}:${target.port}${API_BASE}${REALTIME_PATH}`, {
          localAddress: target.localAddress,
        });
        open.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => open.delete(socket));
        const [oldest] = open;
        if (open.size > socketsMax) oldest?.terminate();
        const opened = await Promise.race([
          once(socket, 'open').then(() => true),
          once(socket, 'close').then(() => false),
        ]).catch(() => false);
        if (!opened) return null;
        const heard = Promise.race([once(socket, 'message'), once(socket, 'close')]);
        if (turns % 3 === 2) return 101;
        socket.send(JSON.stringify({ token: turns % 3 === 0 ? customer.token : 'a.b.c' }));
        await heard;
        return 101;
      },
      rest: async () => {
        for (const socket of open) socket.terminate();
      },
    };
  },
};

const webhookTests: Action = {
  name: 'webhook-tests',
  what: 'test events to a receiver that never answers',
  operations: ['webhooks.createWebhook', 'webhooks.sendTest'],
  connections: 20,
  prepare: async (scene) => {
    const receiver = createServer((request) => request.resume());
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const customer = await Customer.signUp(scene.fromElsewhere());
    const made = await customer.send('POST', '/users/webhooks', { url: `http://127.0.0.1:${port}/hook` });
    const { id } = read(made) as { id: string };
    return {
      turn: async () => (await customer.send('POST', `/users/webhooks/${id}/test`))?.status ?? null,
      end: async () => {
        receiver.close();
        receiver.closeAllConnections();
      },
    };
  },
};

/** The only action that does not wait after a refusal. */
const flood: Action = {
  name: 'flood',
  what: 'users/me as fast as possible, also when it is refused',
  operations: ['users.getMe'],
  connections: 20,
  prepare: async (scene) => {
    const product = scene.fromElsewhere();
    const customer = await Customer.signUp(product);
    const request = { method: 'GET', path: `${API_BASE}/users/me`, headers: customer.headersOf('bearer') };
    return { turn: async () => (await sendHttp(product.target, request))?.status ?? null };
  },
};

/** Each body is refused before it is read, for another reason. */
const refusedBodies: Action = {
  name: 'refused-bodies',
  what: '5 MB each that nobody reads: without credentials, to no address, with a GET, and to a customer’s call that takes less',
  operations: ['users.getMe', 'users.updateMe'],
  connections: 40,
  prepare: async (scene) => {
    const { target } = scene.fromElsewhere();
    const customer = await Customer.signUp(scene.fromElsewhere());
    const body = Buffer.alloc(5_000_000, ' ');
    const headers = { 'content-type': 'application/json' };
    const requests = [
      { method: 'PATCH', path: `${API_BASE}/users/me`, headers },
      { method: 'POST', path: `${API_BASE}/nothing`, headers },
      { method: 'GET', path: '/version.json', headers },
      {
        method: 'PATCH',
        path: `${API_BASE}/users/me`,
        headers: { ...headers, ...customer.headersOf('bearer') },
      },
    ];
    let turns = 0;
    return {
      turn: async () => {
        turns += 1;
        const request = requests[turns % requests.length] as (typeof requests)[number];
        return (await sendHttp(target, { ...request, body }))?.status ?? null;
      },
    };
  },
};

export const connectionActions: readonly Action[] = [
  halfRequests,
  realtime,
  webhookTests,
  flood,
  refusedBodies,
];
