import type { WebhookDelivery } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { greetRealtime } from '../../testing/realtime-client.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

let api: TestApi;
let worker: TestWorker;
let receiver: Receiver;
beforeAll(async () => {
  api = await startTestApi({ env: { WEBHOOK_ALLOW_RANGES: '127.0.0.1/32' } });
  worker = await startTestWorker(api, { webhookWaitMs: 20 });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await worker.close();
  await api.close();
});

async function newCustomer() {
  const token = await api.tokenFor();
  const { id } = (await api.call('POST', '/users/webhooks', { token, body: { url: receiver.url } })).json();
  const path = `/users/webhooks/${id}`;
  return {
    token,
    verify: async (address: string) =>
      (
        await api.call('POST', '/validations/email_validation', { token, body: { email_address: address } })
      ).json(),
    log: async (): Promise<WebhookDelivery[]> =>
      (await api.call('GET', `${path}/deliveries?page_size=100`, { token })).json().results,
    sendTest: () => api.call('POST', `${path}/test`, { token }),
    sendAgain: (deliveryId: string) => api.call('POST', `${path}/deliveries/${deliveryId}/again`, { token }),
  };
}

const receivedBy = (filter: (event: { type: string; data: { id?: string } }) => boolean) =>
  receiver.events.map(({ body }) => JSON.parse(body)).filter(filter);

describe('a customer’s webhook', () => {
  it('receives a finished single check, with the same data as the API', async () => {
    const { token, verify } = await newCustomer();

    const { id } = await verify('jane@exists.test');

    await expect.poll(() => receivedBy(({ data }) => data.id === id)).toHaveLength(1);
    const [event] = receivedBy(({ data }) => data.id === id);
    expect(event.type).toBe('email_validation.completed');
    const answer = await api.call('GET', `/validations/email_validation/${id}`, { token });
    expect(event.data).toEqual(answer.json());
    expect(event.data).toMatchObject({ status: 'COMPLETE', email_address_status: 'VALID' });
  });

  it('receives a finished list', async () => {
    const { token } = await newCustomer();
    const form = new FormData();
    form.append('list_raw', new Blob(['email\njane@exists.test\nnobody@exists.test\n']), 'people.csv');
    const { id } = (await api.call('POST', '/validations/lists_bulk', { token, body: form })).json();

    await expect.poll(() => receivedBy(({ data }) => data.id === id)).toHaveLength(1);
    const [event] = receivedBy(({ data }) => data.id === id);
    expect(event.type).toBe('list.completed');
    expect(event.data).toEqual((await api.call('GET', `/validations/lists/${id}`, { token })).json());
    expect(event.data).toMatchObject({ status: 'COMPLETE', progress: 100, total_emails: 2 });
  });

  it('that was down receives everything in order', async () => {
    const { verify, log } = await newCustomer();
    const attemptsBefore = receiver.attempts;
    receiver.answer((response) => response.destroy());
    const ids: string[] = [];
    for (const name of ['jane', 'nobody', 'max', 'jane+a', 'jane+b']) {
      ids.push((await verify(`${name}@exists.test`)).id);
    }
    await expect.poll(async () => (await log()).length).toBe(ids.length);
    await expect.poll(() => receiver.attempts - attemptsBefore).toBeGreaterThan(3);
    expect(receivedBy(({ data }) => ids.includes(data.id ?? ''))).toEqual([]);

    receiver.answer((response) => response.writeHead(200).end());

    await expect.poll(() => receivedBy(({ data }) => ids.includes(data.id ?? ''))).toHaveLength(ids.length);
    const arrived = receivedBy(({ data }) => ids.includes(data.id ?? ''));
    const eventIds = receiver.events.slice(-ids.length).map(({ headers }) => headers['webhook-id']);
    await expect.poll(async () => (await log()).every(({ status }) => status === 'DELIVERED')).toBe(true);
    // The log lists events in the order of their numbers, which is the order of arrival.
    expect(eventIds).toEqual((await log()).map(({ event_id }) => event_id).reverse());
    expect(new Set(arrived.map(({ data }) => data.id))).toEqual(new Set(ids));
  });

  it('receives a test at once, and open tabs get an event with the outcome', async () => {
    const { token, sendTest, log } = await newCustomer();
    const tab = await greetRealtime(api, token);

    await sendTest();

    await expect.poll(log).toMatchObject([{ event_type: 'webhook.test', status: 'DELIVERED', attempts: 1 }]);
    expect(await tab.next()).toEqual({ event_type: 'refresh_webhooks', event_metadata: {} });
    tab.socket.terminate();
  });

  it('receives an event again under the same id', async () => {
    const { sendTest, sendAgain, log } = await newCustomer();
    const first = (await sendTest()).json<WebhookDelivery>();
    await expect.poll(log).toMatchObject([{ status: 'DELIVERED' }]);

    const again = await sendAgain(first.id);

    expect(again.json()).toMatchObject({ event_id: first.event_id, status: 'PENDING' });
    expect(again.json().id).not.toBe(first.id);
    await expect.poll(log).toMatchObject([{ status: 'DELIVERED' }, { status: 'DELIVERED' }]);
    const [one, two] = receiver.events.slice(-2);
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['webhook-id']).toBe(first.event_id);
  });

  it('that fails a test receives it once only', async () => {
    const { sendTest, log } = await newCustomer();
    receiver.answer((response) => response.writeHead(500).end());

    await sendTest();

    await expect
      .poll(log)
      .toMatchObject([{ status: 'FAILED', attempts: 1, response_status: 500, error: 'Answered 500.' }]);
    receiver.answer((response) => response.writeHead(200).end());
  });
});

describe('a receiver that never answers', () => {
  it('has at most three tests in flight and does not delay other customers', async () => {
    const [slow, neighbour] = [await newCustomer(), await newCustomer()];
    receiver.answer(() => undefined);
    const attemptsBefore = receiver.attempts;
    const codes = [];
    for (let test = 0; test < 8; test += 1) codes.push((await slow.sendTest()).statusCode);
    expect(codes).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    await expect.poll(() => receiver.attempts - attemptsBefore).toBe(3);

    receiver.answer((response) => response.writeHead(204).end());
    await neighbour.sendTest();

    await expect.poll(neighbour.log).toMatchObject([{ status: 'DELIVERED' }]);
    expect(await slow.log()).toMatchObject(Array(3).fill({ status: 'PENDING' }));
  });

  it('has at most three tests in flight, also of simultaneous requests to two webhooks', async () => {
    const { token, sendTest } = await newCustomer();
    const body = { url: `${receiver.url}/second` };
    const { id } = (await api.call('POST', '/users/webhooks', { token, body })).json();
    receiver.answer(() => undefined);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        at % 2 === 0 ? sendTest() : api.call('POST', `/users/webhooks/${id}/test`, { token }),
      ),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(3);
    expect(answers.find(({ statusCode }) => statusCode === 429)?.json().errors[0]).toMatchObject({
      message: expect.stringContaining('still wait for your receiver'),
      meta: { retry_after_seconds: 15 },
    });
  });
});
