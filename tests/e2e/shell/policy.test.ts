import { describe, expect, inject, it } from 'vitest';
import { takeTroubles } from '../support/tabs.ts';
import { openPage } from '../support/visitor.ts';

describe('the content-security policy', () => {
  it('lets in nothing but our own files: no inline script and no inline style', async () => {
    const policy = (await fetch(inject('product').url)).headers.get('content-security-policy');

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toContain('unsafe');
  });

  it('is watched in every browser test, and so are errors that no code caught', async () => {
    const page = await openPage();
    await page.goto('/not-found');
    await page.evaluate(
      `document.head.append(Object.assign(document.createElement('style'), { textContent: 'p {}' }))`,
    );
    await page.evaluate(`setTimeout(() => { throw new Error('uncaught'); })`);

    const troubles: string[] = [];
    const found = () => troubles.push(...takeTroubles(page)) && troubles.join('\n');
    await expect.poll(found).toMatch(/policy violation style-src/);
    await expect.poll(found).toMatch(/uncaught/);
  });
});
