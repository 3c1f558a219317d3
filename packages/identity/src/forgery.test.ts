import { describe, expect, it } from 'vitest';
import { authorize, buildPerson, goodPassword, identityOfFile, signUp } from './testing/test-identity.ts';

const identity = await identityOfFile();

describe('a forged interaction', () => {
  it('without the browser’s cookie is refused', async () => {
    const { page } = await authorize(identity, identity.visitor());
    const stranger = identity.visitor();
    const answer = await stranger.open(page.url);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('This sign-in has ended');
    expect((await stranger.submit(page, { email: 'a@b.test', password: goodPassword })).status).toBe(400);
  });

  it('under another interaction’s address is refused', async () => {
    const [mine, theirs] = [identity.visitor(), identity.visitor()];
    const { page: myPage } = await authorize(identity, mine);
    const { page: theirPage } = await authorize(identity, theirs);
    const cookie = mine.cookies
      .filter(({ name }) => name.includes('_interaction'))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    expect((await fetch(myPage.url, { headers: { cookie } })).status).toBe(200);
    const response = await fetch(theirPage.url, { headers: { cookie } });
    expect(response.status).toBe(400);
  });

  it('with a cookie that we did not sign is refused', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const { name, value } = visitor.cookies.find((cookie) => cookie.name.endsWith('_interaction')) ?? {};
    for (const signature of ['', `; ${name}.sig=forged`, `; ${name}.sig=${'A'.repeat(27)}`]) {
      const response = await fetch(page.url, { headers: { cookie: `${name}=${value}${signature}` } });
      expect(response.status).toBe(400);
    }
  });
});

describe('a form', () => {
  it('without the page’s token, with a wrong one or another page’s is refused', async () => {
    const person = buildPerson();
    await signUp(identity, identity.visitor(), person);
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const { page: otherPage } = await authorize(identity, identity.visitor());
    const otherToken = /name="form_token" value="([^"]+)"/.exec(otherPage.text)?.[1] ?? '';
    for (const form_token of ['', 'x'.repeat(43), otherToken]) {
      const answer = await visitor.submit(page, {
        email: person.email,
        password: person.password,
        form_token,
      });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('the form did not come from this page');
    }
  });

  it('that is enormous is refused', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    const answer = await visitor.submit(page, { email: 'a@b.test', password: 'x'.repeat(20_000) });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('too large');
  });

  it('for a page that does not exist, or by a method that it does not take, is refused', async () => {
    const visitor = identity.visitor();
    const { page } = await authorize(identity, visitor);
    expect((await visitor.open(`${page.url.pathname}/nothing`)).status).toBe(400);
    expect((await visitor.open(`${page.url.pathname}/code`)).status).toBe(400);
  });
});
