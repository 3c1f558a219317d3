import { reasons } from '@assay/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palette, verdictPalette } from '../../../../web/src/shared/theme/palette.ts';
import { errorTable } from '../../platform/errors/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { guidePages } from './guide-pages.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ env: { RATE_LIMIT_PER_CUSTOMER: '1234', UPLOAD_BYTES_MAX: '3145728' } });
});
afterAll(() => api.close());

const read = async (path: string): Promise<string> => {
  const answer = await api.app.inject(path);
  expect(answer.statusCode, path).toBe(200);
  return answer.body;
};
const linksIn = (page: string) => [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);

describe.each(guidePages)('$path', ({ path, title }) => {
  it('is served with and without a trailing slash', async () => {
    const answer = await api.app.inject(path);

    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.body).toContain(`<title>${title} · Assay API</title>`);
    expect(answer.body).toContain(`<a href="${path}" aria-current="page">`);
    expect(answer.body).not.toContain('{{');
    expect(await read(`${path}/`)).toBe(answer.body);
  });

  it('has no dead links and loads nothing from other origins', async () => {
    const page = await read(path);
    const own = linksIn(page).filter((link) => link.startsWith('/docs'));

    expect(own.length).toBeGreaterThan(8);
    // The reference redirects to its path with a slash.
    for (const link of own) expect([200, 301], link).toContain((await api.app.inject(link)).statusCode);
    expect(page).not.toMatch(/src="(?:https?:)?\/\//);
    const policy = (await api.app.inject(path)).headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self';/);
    expect(page).not.toMatch(/<script(?![^>]*src=)/);
  });
});

describe('generated parts', () => {
  it('has every reason under its verdict', async () => {
    const page = await read('/docs/verdicts');

    for (const [code, { meaning }] of Object.entries(reasons)) {
      expect(page).toContain(`<code>${code}</code>`);
      expect(page).toContain(meaning.replaceAll("'", '&#39;'));
    }
    for (const id of ['valid', 'invalid', 'catch-all', 'unknown']) expect(page).toContain(`<h2 id="${id}">`);
  });

  it('has every error code with its status', async () => {
    const page = await read('/docs/errors');

    for (const [code, { status }] of Object.entries(errorTable)) {
      expect(page).toContain(`<td><code>${code}</code></td>\n<td>${status}</td>`);
    }
  });

  it('has the limits of this installation', async () => {
    const page = await read('/docs/limits');

    expect(page).toContain('<td>1,234</td>');
    expect(page).toContain('<td>3 MiB</td>');
  });

  it('has the calls that each scope of a key opens', async () => {
    const page = await read('/docs/keys');

    expect(page).toContain('<td><code>verify</code></td>');
    expect(page).toContain('<code>POST /validations/email_validation</code>');
    expect(page).not.toContain('guessing');
  });

  it('has the names of the mail world', async () => {
    const page = await read('/docs/sandbox');

    expect(page).toContain('<code>jane@exists.test</code>');
    expect(page).toContain('<code>anyone@catch-all.test</code>');
  });

  it('has the URL of this installation in its examples', async () => {
    expect(await read('/docs')).toContain('https://assay.test/api/validations/email_validation?wait=30');
  });
});

describe('its look', () => {
  it('has the colours of the web app, light and dark', async () => {
    const styles = linksIn(await read('/docs')).find((link) => link.endsWith('.css')) ?? '';
    const css = await read(styles);
    const colours = [...css.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name = '', value]) => [name, value]);
    const half = colours.length / 2;

    const expected = (scheme: 'light' | 'dark') => ({
      paper: palette[scheme].paper,
      surface: palette[scheme].surface,
      sunken: palette[scheme].sunken,
      line: palette[scheme].line,
      ink: palette[scheme].ink,
      'ink-muted': palette[scheme].inkMuted,
      primary: palette[scheme].primary,
      'on-primary': palette[scheme].onPrimary,
      accent: palette[scheme].accent,
      'accent-tint': palette[scheme].accentTint,
      bead: palette[scheme].bead,
      'verdict-valid': verdictPalette[scheme].valid.mark,
      'verdict-invalid': verdictPalette[scheme].invalid.mark,
      'verdict-catch-all': verdictPalette[scheme].catchAll.mark,
      'verdict-unknown': verdictPalette[scheme].unknown.mark,
    });
    expect(Object.fromEntries(colours.slice(0, half))).toEqual(expected('light'));
    expect(Object.fromEntries(colours.slice(half))).toEqual(expected('dark'));
  });

  it('serves its files as immutable, because their names contain a hash', async () => {
    const files = linksIn(await read('/docs')).filter((link) => link.startsWith('/docs/assets/'));

    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const { headers } = await api.app.inject(file);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });
});
