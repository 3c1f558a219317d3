import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityProblems } from '../support/accessibility.ts';
import { assay } from '../support/assay-command.ts';
import { type Customer, newCustomer } from '../support/customer.ts';
import { downloadedLines } from '../support/downloads.ts';
import { chooseFromMenu } from '../support/menus.ts';
import { sidewaysOverflow } from '../support/visitor.ts';

let customer: Customer;
let page: Page;
beforeEach(async () => {
  customer = await newCustomer();
  await assay(
    'users',
    'flag',
    '--email',
    customer.person.email,
    'guessing_enabled',
    'on',
    '--reason',
    'A test',
  );
  page = await customer.open('/email-guessing');
  await form().waitFor();
});

const form = () => page.getByRole('form', { name: 'Guess a single email' });
const field = (label: string) => form().getByLabel(label);
const guessButton = () => form().getByRole('button', { name: 'Guess', exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const evidence = () => page.getByRole('dialog').filter({ hasText: 'How we know' });
const tab = (name: RegExp) => page.getByRole('tab', { name });
const balanceIs = (credits: string) => form().getByText(`You have ${credits} credits.`).waitFor();

async function fillIn(firstName: string, lastName: string, domain: string): Promise<void> {
  await field('First name').fill(firstName);
  await field('Last name').fill(lastName);
  await field('Company domain').fill(domain);
}

describe('§2 Email guessing, one person', () => {
  it('the base leads to the single tab; each field says what is missing or cannot be guessed; answers the address that exists, with its evidence, for 1 credit', async () => {
    await page.waitForURL('**/email-guessing/single');
    await page.getByText('No guessed emails yet').waitFor();

    await guessButton().click();
    await form().getByText('First name required').waitFor();
    await form().getByText('Company domain required').waitFor();
    await fillIn('Jane', 'Doe', 'acme');
    await form().getByText('Enter a company domain, such as acme.com').waitFor();
    await field('Company domain').fill('gmail.com');
    await guessButton().click();
    await form().getByText('Nothing is guessed at this domain').waitFor();

    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await balanceIs('1,000');

    await fillIn('Jan', 'van der Berg', 'https://www.dotted.test/team');
    await field('Company domain').press('Enter');

    await page.getByText('Email guessing started for Jan van der Berg.').waitFor();
    await row('Jan van der Berg').getByText('jan.vanderberg@dotted.test').waitFor();
    await balanceIs('999');
    await expect.poll(() => field('First name').inputValue()).toBe('');

    await row('Jan van der Berg').getByRole('button', { name: 'Found, show evidence', exact: true }).click();
    await evidence().getByRole('region', { name: 'Addresses asked for' }).waitFor();
    await evidence().getByText('{first}.{last}').waitFor();
    await evidence().getByText('Mailbox asked for').waitFor();
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await evidence().getByRole('button', { name: 'Close evidence' }).click();
    await evidence().waitFor({ state: 'hidden' });
  });

  it("reads the name off a LinkedIn profile address; says 'catch all: most likely …' and 'not found', which cost a credit each", async () => {
    await form().getByRole('button', { name: 'Use a LinkedIn profile instead' }).click();
    await field('LinkedIn profile').fill('https://www.linkedin.com/in/gracehopper');
    await field('Company domain').fill('initials.test');
    await guessButton().click();
    await form().getByText('No name can be read from this profile address').waitFor();
    await field('LinkedIn profile').fill('https://www.linkedin.com/in/grace-hopper-1a2b3c');
    await form().getByText('Read as Grace Hopper').waitFor();
    await guessButton().click();

    await row('Grace Hopper').getByText('ghopper@initials.test').waitFor();
    await balanceIs('999');
    await form().getByRole('button', { name: 'Enter the name instead' }).click();

    await fillIn('Ann', 'Lee', 'catch-all.test');
    await guessButton().click();
    await row('Ann Lee').getByText('most likely ann.lee@catch-all.test').waitFor();
    await row('Ann Lee').getByRole('button', { name: 'Catch all, show evidence' }).click();
    await evidence().getByText('Catch all: most likely ann.lee@catch-all.test').waitFor();
    await evidence().getByText('You were charged 1 credit for this answer.').waitFor();
    await evidence().getByRole('button', { name: 'Close evidence' }).click();

    await fillIn('Nobody', 'Here', 'dotted.test');
    await guessButton().click();
    await row('Nobody Here').getByRole('button', { name: 'Not found, show evidence' }).waitFor();
    await balanceIs('997');
    await tab(/Single guesses \(3\)/).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
  });
});

describe('§2 Email guessing, a file of people', () => {
  const lines = [
    'first_name,last_name,company,note',
    'Jane,Doe,dotted.test,first',
    'José,Núñez,dotted.test,',
    'JANE,doe,dotted.test,again',
    'Ann,Lee,catch-all.test,',
    'Nobody,Here,dotted.test,',
    'Joe,Roe,gmail.com,',
  ];

  it('shows the cost before it charges, guesses every person, downloads what is chosen or the whole file; is renamed and deleted; and is one entry of the history', async () => {
    await customer.api.guessing.startGuess({
      body: { first_name: 'Jan', last_name: 'van der Berg', domain: 'dotted.test' },
    });
    await row('Jan van der Berg').getByText('jan.vanderberg@dotted.test').waitFor();
    await tab(/Bulk guesses/).click();
    await page.waitForURL('**/email-guessing/bulk');
    await page.getByText('No lists of people yet').waitFor();
    await page.getByRole('button', { name: 'Import people' }).click();
    const importing = page.getByRole('dialog', { name: 'Import people' });
    const chooser = page.waitForEvent('filechooser');
    await importing.getByRole('button', { name: 'Browse' }).click();
    const buffer = Buffer.from(`${lines.join('\n')}\n`);
    await (await chooser).setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer });
    await importing.getByRole('button', { name: 'Guess' }).click();

    const offer = page.getByRole('dialog', { name: 'Confirm bulk guessing' });
    await offer.getByText('You will be charged up to 4 credits.').waitFor();
    await offer.getByText('1 duplicated, 1 without a usable name or company domain').waitFor();
    await offer.getByText('domains in column “company”').waitFor();
    await offer.getByText('Which people are excluded').click();
    await expect.poll(() => offer.innerText()).toMatch(/Duplicated: 1\s+Row 4JANE, doe, dotted\.test/);
    await expect.poll(() => offer.innerText()).toContain('Joe, Roe, gmail.com (not the domain of a company)');
    const phone = { width: 390, height: 844 };
    const desktop = { width: 1440, height: 900 };
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size);
      const excluded = await downloadedLines(page, () =>
        offer.getByRole('button', { name: 'Download excluded people' }).click(),
      );
      expect(excluded).toEqual([
        'row,person,reason',
        '4,"JANE, doe, dotted.test",duplicated',
        '7,"Joe, Roe, gmail.com",domain_not_company',
      ]);
    }

    await offer.getByLabel('Company domain').selectOption('note: first');
    await offer.getByText('There is nobody in this file who can be guessed.').waitFor();
    await page.setViewportSize(phone);
    await offer.getByLabel('Company domain').selectOption('company: dotted.test');
    await offer.getByText('You will be charged up to 4 credits.').waitFor();
    await offer.getByLabel('Last name').selectOption('None');
    await offer.getByText('first names in column “first_name”, domains').waitFor();
    await offer.getByLabel('Last name').selectOption('last_name: Doe');
    await offer.getByText('last names in column “last_name”').waitFor();
    await offer.getByRole('button', { name: 'Estimate the results for free' }).click();
    await offer.getByText('We looked at 4 people without asking mail hosts.').waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize(desktop);
    await offer.getByRole('button', { name: 'Confirm' }).click();

    await page.getByText('Email guessing started for list fair.').waitFor();
    await row('fair').getByRole('img', { name: 'Complete' }).waitFor();
    await tab(/Bulk guesses \(1\)/).waitFor();
    await balanceIs('995');
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    await page.getByRole('link', { name: 'fair', exact: true }).click();
    await page.waitForURL(/email-guessing\/[0-9a-f-]{36}$/);
    await row('José Núñez').getByText('jose.nunez@dotted.test').waitFor();
    for (const fact of ['fair.csv', 'Rows 6', 'Credits charged 4'])
      await expect.poll(() => page.getByLabel('About the list').innerText()).toContain(fact);
    await page
      .getByText('Excluded people: 1 duplicated, 1 without a usable name or company domain.')
      .waitFor();
    await page
      .getByRole('button', { name: /^Found/ })
      .first()
      .click();
    // The card filters the people below, too.
    await row('Nobody Here').waitFor({ state: 'hidden' });
    await row('Jane Doe').waitFor();
    const found = await downloadedLines(page, () =>
      page.getByRole('button', { name: 'Download 2 people' }).click(),
    );
    const all = await downloadedLines(page, () => chooseFromMenu(page, 'fair', 'Download all people'));

    expect(found).toEqual([
      'first_name,last_name,company,note,email,result,reason',
      'Jane,Doe,dotted.test,first,jane.doe@dotted.test,FOUND,mailbox_accepted',
      'José,Núñez,dotted.test,,jose.nunez@dotted.test,FOUND,mailbox_accepted',
    ]);
    expect(all.slice(3)).toEqual([
      'JANE,doe,dotted.test,again,jane.doe@dotted.test,FOUND,mailbox_accepted',
      'Ann,Lee,catch-all.test,,ann.lee@catch-all.test,CATCH_ALL,catch_all',
      'Nobody,Here,dotted.test,,,NOT_FOUND,no_likely_address',
      'Joe,Roe,gmail.com,,,NOT_GUESSED,domain_not_company',
    ]);
    await expect.poll(() => accessibilityProblems(page)).toEqual([]);

    const address = page.url();
    await chooseFromMenu(page, 'fair', 'Rename');
    await page.getByRole('textbox', { name: 'List name' }).fill('autumn');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'autumn', level: 1 }).waitFor();

    await chooseFromMenu(page, 'autumn', 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('List autumn deleted.').waitFor();
    await page.getByText('No lists of people yet').waitFor();

    await page.goto(address);
    await page.getByRole('heading', { name: 'Content not Found' }).waitFor();

    await page.goto('/billing');
    await row('Guessed list').getByText('-4', { exact: true }).waitFor();
    await expect.poll(() => row('Email guess').count()).toBe(1);
    expect(await assay('ledger', 'audit')).toContain('The ledger agrees');
  });
});
