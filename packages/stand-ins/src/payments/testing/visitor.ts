/** A browser without scripts, as far as these pages need one: it opens pages, follows links and sends forms. */
export class Visitor {
  /** The page last seen. */
  url = '';
  status = 0;
  html = '';
  headers = new Headers();
  readonly #ownOrigin: string;

  constructor(ownOrigin: string) {
    this.#ownOrigin = ownOrigin;
  }

  async open(url: string): Promise<void> {
    await this.#request(url, {});
  }

  /** Follows the link with this text. */
  async click(text: string): Promise<void> {
    const link = [...this.html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].find(
      ([, , label]) => textOf(label ?? '') === text,
    );
    if (link === undefined) throw new Error(`no link '${text}' on ${this.url}: ${this.text()}`);
    await this.open(new URL(unescapeHtml(link[1] ?? ''), this.url).href);
  }

  /** Presses the button with this text, with these values in the fields of its form. */
  async press(button: string, values: Record<string, string> = {}): Promise<void> {
    const form = [...this.html.matchAll(/<form\b[^>]*?(?:action="([^"]*)")?>([\s\S]*?)<\/form>/g)].find(
      ([, , inside]) =>
        [...(inside ?? '').matchAll(/<button[^>]*>([\s\S]*?)<\/button>/g)].some(
          ([, label]) => textOf(label ?? '') === button,
        ),
    );
    if (form === undefined) throw new Error(`no button '${button}' on ${this.url}: ${this.text()}`);
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
      if (!new RegExp(`name="${name}"`).test(form[2] ?? ''))
        throw new Error(`no field '${name}' in the form`);
      fields.set(name, value);
    }
    const action = new URL(unescapeHtml(form[1] ?? ''), this.url).href;
    await this.#request(action, { method: 'POST', body: fields });
  }

  /** What a person reads. */
  text(): string {
    return textOf(this.html.replace(/<head>[\s\S]*?<\/head>/, ''));
  }

  hasButton(text: string): boolean {
    return [...this.html.matchAll(/<(?:button|a)\b[^>]*>([\s\S]*?)<\/(?:button|a)>/g)].some(
      ([, label]) => textOf(label ?? '') === text,
    );
  }

  /** Redirects are followed within our own pages; one that leads elsewhere is where the visit ends. */
  async #request(url: string, init: RequestInit): Promise<void> {
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    this.url = url;
    this.status = answer.status;
    this.headers = answer.headers;
    this.html = await answer.text();
    const location = answer.headers.get('location');
    if (location === null) return;
    const next = new URL(location, url);
    if (next.origin === this.#ownOrigin) await this.#request(next.href, {});
    else this.url = next.href;
  }
}

const textOf = (html: string): string =>
  unescapeHtml(html.replace(/<[^>]+>/g, ' '))
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
