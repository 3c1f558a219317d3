import { once } from 'node:events';
import { API_BASE, REALTIME_PATH, type RealtimeEvent } from '@assay/contract';
import { openDatabase } from '../../../apps/server/src/platform/database/database.ts';
import { publishEvent } from '../../../apps/server/src/platform/events/index.ts';
import { Deadline } from '../../support/until.ts';
import { timed } from '../bulk/bare.ts';
import { type BenchProduct, startBenchProduct } from '../bulk/product.ts';
import { readMemory } from '../bulk/resident-memory.ts';
import { print } from '../harness/print.ts';
import { type Demand, decimal, integer } from '../harness/report.ts';
import { cpuMsOf } from '../requests/load.ts';

/** What one customer may have open at one process by default. */
const socketsPerCustomer = 20;
const openedAtOnce = 100;
const kilobytesMax = 50;
const event: RealtimeEvent = { event_type: 'refresh_user', event_metadata: {} };

/** Opens this many sockets at one API process, as the tabs of many customers, and sends each an event. */
export async function openSockets(count: number): Promise<Demand[]> {
  const product = await startBenchProduct();
  const sockets: WebSocket[] = [];
  let receivedCount = 0;
  const onMessage = ({ data }: MessageEvent) => {
    if (String(data).includes(event.event_type)) receivedCount += 1;
  };
  try {
    const tabs = await prepareTabs(product, count);
    const { nowMB: idleMB } = await readMemory(product.apiPid);
    const openMs = await timed(async () => {
      for (let at = 0; at < count; at += openedAtOnce) {
        const opening = tabs
          .slice(at, at + openedAtOnce)
          .map(({ token }) => openTab(product, token, onMessage));
        sockets.push(...(await Promise.all(opening)));
      }
    });
    const { nowMB } = await readMemory(product.apiPid);
    const cpuBefore = await cpuMsOf(product.apiPid);
    const publishMs = await timed(async () => {
      await publishToAll(product, new Set(tabs.map(({ userId }) => userId)));
      await new Deadline(60_000)
        .until('every socket got the event', async () => receivedCount >= count, 5)
        .catch(() => undefined);
    });
    const publishCpuMs = (await cpuMsOf(product.apiPid)) - cpuBefore;
    const kilobytes = ((nowMB - idleMB) * 1_000) / count;
    print(
      `\n${integer(count)} sockets of ${integer(count / socketsPerCustomer)} customers at one API process` +
        `\nopened in ${decimal(openMs / 1_000, 1)} s; memory ${integer(idleMB)} MB before, ${integer(nowMB)} MB after` +
        `\nan event for each arrived within ${integer(publishMs)} ms and took ${integer(publishCpuMs)} ms of processor time`,
    );
    return [
      {
        what: 'sockets: open and got the event',
        figure: `${integer(receivedCount)} of ${integer(count)}`,
        isMet: receivedCount === count,
      },
      {
        what: `sockets: memory for each, at most ${kilobytesMax} kB`,
        figure: `${decimal(kilobytes, 1)} kB`,
        isMet: kilobytes <= kilobytesMax,
      },
    ];
  } finally {
    for (const socket of sockets) socket.close();
    await product.close();
  }
}

interface Tab {
  readonly token: string;
  readonly userId: string;
}

async function prepareTabs(product: BenchProduct, count: number): Promise<Tab[]> {
  const tabs: Tab[] = [];
  while (tabs.length < count) {
    const { token, client } = await product.signUp(0);
    const { id: userId } = await client.users.getMe();
    for (let tab = 0; tab < socketsPerCustomer; tab++) tabs.push({ token, userId });
  }
  return tabs.slice(0, count);
}

/** Resolves when the API has taken the token. */
async function openTab(
  { apiUrl }: BenchProduct,
  token: string,
  onMessage: (message: MessageEvent) => void,
): Promise<WebSocket> {
  const { host } = new URL(apiUrl);
  const socket = new WebSocket(`ws://${host}${API_BASE}${REALTIME_PATH}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ token }));
  await once(socket, 'message');
  socket.addEventListener('message', onMessage);
  return socket;
}

async function publishToAll({ environment }: BenchProduct, userIds: Set<string>): Promise<void> {
  const { db, close } = openDatabase({
    url: environment.DATABASE_URL ?? '',
    poolSize: 2,
    applicationName: 'assay bench',
    onIdleError: () => undefined,
  });
  try {
    for (const userId of userIds) await publishEvent(db, userId, event);
  } finally {
    await close();
  }
}
