/** A page as a browser without scripts sees it. */
export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

interface Cookie {
  name: string;
  value: string;
  path: string;
}

/** A person's browser: keeps cookies, follows redirects within one origin, fills in forms. */
export class Visitor {
  readonly #origin: string;
  #cookies: Cookie[] = [];

  constructor(origin: string) {
    this.#origin = origin;
  }

  get cookies(): readonly Cookie[] {
    return this.#cookies;
  }

  open(url: string | URL): Promise<Page> {
    return this.#request(new URL(url, this.#origin), { method: 'GET' });
  }

  /** Sends the form whose action ends with this text; typed values replace those of the form. */
  submit(page: Page, typed: Record<string, string>, { actionEndsWith = '' } = {}): Promise<Page> {
    const form = formsOf(page.text).find(({ action }) => action.endsWith(actionEndsWith));
    if (!form) throw new Error(`No form for ${actionEndsWith} on ${page.url}:\n${page.text}`);
    return this.post(new URL(form.action, page.url), { ...form.fields, ...typed });
  }

  post(url: URL, fields: Record<string, string>): Promise<Page> {
    return this.#request(url, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Follows the link whose text contains this. */
  follow(page: Page, text: string): Promise<Page> {
    const links = [...page.text.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    const link = links.find(([, , content]) => content?.includes(text));
    if (!link?.[1]) throw new Error(`No link "${text}" on ${page.url}:\n${page.text}`);
    return this.open(new URL(unescapeText(link[1]), page.url));
  }

  async #request(url: URL, init: { method: string; body?: URLSearchParams }): Promise<Page> {
    const response = await fetch(url, { ...init, redirect: 'manual', headers: this.#headersFor(url) });
    this.#keepCookies(url, response);
    const location = response.headers.get('location');
    if (!location) {
      return { url, status: response.status, headers: response.headers, text: await response.text() };
    }
    const next = new URL(location, url);
    // The visitor does not follow redirects to other origins, such as the web app's return address.
    if (next.origin !== this.#origin)
      return { url: next, status: response.status, headers: response.headers, text: '' };
    return this.#request(next, { method: 'GET' });
  }

  #headersFor(url: URL): Record<string, string> {
    const fitting = this.#cookies.filter(
      ({ path }) => url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`),
    );
    return { accept: 'text/html', cookie: fitting.map(({ name, value }) => `${name}=${value}`).join('; ') };
  }

  #keepCookies(url: URL, response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', ...value] = pair.split('=');
      const attribute = (key: string) =>
        attributes.find((one) => one.toLowerCase().startsWith(`${key}=`))?.slice(key.length + 1);
      const path = attribute('path') ?? url.pathname;
      this.#cookies = this.#cookies.filter((one) => one.name !== name || one.path !== path);
      const expires = attribute('expires');
      if (!expires || new Date(expires) > new Date())
        this.#cookies.push({ name, value: value.join('='), path });
    }
  }
}

interface Form {
  action: string;
  fields: Record<string, string>;
}

function formsOf(text: string): Form[] {
  return [...text.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', content = '']) => ({
      action: unescapeText(action),
      fields: Object.fromEntries(
        [...content.matchAll(/<input\s[^>]*?name="([^"]*)"[^>]*>/g)].map(([tag, name = '']) => [
          name,
          unescapeText(/value="([^"]*)"/.exec(tag)?.[1] ?? ''),
        ]),
      ),
    }),
  );
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

export function unescapeText(text: string): string {
  return text.replace(/&(#39|\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
