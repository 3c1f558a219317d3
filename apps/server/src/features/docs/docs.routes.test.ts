import { API_BASE, GUESSING_DOCS_COOKIE, needsLiveKey, type RouteContract, routes } from '@assay/contract';
import { reasons } from '@assay/verifier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palette, verdictPalette } from '../../../../web/src/shared/theme/palette.ts';
import { errorTable } from '../../platform/errors/index.ts';
import { startTestApi, type TestApi } from '../../testing/api.ts';
import { guidePages } from './guide-pages.ts';
import { REFERENCE_PATH, referenceSections } from './reference/sections.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    env: { RATE_LIMIT_PER_CUSTOMER: '1234', RATE_LIMIT_PER_ADDRESS: '100000', UPLOAD_BYTES_MAX: '3145728' },
  });
});
afterAll(() => api.close());

const read = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await api.app.inject({ url: path, headers });
  expect(answer.statusCode, path).toBe(200);
  return answer.body;
};
const linksIn = (page: string) => [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
const withGuessing = { cookie: `other=1; ${GUESSING_DOCS_COOKIE.name}=${GUESSING_DOCS_COOKIE.value}` };
const publicSections = referenceSections.filter(({ title }) => !['Warm Up', 'Guessing'].includes(title));
const pages = [...guidePages, { path: REFERENCE_PATH, title: 'Reference' }, ...publicSections];

describe.each(pages)('$path', ({ path, title }) => {
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
    for (const link of new Set(own)) {
      const [target = '', id] = link.split('#');
      const linked = await read(target);
      if (id) expect(linked, link).toContain(` id="${id}"`);
    }
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`);
    expect(page).not.toMatch(/src="(?:https?:)?\/\//);
    const policy = (await api.app.inject(path)).headers['content-security-policy'];
    expect(policy).toMatch(/script-src 'self';/);
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style="/);
  });

  it('has ids and groups of choices that occur once', async () => {
    const page = await read(path);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const choices = [...page.matchAll(/name="(language-[^"]+)" value="(\w+)"/g)].map((match) => match[0]);

    expect(ids).toEqual([...new Set(ids)]);
    expect(choices).toEqual([...new Set(choices)]);
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

    for (const [code, row] of Object.entries(errorTable)) {
      const shown = `<td><code>${code}</code></td>\n<td>${row.status}</td>`;
      expect(page.includes(shown), code).toBe(!('onlyFor' in row));
    }
  });

  it('has no error code of guessing, operators, mailboxes and payments for readers who cannot get it', async () => {
    const codesIn = (page: string) =>
      [...page.matchAll(/<td><code>(\w+)<\/code><\/td>/g)].map(([, code = '']) => code);
    const everyone = codesIn(await read('/docs/errors'));
    const guessing = codesIn(await read('/docs/errors', withGuessing));

    expect(everyone.filter((code) => /guess|operator|(?<!outcome_)mailbox|customer|job/.test(code))).toEqual(
      [],
    );
    expect(guessing).toEqual(
      expect.arrayContaining([...everyone, 'guess_name_required', 'missing_scope_guess']),
    );
    expect(guessing.filter((code) => /operator|(?<!outcome_)mailbox/.test(code))).toEqual([]);
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

describe('examples', () => {
  it('has one choice of languages for the same example, each program with its output', async () => {
    const page = await read('/docs');
    const [, first = ''] = page.split('<div class="languages">');

    expect([...first.matchAll(/value="(\w+)"/g)].map(([, value]) => value)).toEqual(['sh', 'ts', 'python']);
    expect(first.split('<div class="panel"')).toHaveLength(4);
    expect(first).toContain('<span class="code-string">');
    expect(first).toContain('mailbox_accepted');
  });
});

describe('the reference', () => {
  const contracts = Object.values(routes).flatMap((feature): RouteContract[] => Object.values(feature));
  const shown = contracts.filter(({ isBehindFlag, tag }) => !isBehindFlag && tag !== 'Warm Up');

  it('has a section for every tag of the contract, verification first', () => {
    const tags = new Set(contracts.map(({ tag }) => tag));

    expect(new Set(referenceSections.map(({ title }) => title))).toEqual(tags);
    expect(referenceSections[0].title).toBe('Single checks');
  });

  it('has every call in the overview and in its section, with an example in each language', async () => {
    const overview = await read(REFERENCE_PATH);
    const sections = (await Promise.all(publicSections.map(({ path }) => read(path)))).join('');
    const pathOf = ({ path }: RouteContract) =>
      `${API_BASE}${path.replaceAll(/:(\w+)/g, '{$1}').replaceAll('/', '/<wbr>')}`;

    for (const route of shown) {
      const endpoint = `<span class="method">${route.method}</span> <code>${pathOf(route)}</code>`;
      expect(overview).toContain(endpoint);
      expect(sections).toContain(endpoint);
    }
    expect(sections.split('<section class="operation"')).toHaveLength(shown.length + 1);
    expect(sections.split('data-language="sh"')).toHaveLength(shown.length + 1);
    expect(sections.split('data-language="ts"')).toHaveLength(shown.length + 1);
  });

  it('has a form to try every call that a test key can make from a page, and no other', async () => {
    const sections = (await Promise.all(publicSections.map(({ path }) => read(path)))).join('');
    const triable = shown.filter(
      ({ auth, keyScope, multipart }) =>
        auth === 'user_or_key' && (keyScope === 'any' || !needsLiveKey(keyScope)) && !multipart,
    );

    expect(triable.length).toBeGreaterThan(15);
    expect(
      [...sections.matchAll(/<form data-method="(\w+)" data-path="([^"]+)">/g)]
        .map(([, ...call]) => call.join(' '))
        .sort(),
    ).toEqual(
      triable.map(({ method, path }) => `${method} ${API_BASE}${path.replaceAll(/:(\w+)/g, '{$1}')}`).sort(),
    );
    for (const [, input] of sections.matchAll(/<input ([^>]*data-place="key"[^>]*)>/g)) {
      expect(input).toContain('type="password" autocomplete="off"');
      expect(input).not.toContain('name=');
    }
  });

  it('has the fields, their types and limits', async () => {
    const page = await read('/docs/reference/single-checks');

    expect(page).toContain('Needs an <a href="/docs/keys">API key</a> with the scope <code>verify</code>');
    expect(page).toMatch(
      /<code>wait<\/code> <small>optional<\/small><\/td><td>How many seconds to wait for the verdict; [^<]+<br><small>integer; 0 to 50/,
    );
    // The example waits for the verdict, so its answer is not that of a check that has only begun.
    const start = page.split('<section class="operation"').find((part) => part.includes('start-single'));
    expect(start?.match(/<figcaption>Status \d+<\/figcaption>/g)).toEqual([
      '<figcaption>Status 200</figcaption>',
    ]);
    expect(page).toContain('<code>CATCH_ALL</code>');
    expect(page).toContain('<code>idempotency-key</code>');
    // One of the two is needed, so neither is optional.
    for (const name of ['email_address', 'email'])
      expect(page).toContain(`<code>${name}</code> <small>one of these</small>`);
    expect(page).toContain('<code>ignore_suppression</code> <small>optional</small>');
    expect(page).toContain('<strong>202</strong>');
  });

  it('says nothing of guessing, nor of Warm Up outside of staging', async () => {
    const overview = await read(REFERENCE_PATH);

    expect(overview).not.toMatch(/guessing|warm-up/i);
    for (const title of ['warm-up', 'guessing'])
      expect((await api.app.inject(`/docs/reference/${title}`)).statusCode).toBe(404);
    expect(await read('/docs/search?q=guess')).not.toContain('href="/docs/reference/guessing');
    expect(await read('/docs/openapi.json')).not.toContain('/guessing/');
  });

  it('has the calls of guessing for readers with the flag, each with an example and its answer', async () => {
    const page = await read('/docs/reference/guessing', withGuessing);
    const calls = contracts.filter(({ isBehindFlag }) => isBehindFlag);

    expect(calls.length).toBeGreaterThan(10);
    expect(page.split('<section class="operation"')).toHaveLength(calls.length + 1);
    expect(page.split('data-language="ts"')).toHaveLength(calls.length + 1);
    expect(page).toMatch(/outcome.*FOUND/);
    expect(page).not.toMatch(/<p>Status 20[01]\.<\/p>/);
    for (const path of [REFERENCE_PATH, '/docs/search?q=guess', '/docs/keys'])
      expect(await read(path, withGuessing), path).toContain('guessing');
    expect(await read('/docs/openapi.json', withGuessing)).toContain('/api/guessing/lists/{list_id}');
    expect((await api.app.inject(REFERENCE_PATH)).headers.vary).toMatch(/cookie/);
  });

  it('has Warm Up in staging', async () => {
    const staging = await startTestApi({ env: { ASSAY_STAGE: 'staging' }, beside: api });

    expect((await staging.app.inject('/docs/reference/warm-up')).body).toContain('id="authorize"');
    await staging.close();
  });
});

describe('the search', () => {
  const find = (query: string) => read(`/docs/search?${new URLSearchParams({ q: query })}`);
  const resultsIn = (page: string) =>
    [...page.matchAll(/<li><a href="([^"]+)"><strong>/g)].map(([, url]) => url);

  it('finds parts of the guide and calls, titles first', async () => {
    expect(resultsIn(await find('signature'))[0]).toBe('/docs/webhooks#check-the-signature');
    expect(resultsIn(await find('POST lists_bulk preview'))).toContain('/docs/reference/files#preview-list');
    expect(resultsIn(await find('greylist'))).not.toEqual([]);
  });

  it('says when nothing is found, and asks for words when there are none', async () => {
    expect(await find('qwertyuiop')).toContain('Nothing found for “qwertyuiop”.');
    expect(await read('/docs/search')).toContain('Type what you are looking for.');
    expect(await read('/docs/search?q=a&q=b')).toContain('Type what you are looking for.');
  });

  it('shows what was typed as text, and only its first 100 characters', async () => {
    const hostile = '"><script>alert(1)</script>';
    const page = await find(hostile);

    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect((await find('a'.repeat(5_000))).length).toBeLessThan(20_000);
  });
});

describe('addresses without a page', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/docs/nonexistent', '/docs/reference/nonexistent', '/docs/a/b/c'])(
    '404 with a page for people and JSON for programs: %s',
    async (url) => {
      const page = await api.app.inject({ url, headers: browser });
      const json = await api.app.inject({ url });

      expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.body).toContain('<h1>Not found</h1>');
      expect(page.body).toContain('<form class="search"');
      expect([json.statusCode, json.json().errors[0].code]).toEqual([404, 'route_not_found']);
    },
  );

  it.each([
    ['a damaged link of a mail', '/api/notices/unsubscribe?order=abc.def', 404, 'This link is damaged'],
    ['a link of a mail without its order', '/api/notices/unsubscribe', 400, 'order is required'],
    ['a revoked link to a download', '/api/validations/shared?token=abc', 404, 'it was revoked'],
    ['a damaged link to a download', '/api/validations/email_validation/exports?order=a.b', 404, 'damaged'],
  ])('%s is a page for people and JSON for programs', async (_what, url, status, words) => {
    const page = await api.app.inject({ url, headers: browser });
    const json = await api.app.inject({ url });

    expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.body).toMatch(/^<!doctype html>/);
    expect(page.body).toContain(words);
    expect(page.body).toContain(String(page.headers['x-trace-id']));
    expect([json.statusCode, json.json().errors[0].message]).toEqual([
      status,
      expect.stringContaining(words),
    ]);
  });

  it('is JSON for a call of the API, also in a browser', async () => {
    const answer = await api.app.inject({ url: '/api/users/me', headers: browser });

    expect([answer.statusCode, answer.json().errors[0].code]).toEqual([401, 'unauthorized']);
  });
});

describe('files for search engines', () => {
  it('has a robots.txt that leads to the sitemap', async () => {
    const answer = await api.app.inject('/robots.txt');

    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toContain('Disallow: /api/\n');
    expect(answer.body).toContain('Sitemap: https://assay.test/sitemap.xml\n');
  });

  it('has a sitemap of the pages that everyone sees', async () => {
    const answer = await api.app.inject('/sitemap.xml');
    const found = [...answer.body.matchAll(/<loc>https:\/\/assay\.test([^<]+)<\/loc>/g)].map(
      ([, path]) => path,
    );

    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(found).toEqual(pages.map(({ path }) => path));
  });
});

describe('the page for postmasters', () => {
  it('says who asks, with which names, and how to stop it', async () => {
    const answer = await api.app.inject('/postmaster');

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('assay.test runs Assay');
    for (const { helo, mailFrom } of api.config.verifier.egresses) {
      expect(answer.body).toContain(`<code>${helo}</code>`);
      expect(answer.body).toContain(`<code>${mailFrom}</code>`);
    }
    expect(answer.body).toContain('_assay.example.com.  300  IN  TXT  "v=assay1; never"');
    expect(answer.body).toContain('v=assay1; limit=100/day');
  });
});

describe('llms.txt', () => {
  it('leads to texts without drawings', async () => {
    for (const { file } of guidePages) expect(await read(`/docs/${file}.md`)).not.toContain('<svg');
    expect(await read('/docs/verdicts')).toContain('<h2 id="valid"><svg class="verdict"');
  });

  it('leads to every page of the guide as Markdown, and to the OpenAPI document', async () => {
    const text = await read('/llms.txt');
    const links = [...text.matchAll(/\]\(https:\/\/assay\.test([^)]+)\)/g)].map(([, link = '']) => link);

    expect(text).toMatch(/^# Assay API\n\n> /);
    expect(text).toContain('[Quick start](https://assay.test/docs/quick-start.md): Verify an address');
    expect(links.filter((link) => link.endsWith('.md'))).toHaveLength(guidePages.length);
    expect(links).toContain('/docs/openapi.json');
    for (const link of links) await read(link);
    expect(await read('/docs/limits.md')).toMatch(/^# Limits\n[^{]*1,234/);
  });
});

describe('its look', () => {
  it('has the colours of the web app, light and dark', async () => {
    const styles = linksIn(await read('/docs')).find((link) => link.endsWith('.css')) ?? '';
    const css = await read(styles);
    const colours = [...css.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g)].map(
      ([, name, light, dark]) => [name, { light, dark }],
    );

    const both = (pick: (scheme: 'light' | 'dark') => string) => ({
      light: pick('light'),
      dark: pick('dark'),
    });
    expect(Object.fromEntries(colours)).toEqual({
      paper: both((scheme) => palette[scheme].paper),
      surface: both((scheme) => palette[scheme].surface),
      sunken: both((scheme) => palette[scheme].sunken),
      line: both((scheme) => palette[scheme].line),
      'line-strong': both((scheme) => palette[scheme].lineStrong),
      ink: both((scheme) => palette[scheme].ink),
      'ink-muted': both((scheme) => palette[scheme].inkMuted),
      primary: both((scheme) => palette[scheme].primary),
      'on-primary': both((scheme) => palette[scheme].onPrimary),
      accent: both((scheme) => palette[scheme].accent),
      'accent-tint': both((scheme) => palette[scheme].accentTint),
      bead: both((scheme) => palette[scheme].bead),
      'verdict-valid': both((scheme) => verdictPalette[scheme].valid.mark),
      'verdict-invalid': both((scheme) => verdictPalette[scheme].invalid.mark),
      'verdict-catch-all': both((scheme) => verdictPalette[scheme].catchAll.mark),
      'verdict-unknown': both((scheme) => verdictPalette[scheme].unknown.mark),
      'code-keyword': both((scheme) => palette[scheme].accent),
      'code-string': both((scheme) => verdictPalette[scheme].valid.text),
      'code-number': both((scheme) => verdictPalette[scheme].catchAll.text),
      'code-name': both((scheme) => verdictPalette[scheme].pending.text),
    });
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
