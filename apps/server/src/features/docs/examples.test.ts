import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@assay/postgres/testing/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { sandboxSettings } from '../../testing/product.ts';
import { startTestWorker, type TestWorker } from '../../testing/worker.ts';
import { guidePages } from './guide-pages.ts';
import { programsOf } from './reference/example-programs.ts';
import { exampleFile } from './reference/example-requests.ts';
import { type OpenApiDocument, type OperationName, operationsOf } from './reference/operations.ts';
import { readGuideText } from './site.ts';
import { type Example, examplesOf } from './testing/examples.ts';
import {
  expectTypesToFit,
  hasCurl,
  hasPython,
  makeWorkplace,
  type RunOptions,
  runExample,
  startExample,
  type Workplace,
} from './testing/run-example.ts';

let api: TestApi;
let worker: TestWorker;
let workplace: Workplace;
let token: string;
let base: string;
let env: Record<string, string>;
beforeAll(async () => {
  api = await startTestApi({
    env: {
      ...sandboxSettings,
      WEBHOOK_ALLOW_RANGES: '127.0.0.1/32',
    },
  });
  worker = await startTestWorker(api, { hasSandbox: true });
  workplace = await makeWorkplace();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api`;
  token = await api.tokenFor();
  const scopes = ['verify', 'read_results', 'manage_lists'];
  const body = { name: 'Examples', mode: 'test', scopes };
  const { api_token } = (await api.call('POST', '/users/api-keys/more', { token, body })).json();
  env = { ASSAY_API_KEY: api_token };
});
afterAll(async () => {
  await workplace.remove();
  await worker.close();
  await api.close();
});

const pages = await Promise.all(
  guidePages.map(async (page) => ({ ...page, examples: examplesOf(await readGuideText(page)) })),
);
const readme = await readFile(new URL('../../../../../packages/client/README.md', import.meta.url), 'utf8');
const everyExample = [...pages, { title: 'README of the client', examples: examplesOf(readme) }].flatMap(
  ({ title, examples }) =>
    examples.map((example, index) => ({ ...example, name: `${title}, example ${index + 1}` })),
);
const pythonExamples = everyExample.filter(({ language }) => language === 'python');

/** The example with the URL of this installation. */
const shown = (example: Example): Example => ({
  ...example,
  code: example.code.replaceAll(/\{\{api\}\}|https:\/\/assay\.example\/api/g, base),
});
const run = (example: Example, options: Partial<RunOptions> = {}) =>
  runExample(shown(example), { workplace, env, ...options });

/** `…` on a page matches anything. */
function withoutVarying(said: unknown, printed: unknown): unknown {
  if (said === '…' || (Array.isArray(said) && said.length === 1 && said[0] === '…')) return said;
  if (Array.isArray(printed)) {
    return printed.map((entry, index) => withoutVarying((said as unknown[])?.[index], entry));
  }
  if (typeof printed !== 'object' || printed === null) return printed;
  const entries = Object.entries(printed).map(([name, value]) => [
    name,
    withoutVarying((said as Record<string, unknown>)?.[name], value),
  ]);
  return Object.fromEntries(entries);
}

function expectPrinted({ prints }: Example, printed: string): void {
  if (prints?.kind === 'output') expect(printed.trim()).toBe(prints.text);
  else if (prints?.kind === 'json') {
    const said = JSON.parse(prints.text);
    expect(withoutVarying(said, JSON.parse(printed))).toEqual(said);
  } else expect(printed).not.toContain('"errors"');
}

describe('the examples of the guide', () => {
  it('exist in every language, on most pages', () => {
    expect(new Set(everyExample.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', 'python']));
    expect(everyExample.length).toBeGreaterThan(12);
  });

  it.each(everyExample.filter(({ language, isReceiver }) => language === 'ts' && !isReceiver))(
    'TypeScript: $name prints what the page says',
    async (example) => {
      expectPrinted(example, await run(example));
    },
  );

  it.each(everyExample.filter(({ language }) => language === 'sh'))(
    `curl${hasCurl ? '' : ' (its stand-in, since there is none)'}: $name prints what the page says`,
    async (example) => {
      expectPrinted(example, await run(example));
    },
  );

  // So that the stand-in works when it is needed.
  it('curl: the stand-in for machines without curl understands all of them', async () => {
    for (const example of everyExample.filter(({ language }) => language === 'sh')) {
      const ofAnotherOrder = { ...example, code: example.code.replace('order-4711', 'order-4712') };
      expectPrinted(example, await run(ofAnotherOrder, { isWithoutCurl: true }));
    }
  });

  it(`Python: ${hasPython ? 'prints what the page says' : 'is unchanged since it was last run, because there is no python3 here'}`, async () => {
    if (hasPython) {
      for (const example of pythonExamples.filter(({ isReceiver }) => !isReceiver)) {
        expectPrinted(example, await run(example));
      }
    }
    // `vitest -u` writes this on a machine with python3, after the run above.
    const digests = pythonExamples.map(
      ({ name, code }) => `${name}: ${createHash('sha256').update(code).digest('hex')}`,
    );
    await expect(`${digests.join('\n')}\n`).toMatchFileSnapshot('./testing/python-examples-seen.txt');
  });
});

describe('the examples of the reference', () => {
  /** Calls that need nothing but a key. `tests/e2e/docs/reference-examples.test.ts` runs every call, by the client. */
  const alone: readonly OperationName[] = [
    'validations.startSingle',
    'validations.listSingles',
    'validations.createListFromEmails',
    'validations.listLists',
    'validations.getMetrics',
    'validations.createList',
    'billing.getWallet',
  ];

  it('work with curl and Python', async () => {
    await writeFile(join(workplace.folder, exampleFile.name), exampleFile.contents);
    const programs = referenceOperations()
      .filter(({ name }) => alone.includes(name))
      .flatMap((operation) => programsOf(operation, base))
      .filter(({ language }) => language === 'sh' || (language === 'python' && hasPython));

    for (const program of programs) {
      const printed = await run({ ...program, isReceiver: false, prints: null });
      expect(printed, program.code).toMatch(/^\{/);
      expect(printed, program.code).not.toContain('errors');
    }
    expect(programs.length).toBe(hasPython ? 2 * alone.length - 1 : alone.length);
  });
});

/** Without Warm Up, which this API does not have. */
const referenceOperations = () => operationsOf(api.app.swagger() as OpenApiDocument);

describe('the published package', () => {
  it('has types that a strict customer’s program compiles against', async () => {
    const programs = [
      ...everyExample,
      ...referenceOperations().flatMap((operation) => programsOf(operation, base)),
    ];
    await expectTypesToFit(
      workplace,
      programs.filter(({ language }) => language === 'ts'),
    );
  });
});

describe('the receivers of the guide', () => {
  const receivers = everyExample.filter(
    ({ isReceiver, language }) => isReceiver && (language !== 'python' || hasPython),
  );

  it.each(receivers)('$language: accepts our signature, and nothing else', async (example) => {
    const owner = await api.tokenFor();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const webhook = (await api.call('POST', '/users/webhooks', { token: owner, body: { url } })).json();
    const receiver = await startExample(shown(example), {
      workplace,
      env: { PORT: String(port), ASSAY_WEBHOOK_SECRET: webhook.secret },
    });
    try {
      let printed = '';
      receiver.stdout?.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
      const forge = () =>
        fetch(url, {
          method: 'POST',
          body: '{"type":"list.completed"}',
          headers: {
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
            'webhook-signature': 'v1,bm90IG91cnM=',
          },
        }).then(
          ({ status }) => status,
          () => 'not up yet',
        );
      await expect.poll(forge).toBe(400);

      const { event_id } = (
        await api.call('POST', `/users/webhooks/${webhook.id}/test`, { token: owner })
      ).json();

      await expect.poll(() => printed).toBe(`webhook.test ${event_id}\n`);
    } finally {
      receiver.kill('SIGKILL');
    }
  });
});
