import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startTracing } from '../../platform/tracing/index.ts';
import { startTestApi } from '../../testing/api.ts';
import { startTestWorker } from '../../testing/worker.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

/** A collector that takes OTLP over HTTP. */
async function startCollector() {
  const spans: SentSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
    };
    bodies.push(JSON.stringify(body));
    for (const { scopeSpans } of body.resourceSpans)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}

it('one trace follows an address, alone or in a list, from the request to its verdict; its id is in the answer, the address is not in it', async () => {
  const { endpoint, spans, bodies } = await startCollector();
  const stopTracing = await startTracing({ endpoint, percent: 100 }, 'api');
  const api = await startTestApi({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  onTestFinished(() => api.close());
  const worker = await startTestWorker(api);
  onTestFinished(() => worker.close());
  const token = await api.tokenFor();

  const path = '/validations/email_validation';
  const headers = { traceparent: '00-11111111111111111111111111111111-2222222222222222-01' };
  const asked = await api.call('POST', path, { token, headers, body: { email_address: 'jane@exists.test' } });
  const body = { emails: ['jane@exists.test', 'jane@greylist.test'] };
  const list = await api.call('POST', '/validations/lists', { token, body });
  const statusAt = async (place: string) => (await api.call('GET', place, { token })).json().status;
  await expect.poll(() => statusAt(`${path}/${asked.json().id}`)).toBe('COMPLETE');
  const hurry = `update queue.job set start_after = now() where name like 'validations.verify-deferred.%' and state < 'active'`;
  await expect
    .poll(
      async () => {
        await api.database.pool.query(hurry);
        return statusAt(`/validations/lists/${list.json().id}`);
      },
      { timeout: 60_000 },
    )
    .toBe('COMPLETE');
  await stopTracing();

  const trace = spans.filter((span) => span.traceId === asked.headers['x-trace-id']);
  const find = (name: string) => trace.find((span) => span.name === name);
  const request = find(`POST /api${path}`);
  const job = find('job validations.verify-single');
  const check = find('check');
  expect(request).toBeDefined();
  expect(request?.parentSpanId).toBeUndefined();
  expect(job?.parentSpanId).toBe(request?.spanId);
  expect(check?.parentSpanId).toBe(job?.spanId);
  expect(find('dns')?.parentSpanId).toBe(check?.spanId);
  expect(find('rcpt')?.parentSpanId).toBe(check?.spanId);
  expect(check?.attributes).toContainEqual({ key: 'assay.verdict', value: { stringValue: 'VALID' } });

  const ofList = spans.filter((span) => span.traceId === list.headers['x-trace-id']);
  const pathTo = (span: SentSpan | undefined): string[] =>
    span ? [...pathTo(ofList.find(({ spanId }) => spanId === span.parentSpanId)), span.name] : [];
  const checksOf = (row: number) =>
    ofList
      .filter(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'assay.row' && scalarOf(value) === row),
      )
      .map((span) => ({
        path: pathTo(span),
        verdict: scalarOf(span.attributes.find(({ key }) => key === 'assay.verdict')?.value),
      }));
  const begun = ['POST /api/validations/lists', 'job validations.verify-short-list'];
  expect(checksOf(1)).toEqual([{ path: [...begun, 'check'], verdict: 'VALID' }]);
  expect(checksOf(2)[0]).toEqual({ path: [...begun, 'check'], verdict: 'UNKNOWN' });
  // Each deferral is a job of the one before.
  expect(checksOf(2).at(-1)).toEqual({
    path: [
      ...begun,
      ...checksOf(2)
        .slice(1)
        .map(() => 'job validations.verify-deferred.test'),
      'check',
    ],
    verdict: 'VALID',
  });
  expect(checksOf(2).length).toBeGreaterThan(1);
  expect(/jane|exists\.test|greylist\.test|1{32}/.exec(bodies.join())).toBeNull();
});

const scalarOf = (value: object | undefined): unknown => Object.values(value ?? {})[0];

it('without a collector nothing is traced, and jobs carry no trace', async () => {
  const api = await startTestApi();
  onTestFinished(() => api.close());
  const body = { email_address: 'jane@exists.test' };
  const token = await api.tokenFor();
  expect((await api.call('POST', '/validations/email_validation', { token, body })).statusCode).toBe(201);
  const { rows } = await api.database.pool.query('select data from queue.job where name like $1', [
    '%single',
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0].data).not.toHaveProperty('traceparent');
});
