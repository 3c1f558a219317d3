import { hash, X509Certificate } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { certificateName, type MailWorld, readCertificate, startMailWorld } from '@assay/mail-world';
import { type Payments, startPayments } from '@assay/stand-ins/payments';
import { codeIn, startTestMailbox, type TestMailbox } from '@assay/stand-ins/testing/mailbox';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeDataFolder } from '../../../apps/server/src/testing/data-folder.ts';
import { hasProgram } from '../../../scripts/lib/has-program.ts';
import { runAssay } from '../../support/product-process.ts';
import { launchBrowser } from '../support/browser.ts';
import {
  freePortRange,
  interrupt,
  type StartedProduct,
  startProduct,
  untilReady,
} from '../support/started-product.ts';
import { type ProxyPlace, startCaddy, startNginx, startNodeProxy } from '../support/tls-proxies.ts';
import { gotoAndListen, newPerson, type Person, signIn } from '../support/visitor.ts';
import { csvFile, startList } from '../verification-bulk/steps.ts';

// Another name than localhost. The browser alone resolves it, so that nothing is asked of the outside.
const name = certificateName;
const publicKey = new X509Certificate(readCertificate().cert).publicKey.export({
  type: 'spki',
  format: 'der',
});
const stripe = { secretKey: 'sk_live_of_a_test', webhookSecret: 'whsec_of_a_test' };

let place: ProxyPlace;
let publicUrl: string;
let settings: Record<string, string>;
let product: StartedProduct;
let mailbox: TestMailbox;
let payments: Payments;
let mail: MailWorld;
let browser: Browser;

/** For the product, relay, Stripe and DNS are real: it only knows their addresses. */
beforeAll(async () => {
  const [apiPort, port] = [await freePortRange(), await freePortRange()];
  place = { port, apiPort };
  publicUrl = `https://${name}:${port}`;
  const url = `http://127.0.0.1:${apiPort}/api/billing/webhooks/stripe`;
  [mailbox, mail, payments] = await Promise.all([
    startTestMailbox(),
    startMailWorld(),
    startPayments({ secretKey: stripe.secretKey, webhook: { url, secret: stripe.webhookSecret } }),
  ]);
  settings = {
    PORT: String(apiPort),
    ASSAY_DATA: await makeDataFolder('assay-small-'),
    PUBLIC_URL: publicUrl,
    SMTP_RELAY_URL: mailbox.url,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_URL: payments.origin,
    ASSAY_DNS: mail.dns,
    ASSAY_ALLOW_RANGES: mail.allowRanges.join(','),
    ASSAY_HELO: name,
    ASSAY_EGRESS_TARGETS: 'mx.exists.test',
    ASSAY_BLOCK_LISTS: 'none',
  };
  await runAssay(settings, 'payments', 'setup');
  product = startProduct(settings, ['--production']);
  product.process.stderr?.pipe(process.stderr);
  process.once('exit', () => interrupt(product));
  await untilReady(product);
  browser = await launchBrowser([
    `--host-resolver-rules=MAP ${name} 127.0.0.1`,
    `--ignore-certificate-errors-spki-list=${hash('sha256', publicKey, 'base64')}`,
  ]);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  interrupt(product);
  await product.ended;
  await Promise.all([mailbox.close(), mail.close(), payments.close()]);
  await rm(settings.ASSAY_DATA ?? '', { recursive: true, force: true });
});

/** A browser on another machine, as far as it can tell. */
async function openBrowser(): Promise<{ page: Page; troubles: string[] }> {
  const context = await browser.newContext({ baseURL: publicUrl, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(100_000);
  const troubles: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      troubles.push(message.text());
  });
  context.on('weberror', (thrown) => troubles.push(thrown.error().message));
  return { page: await context.newPage(), troubles };
}

async function signUpByCode(page: Page): Promise<Person> {
  const person = newPerson();
  await page.goto('/');
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Code').fill(codeIn(await mailbox.take(person.email)));
  await page.getByRole('button', { name: 'Continue' }).click();
  // The account exists since the page's first call was answered, not since the page was opened.
  await page.getByRole('complementary', { name: 'Sidebar' }).getByText('1.0k', { exact: true }).waitFor();
  return person;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, sign out' }).click();
  await page.waitForURL(`${publicUrl}/identity/interaction/*`);
}

const assay = (...words: string[]) => runAssay({ ASSAY_DATA: settings.ASSAY_DATA ?? '' }, ...words);

