// Writes docs/verdicts.md. Run it after a change of a reason or a reply rule: npm run verdicts-page -w @assay/verifier.
import { writeFileSync } from 'node:fs';
import { renderVerdictsPage } from '../src/judgement/verdicts-page.ts';

writeFileSync(new URL('../../../docs/verdicts.md', import.meta.url), renderVerdictsPage());
