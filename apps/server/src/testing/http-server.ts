import type { FastifyInstance } from 'fastify';
import type { Schedule } from '../platform/clock.ts';
import type { WaitingLine } from '../platform/database/waiting-line.ts';
import { createHttpServer, type RouteList, refuseUnknownRoute } from '../platform/http/index.ts';
import type { PressureLimits } from '../platform/http/load-shedding.ts';
import { createLogger } from '../platform/logging/index.ts';

export interface TestHttpServer {
  readonly app: FastifyInstance;
  readonly routeList: RouteList;
  /** The parsed log lines so far. */
  readonly logLines: readonly Record<string, unknown>[];
}

interface TestHttpServerOptions {
  readonly publicUrl?: string;
  readonly trustedProxies?: readonly string[];
  readonly pressure?: PressureLimits;
  readonly connectionsMax?: number;
  readonly connectionsPerAddress?: number;
  readonly waitingLine?: WaitingLine;
  readonly schedule?: Schedule;
  readonly unreadBytesMax?: number;
}

/** Our HTTP server with the test's own routes. */
export async function testHttpServer(
  addRoutes: (app: FastifyInstance) => void | Promise<void>,
  { publicUrl = 'https://assay.test', trustedProxies = [], ...others }: TestHttpServerOptions = {},
): Promise<TestHttpServer> {
  const logLines: Record<string, unknown>[] = [];
  const { app, routeList } = await createHttpServer({
    publicUrl,
    trustedProxies,
    connectOrigins: ['https://id.test'],
    bodyLimitBytes: 1_024,
    problemPage: ({ text }) => `<p>${text}</p>`,
    ...others,
    logger: createLogger({
      level: 'debug',
      process: 'test',
      destination: { write: (line) => logLines.push(JSON.parse(line)) },
    }),
  });
  app.setNotFoundHandler(refuseUnknownRoute(routeList));
  await addRoutes(app);
  await app.ready();
  return { app, routeList, logLines };
}
