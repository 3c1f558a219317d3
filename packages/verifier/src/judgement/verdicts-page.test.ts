import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { renderVerdictsPage } from './verdicts-page.ts';

it('docs/verdicts.md is what the tables say; npm run verdicts-page -w @assay/verifier writes it', () => {
  const page = readFileSync(new URL('../../../../docs/verdicts.md', import.meta.url), 'utf8');
  expect(page).toBe(renderVerdictsPage());
});
