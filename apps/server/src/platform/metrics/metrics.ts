import type { Version } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Times every answer of the app, by route. */
  timeRequests(app: FastifyInstance): void;
  watchPool(pool: Pool): void;
  /** A number that is read when Prometheus collects it. */
  watch(gauge: { name: string; help: string; read: () => number }): void;
}

/** Each process has a registry of its own, and so has each test. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const watch: Metrics['watch'] = ({ name, help, read }) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

  return {
    registry,
    watch,
    timeRequests: (app) => {
      const durations = new Histogram({
        name: 'assay_http_request_duration_seconds',
        help: 'How long answers took, by route.',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        registers: [registry],
      });
      app.addHook('onResponse', async (request, reply) => {
        // Addresses without a route share one label: strangers must not be able to make new time series.
        const route = request.routeOptions.url ?? 'none';
        durations.observe(
          { method: request.method, route, status: reply.statusCode },
          reply.elapsedTime / 1_000,
        );
      });
    },
    watchPool: (pool) => {
      watch({
        name: 'assay_database_connections',
        help: 'Open database connections.',
        read: () => pool.totalCount,
      });
      watch({
        name: 'assay_database_connections_idle',
        help: 'Open database connections that are not in use.',
        read: () => pool.idleCount,
      });
      watch({
        name: 'assay_database_waiting',
        help: 'Queries that wait for a connection.',
        read: () => pool.waitingCount,
      });
    },
  };
}

/** Memory, processor time, event loop, garbage collection. */
export const watchProcess = ({ registry }: Metrics): void => collectDefaultMetrics({ register: registry });

/** Which version runs here, as Prometheus users expect it: a 1 with labels. */
export function showBuild({ registry }: Metrics, { version, commit }: Version): void {
  const build = new Gauge({
    name: 'assay_build_info',
    help: 'The version of this process.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  build.set({ version, commit }, 1);
}
