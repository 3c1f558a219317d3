import { REALTIME_CLOSE } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import { listenForEvents } from '../../platform/events/index.ts';
import type { Logger } from '../../platform/logging/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { Channels } from './channels.ts';
import { registerRealtimeRoutes } from './realtime.routes.ts';
import type { SessionParts } from './socket-session.ts';

export interface RealtimeParts
  extends Pick<SessionParts, 'clock' | 'schedule' | 'verifyBearer' | 'resolveSubject'> {
  readonly config: Pick<Config, 'database' | 'publicUrl' | 'realtime'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The channel of this process: its sockets, and the line on which it hears what other processes publish. */
export async function addRealtime(api: FastifyInstance, parts: RealtimeParts): Promise<void> {
  const { config, metrics } = parts;
  const channels = new Channels({ perCustomerMax: config.realtime.socketsPerCustomer });
  const listener = await listenForEvents({
    databaseUrl: config.database.url,
    applicationName: 'assay api events',
    logger: parts.logger,
    schedule: parts.schedule,
    onEvent: (userId, event) => channels.deliver(userId, event),
    // Clients that connect again reload, which is all that a missed event asks for.
    onLost: () => channels.closeAll(REALTIME_CLOSE.eventsMissed, 'events were missed'),
  });
  api.addHook('onClose', () => listener.close());
  metrics.watch({
    name: 'assay_realtime_sockets',
    help: 'Greeted realtime sockets.',
    read: () => channels.socketCount,
  });
  await registerRealtimeRoutes(api, {
    ...parts,
    channels,
    publicUrl: config.publicUrl,
    isListening: () => listener.isListening,
  });
}
