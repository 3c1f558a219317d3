import { describe, it } from 'vitest';
import { openPage, signIn } from '../e2e/support/visitor.ts';
import { takeKeyPictures, takePictures } from './pictures.ts';

it('key screen: sign in, refused, sign up', async () => {
  const page = await openPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await takeKeyPictures(page, 'sign-in');

  await signIn(page, { email: 'ada@exists.test', password: 'not the password' });
  await page.getByRole('alert').first().waitFor();
  await takePictures(page, 'sign-in-refused');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await takePictures(page, 'sign-in-forgotten');
  await page.getByRole('link', { name: 'Back to sign in' }).click();

  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('First name').waitFor();
  await takePictures(page, 'sign-up');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Assayer');
  await page.getByLabel('Email').fill('ada@exists.test');
  await page.getByLabel('Password').fill('aaaaaaaaaaaa');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('[aria-invalid="true"]').waitFor();
  await takePictures(page, 'sign-up-refused');
});

it('message pages, the OAuth return page and the status page', async () => {
  const page = await openPage();
  for (const name of ['not-found', 'forbidden', 'internal-error', 'goodbye']) {
    await page.goto(`/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await takePictures(page, `message-${name}`);
  }
  await page.goto('/oauth/callback');
  await page.getByText('Missing code or state', { exact: true }).waitFor();
  await takePictures(page, 'oauth-refused');

  await page.goto('/status');
  // Whether everything works depends on the tests that run beside this one.
  await page.getByText('Website and API').waitFor();
  await takePictures(page, 'status');
  await page.route('**/api/status', (route) =>
    route.fulfill({
      json: {
        date: new Date().toISOString(),
        parts: [
          { name: 'api', state: 'operational' },
          { name: 'verification', state: 'degraded' },
          { name: 'lists', state: 'unavailable' },
        ],
        slow_providers: [{ provider: 'Yahoo', start_date: new Date(Date.now() - 3_600_000).toISOString() }],
        incidents: [],
      },
    }),
  );
  await page.reload();
  await page.getByText('Not available').waitFor();
  await takePictures(page, 'status-troubled');
});

describe('documentation', () => {
  it('key screen: guide, reference, search, menu', async () => {
    const page = await openPage();
    for (const [path, name, take] of [
      ['/docs', 'docs-quick-start', takeKeyPictures],
      ['/docs/verdicts', 'docs-verdicts', takePictures],
      ['/docs/errors', 'docs-errors', takePictures],
      ['/docs/webhooks', 'docs-webhooks', takePictures],
      ['/docs/reference', 'docs-reference', takePictures],
      ['/docs/reference/single-checks', 'docs-reference-calls', takeKeyPictures],
      ['/docs/search?q=webhook', 'docs-search', takePictures],
      ['/docs/search?q=nothingofthekind', 'docs-search-empty', takePictures],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await take(page, name);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await takePictures(page, 'docs-menu');
  });
});
