import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { type MetricsServer, serveMetrics } from './server.ts';

describe('metrics', () => {
  let api: TestApi;
  let server: MetricsServer;

  beforeAll(async () => {
    api = await startTestApi();
    server = await serveMetrics({ registry: api.metrics.registry, host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await api.close();
  });

  const scrape = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();

  it('time answers by route and never by address', async () => {
    await api.call('GET', '/users/me', { token: await api.tokenFor() });
    await api.app.inject('/api/ada@example.com');

    const text = await scrape();
    expect(text).toMatch(/_count\{method="GET",route="\/api\/users\/me",status="200"\} 1/);
    expect(text).toMatch(/_count\{method="GET",route="none",status="404"\} 1/);
    expect(text).not.toContain('ada@');
  });

  it('show database connections and sockets', async () => {
    expect(await scrape()).toMatch(/^assay_database_connections \d+$/m);
    expect(await scrape()).toMatch(/^assay_realtime_sockets 0$/m);
  });

  it('are on a port of their own, and nothing else is', async () => {
    expect((await api.app.inject('/metrics')).statusCode).toBe(404);
    expect((await fetch(`http://127.0.0.1:${server.port}/api/users/me`)).status).toBe(404);
  });

  it('answer 500 when a number cannot be read, and the process goes on', async () => {
    const metrics = () => Promise.reject(new Error('The database is gone.'));
    const failing = await serveMetrics({
      registry: { metrics, contentType: Registry.PROMETHEUS_CONTENT_TYPE },
      host: '127.0.0.1',
      port: 0,
    });
    for (const _ of [1, 2]) {
      expect((await fetch(`http://127.0.0.1:${failing.port}/metrics`)).status).toBe(500);
    }
    await failing.close();
  });
});
