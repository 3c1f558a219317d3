import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { totpCode } from '../../../packages/identity/src/second-step/totp.ts';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';
import { secretOf } from '../support/totp-secret.ts';
import { openPage, type Person, sidewaysOverflow, signIn } from '../support/visitor.ts';

const security = (page: Page) => page.getByRole('region', { name: 'Security' });
const homePath = '**/email-verification/single';

async function expectGoodAtAnyWidth(page: Page): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 860 });
    await expectAccessibleInBothSchemes(page);
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** A browser of its own after the password. */
async function openSignIn(person: Person): Promise<Page> {
  const page = await openPage();
  await page.goto('/');
  await signIn(page, person);
  return page;
}

/** A phone or laptop with a fingerprint reader, as Chromium plays it. */
async function plugInAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const stepNow = () => Math.floor(Date.now() / 30_000);

describe('Account page: Two-step verification', () => {
  it('an authenticator app is set up on the provider’s page, asked for at the next sign-in, and shown as on', async () => {
    const { page, person } = await openCustomer('/account');
    await security(page).getByText('Off. Your password alone signs you in.').waitFor();
    await security(page).getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
    await expectGoodAtAnyWidth(page);

    await page.getByRole('link', { name: 'Set up an app' }).click();
    await page.locator('.qr svg').waitFor();
    await expectGoodAtAnyWidth(page);
    const key = (await page.locator('.key').innerText()).replaceAll(' ', '');
    const secret = secretOf(key);
    await page.getByLabel('Code').fill(totpCode(secret, stepNow()));
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await expectGoodAtAnyWidth(page);
    const codes = await page.locator('.codes li').allInnerTexts();
    expect(codes).toHaveLength(10);
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect((await saving).suggestedFilename()).toBe('assay-recovery-codes.txt');

    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('You have 10 left').waitFor();
    await expectGoodAtAnyWidth(page);
    await page.getByRole('link', { name: 'Back to your account' }).click();
    await security(page).getByText('On: authenticator app.').waitFor();
    await page.goto('/account/activity');
    await page.getByText('Authenticator app added').waitFor();

    const elsewhere = await openSignIn(person);
    await elsewhere.getByRole('heading', { name: 'Second step' }).waitFor();
    await expectGoodAtAnyWidth(elsewhere);
    await elsewhere.getByLabel('Code').fill('000000');
    await elsewhere.getByRole('button', { name: 'Continue' }).click();
    await elsewhere.getByText('That code is not right, or it was used before.').waitFor();
    // The code of the current step was used above.
    await elsewhere.getByLabel('Code').fill(totpCode(secret, stepNow() + 1));
    await elsewhere.getByRole('button', { name: 'Continue' }).click();
    await elsewhere.waitForURL(homePath);

    const lost = await openSignIn(person);
    await lost.getByLabel('Code').fill(codes[0] ?? '');
    await lost.getByRole('button', { name: 'Continue' }).click();
    await lost.waitForURL(homePath);
  });

  it('a passkey is added by name, is the second step, and signs in without the password', async () => {
    const { page, person } = await openCustomer('/account');
    await plugInAuthenticator(page);
    await security(page).getByRole('link', { name: 'Set up' }).click();
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name').waitFor();
    await expectGoodAtAnyWidth(page);
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('Laptop', { exact: true }).waitFor();
    await page.getByText('Not used yet.').waitFor();
    await expectGoodAtAnyWidth(page);

    // Signed out at the provider and in the app, on the same device.
    const signOut = async () => {
      await page.context().clearCookies();
      await page.goto('/version.json');
      await page.evaluate('localStorage.clear()');
      await page.goto('/');
    };
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(homePath);

    await signOut();
    await signIn(page, person);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(homePath);
    await page.goto('/account');
    await security(page).getByText('On: passkey.').waitFor();
  });

  it('says why a passkey was not used', async () => {
    const page = await openPage();
    await page.goto('/');
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    // A device without a passkey for us.
    await plugInAuthenticator(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
    await expectGoodAtAnyWidth(page);
  });
});

describe('Account page: Sessions', () => {
  it('are listed with program and place; ending one signs that browser out at once and keeps the others', async () => {
    const { page, person } = await openCustomer('/account');
    const elsewhere = await openSignIn(person);
    await elsewhere.waitForURL(homePath);
    const third = await openSignIn(person);
    await third.waitForURL(homePath);
    await page.reload();
    const sessions = security(page).getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(3);
    await expect.poll(() => sessions.filter({ hasText: 'This one' }).count()).toBe(1);
    const others = sessions.filter({ hasText: 'on Linux' }).filter({ hasNotText: 'This one' });
    await expect.poll(() => others.count()).toBe(2);
    await expect
      .poll(() => others.first().innerText())
      .toMatch(/From 127\.0\.0\.1\. Signed in .*, last used .*\./);
    await expectGoodAtAnyWidth(page);

    // The last used is the first: the third browser.
    await others
      .first()
      .getByRole('button', { name: /^End .+ on Linux$/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'End this session?' });
    await dialog.getByText('is signed out at once').waitFor();
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('button', { name: 'End session' }).click();
    await page.getByText('Session ended.', { exact: true }).waitFor();

    await third.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await expect.poll(() => sessions.count()).toBe(2);
    await elsewhere.reload();
    await elsewhere.getByPlaceholder('Verify a single email').waitFor();
  });
});
