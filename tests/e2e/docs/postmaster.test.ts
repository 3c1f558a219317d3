import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothSchemes } from '../support/accessibility.ts';
import { openPage, sidewaysOverflow } from '../support/visitor.ts';

describe.each([1280, 390])('the page for postmasters, %i px wide', (width) => {
  it('says who asks, and shows the owner of a domain which record to publish', async () => {
    const page = await openPage({ viewport: { width, height: 900 } });
    await page.goto('/postmaster');
    await page.getByRole('heading', { name: 'How to stop us' }).waitFor();
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);

    await page.getByLabel('Domain').fill('exists.test');
    await page.getByRole('button', { name: 'Show' }).click();

    await page.getByText('We do not see it at exists.test yet.').waitFor();
    await page.getByText(/_assay\.exists\.test\. +300 +IN +TXT +"v=assay1; count=[0-9a-f]{32}"/).waitFor();
    await expect.poll(() => page.getByLabel('Domain').inputValue()).toBe('exists.test');
    await expect.poll(() => sidewaysOverflow(page)).toBe(0);
    await expectAccessibleInBothSchemes(page);
    await page.getByLabel('Domain').fill('no domain');
    await page.getByLabel('Domain').press('Enter');
    await page.getByText('This is not a domain.').waitFor();
  });
});
