import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { openCustomer } from '../support/customer.ts';
import type { Person } from '../support/visitor.ts';

let page: Page;
let person: Person;
beforeEach(async () => {
  ({ page, person } = await openCustomer('/account'));
});

const dialog = () => page.getByRole('dialog', { name: 'Edit personal info' });
const field = (label: string) => dialog().getByLabel(label);

async function openDialog(): Promise<void> {
  await page.getByRole('button', { name: 'Edit personal info' }).click();
  await dialog().waitFor();
}

describe('§2 Account page: Personal Info', () => {
  it('shows name, address and that no phone is given; §5 the dialog shows what is wrong while typing and at Save, trims on blur, and helps with the country', async () => {
    const info = page.getByRole('region', { name: 'Personal Info' });
    const shown = () => info.innerText();
    await expect.poll(shown).toContain(`${person.firstName} ${person.lastName}`);
    await expect.poll(shown).toContain(person.email);
    await expect.poll(shown).toContain('Not given');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    // A phone that was never typed keeps the dialog open.
    await openDialog();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByText('Phone number required', { exact: true }).waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await field('Country').selectOption('ES');
    await expect.poll(() => field('Phone').inputValue()).toBe('+34 ');
    await field('Phone').fill('+44 20 7183 8750');
    await expect.poll(() => field('Country').inputValue()).toBe('GB');

    await field('First name').fill('  Grace  ');
    await field('First name').blur();
    await expect.poll(() => field('First name').inputValue()).toBe('Grace');

    for (const [label, value, message] of [
      ['First name', '', 'First name required'],
      ['First name', 'A', 'First name requires at least 2 characters'],
      ['First name', 'x'.repeat(51), 'First name requires no more than 50 characters'],
      ['First name', 'R2D2', 'First name requires valid characters'],
      ['Last name', '', 'Last name required'],
      ['Last name', 'Lovel4ce', 'Last name requires valid characters'],
      ['Phone', '+', 'Phone number required'],
      ['Phone', '600123456', 'A valid phone number is required'],
    ] as const) {
      // Something else first, so that emptying the field is a change.
      await field(label).fill('Grace');
      await field(label).fill(value);

      await dialog().getByText(message, { exact: true }).waitFor();
    }
  });

  it("§8 'Name update failed.' when the server refuses, and the dialog stays with its reason; then 'Name updated successfully', and the page and the sidebar show the new name at once", async () => {
    await page.route('**/api/users/me', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({
            status: 400,
            json: {
              errors: [
                { code: 'invalid_request', message: 'No.', http_status: 400, trace_id: 'none', meta: {} },
              ],
            },
          })
        : route.fallback(),
    );
    await openDialog();
    await field('Phone').fill('+34 600 123 456');
    await dialog().getByRole('button', { name: 'Save' }).click();

    await page.getByText('Name update failed.', { exact: true }).waitFor();
    await dialog().getByText('bad_request No.').or(dialog().getByText('invalid_request No.')).waitFor();

    await dialog().getByLabel('First name').fill('Grace B');
    await dialog().getByText('_request No.').waitFor({ state: 'hidden' });
    await page.unroute('**/api/users/me');

    await field('First name').fill('Grace');
    await field('Last name').fill("O'Hopper");
    await field('Phone').fill('+34 600 123 456');
    await dialog().getByRole('button', { name: 'Save' }).click();

    await page.getByText('Name updated successfully', { exact: true }).waitFor();
    await dialog().waitFor({ state: 'hidden' });
    const info = page.getByRole('region', { name: 'Personal Info' });
    await info.getByText("Grace O'Hopper", { exact: true }).waitFor();
    await info.getByText('+34 600 12 34 56', { exact: true }).waitFor();
    await page.getByRole('complementary').or(page.getByRole('navigation')).first().waitFor();
    await expect.poll(() => page.getByText("Grace O'Hopper", { exact: true }).count()).toBe(2);
  });
});
