import { it } from 'vitest';
import { assay } from '../e2e/support/assay-command.ts';
import { newCustomer } from '../e2e/support/customer.ts';
import { takePictures } from './pictures.ts';

it('guessing, where its flag is on', async () => {
  const { api, person, open } = await newCustomer();
  await assay('users', 'flag', '--email', person.email, 'guessing_enabled', 'on', '--reason', 'A test');
  const page = await open('/email-guessing');
  await page.getByText('No guessed emails yet').waitFor();
  await takePictures(page, 'guessing-empty');
  await page.goto('/email-guessing/bulk');
  await page.getByText('No lists of people yet').waitFor();
  await takePictures(page, 'guessing-bulk-empty');

  for (const [first_name, last_name, domain] of [
    ['Jane', 'Doe', 'dotted.test'],
    ['Ann', 'Lee', 'catch-all.test'],
    ['Nobody', 'Here', 'dotted.test'],
  ] as const)
    await api.guessing.startGuess({ body: { first_name, last_name, domain } });
  const file = new File(
    ['first_name,last_name,company\nJane,Doe,dotted.test\nAnn,Lee,catch-all.test\n'],
    'fair.csv',
  );
  const { upload_id } = await api.guessing.previewList({ body: { list_raw: file } });
  const { id } = await api.guessing.createList({ body: { upload_id } });
  await page.goto('/email-guessing/single');
  await page.getByRole('row').filter({ hasText: 'Nobody Here' }).getByText('Not found').waitFor();
  await page.getByRole('row').filter({ hasText: 'Ann Lee' }).getByText('Catch all').waitFor();
  await takePictures(page, 'guessing');
  await page.goto(`/email-guessing/${id}`);
  await page.getByRole('cell', { name: 'Jane Doe' }).waitFor();
  await page.getByText('This list is still being processed').waitFor({ state: 'detached' });
  await takePictures(page, 'guessing-list');
});

it('Warm Up without a mailbox, with one, and its dialogs', async () => {
  const { open } = await newCustomer();
  const page = await open('/warm-up');
  await page.getByText('No email accounts are currently authorized.').waitFor();
  await takePictures(page, 'warm-up-empty');

  await page.getByRole('button', { name: 'Connect Gmail' }).click();
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor();
  await takePictures(page, 'warm-up-choose');
  await page.getByRole('link', { name: 'Ines Carvalho' }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await takePictures(page, 'warm-up-consent');
  await page.getByRole('button', { name: /Allow|Continue|Accept/ }).click();
  await page.waitForURL('**/warm-up');
  const accounts = page.getByRole('region', { name: 'Authorized accounts' });
  await accounts.getByRole('listitem').waitFor();
  await takePictures(page, 'warm-up');
  await page.getByRole('button', { name: 'Remove all credentials' }).click();
  await page.getByRole('dialog', { name: 'Remove all accounts' }).waitFor();
  await takePictures(page, 'warm-up-remove-all');
});
