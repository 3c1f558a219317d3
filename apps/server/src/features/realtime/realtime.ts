import { REALTIME_CLOSE } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import type { EventHub } from '../../platform/events/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import { Channels } from './channels.ts';
import { registerRealtimeRoutes } from './realtime.routes.ts';
import type { SessionParts } from './socket-session.ts';

export interface RealtimeParts
  extends Pick<SessionParts, 'clock' | 'schedule' | 'verifyBearer' | 'resolveSubject'> {
  readonly config: Pick<Config, 'publicUrl' | 'realtime'>;
  readonly events: EventHub;
  readonly metrics: Metrics;
}

/**
 * Sends the events that any process publishes to the sockets of this process.
 * See docs/decisions/realtime-events-are-hints.md.
 */
export async function addRealtime(api: FastifyInstance, parts: RealtimeParts): Promise<void> {
  const { config, events, metrics } = parts;
  const channels = new Channels({ perCustomerMax: config.realtime.socketsPerCustomer });
  events.subscribe({
    onEvent: (recipient, event) => channels.deliver(recipient, event),
    onSessionsEnded: (userId) => channels.recheck(userId),
    // Clients reconnect and reload, which repairs any missed event.
    onLost: () => channels.closeAll(REALTIME_CLOSE.eventsMissed, 'events were missed'),
  });
  metrics.watch({
    name: 'assay_realtime_sockets',
    help: 'Greeted realtime sockets.',
    read: () => channels.socketCount,
  });
  await registerRealtimeRoutes(api, {
    ...parts,
    channels,
    publicUrl: config.publicUrl,
    isListening: () => events.isListening,
  });
}