describe('assay start --production', () => {
  it.for([
    ['a proxy in Node', startNodeProxy, true],
    ['nginx, with deploy/proxy/nginx.conf', startNginx, hasProgram('nginx', '-v')],
    ['Caddy, with deploy/proxy/Caddyfile', startCaddy, hasProgram('caddy', 'version')],
  ] as const)(
    'serves another name by TLS through %s: sign-up by mailed code, WebSocket, a check, an upload of 3 MB, sign-out, sign-in',
    async ([proxy, startProxy, isInstalled], { skip }) => {
      skip(!isInstalled, `This machine does not have ${proxy}, so it was not tested.`);
      onTestFinished(await startProxy(place));
      const { page, troubles } = await openBrowser();
      const person = await signUpByCode(page);

      const socket = await gotoAndListen(page, '/email-verification/single');
      expect(socket.url()).toBe(`wss://${name}:${place.port}/api/realtime`);
      await page.getByPlaceholder('Verify a single email').fill('jane@exists.test');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Latest result' }).getByText('Valid').first().waitFor();

      // Longer than proxies let a request be unless told otherwise.
      const note = 'x'.repeat(50_000);
      const lines = Array.from({ length: 60 }, (_, row) => `person${row}@exists.test,${note}`);
      await page.goto('/email-verification/bulk');
      await startList(page, csvFile('spring.csv', ['email,note', ...lines]));
      await page.getByText('List verification successful!').first().waitFor();

      await signOut(page);
      const left = (await page.context().cookies()).filter(({ name: cookie }) => cookie.endsWith('_session'));
      expect(left).toEqual([]);
      await signIn(page, person);
      await page.waitForURL(`${publicUrl}/email-verification/single`);
      expect(troubles).toEqual([]);
    },
  );

  describe('behind a proxy', () => {
    beforeAll(async () => {
      const stop = await startNodeProxy(place);
      return stop;
    });

    it('keeps the provider and its cookies below one path of the same origin, with a policy of its own', async () => {
      const { page } = await openBrowser();
      const config = page.waitForResponse('**/config.json');
      const answered = page.waitForResponse('**/identity/interaction/*');
      await page.goto('/');
      expect(await (await config).json()).toMatchObject({ issuer: `${publicUrl}/identity` });
      const answer = await answered;
      expect(await answer.headerValue('content-security-policy')).toContain("default-src 'none'");
      expect(await answer.headerValue('strict-transport-security')).toContain('max-age=');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      // Its style sheet and its font are there.
      expect(
        await page.evaluate(
          'document.fonts.ready.then((fonts) => [...fonts].some(({ status }) => status === "loaded"))',
        ),
      ).toBe(true);

      const cookies = await page.context().cookies();
      expect(cookies.length).toBeGreaterThan(1);
      for (const { path, secure, httpOnly } of cookies)
        expect([path.startsWith('/identity'), secure, httpOnly]).toEqual([true, true, true]);
    });

    it('has no demo account, no stand-in for Google, and does not serve the management of accounts', async () => {
      const { page } = await openBrowser();
      await page.goto('/');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expect.poll(() => page.getByText('Google').count()).toBe(0);
      await signIn(page, { email: 'demo@assay.test', password: 'touchstone-demo' });
      await page.getByRole('alert').waitFor();
      const statusOf = async (path: string) =>
        (await page.context().request.get(path, { ignoreHTTPSErrors: true })).status();
      // Asked of the API itself, which is what any proxy leads to.
      const api = `http://127.0.0.1:${place.apiPort}`;
      expect(await statusOf(`${api}/identity/.well-known/openid-configuration`)).toBe(200);
      expect(await statusOf(`${api}/identity/admin/realms/assay/users/1`)).toBe(404);
      expect(await statusOf(`${api}/identity/realms/assay/protocol/openid-connect/token`)).toBe(404);
      expect((await stat(join(settings.ASSAY_DATA ?? '', 'secret'))).mode & 0o777).toBe(0o600);
    });

    it('lets assay doctor check its relay from a shell without its settings', async () => {
      // This machine does not know the public name, so the doctor finds that, and ends with an error.
      const said = await assay('doctor').catch(String);

      expect(said).toContain('The mail relay takes our connection.');
      expect(said).not.toContain('SMTP_RELAY_URL is not set');
    });

    it('makes the first operator with a command, and sells a credit pack through Stripe', async () => {
      const { page } = await openBrowser();
      const person = await signUpByCode(page);
      expect(await assay('operators', 'list')).toContain('There is no operator.');
      await assay('operators', 'add', '--email', person.email, '--reason', 'The first operator');
      await page.goto('/operator');
      await page.getByRole('heading', { name: 'Egress addresses' }).waitFor();

      await page.goto('/billing/packs');
      const packs = page.getByRole('region', { name: 'Credit packs' });
      await packs.getByLabel('Pack').selectOption('2,000 credits');
      await packs.getByRole('button', { name: 'Buy credits' }).click();
      await page.waitForURL(`${payments.origin}/**`);
      await page.getByLabel('Card number').fill('4242 4242 4242 4242');
      await page.getByLabel('Expiration').fill('12 / 39');
      await page.getByLabel('Security code').fill('123');
      await page.getByLabel('Name on card').fill('Ada Assayer');
      await page.getByRole('button', { name: /^Pay / }).click();
      await page.waitForURL(`${publicUrl}/billing**`);
      await page.getByRole('complementary', { name: 'Sidebar' }).getByText('3.0k', { exact: true }).waitFor();
    });
  });
});

describe('a start that would mislead', () => {
  it.each([
    [
      '--production',
      { PUBLIC_URL: '' },
      ['PUBLIC_URL must be the https address', 'SMTP_RELAY_URL must', 'STRIPE_SECRET_KEY and'],
    ],
    ['', { PUBLIC_URL: 'https://verify.example.com' }, ['a trial with a demo account']],
  ] as const)('npm start %s with %j says what to do', async (option, env, texts) => {
    const folder = await makeDataFolder('assay-small-');
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const refused = startProduct(
      { ...env, PORT: String(await freePortRange()), ASSAY_DATA: folder },
      option ? [option] : [],
    );

    expect(await refused.ended).toBe(1);
    for (const text of texts) expect(refused.printed()).toContain(text);
  });
});
