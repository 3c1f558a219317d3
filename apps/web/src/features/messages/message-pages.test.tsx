import { describe, expect, it } from 'vitest';
import { renderMarkup } from '../../shared/testing/render-markup.tsx';
import { MessagePage } from './message-page.tsx';
import { ForbiddenPage, GoodbyePage, InternalErrorPage, NotFoundPage } from './message-pages.tsx';

const withoutLogo = (text: string) => text.replace(/^.*Assay Assay /, '');

describe('§2 Message pages', () => {
  it('Not found: its words and the button Home', () => {
    expect(withoutLogo(renderMarkup(<NotFoundPage />).text)).toBe(
      "Content not Found This content is no longer available. Head over to Home and check out what's new! Home",
    );
  });
  it('Error: its words and the button Reload', () => {
    expect(withoutLogo(renderMarkup(<InternalErrorPage />).text)).toBe(
      'Whoops! There was a system error, please try again in a minute Reload',
    );
  });
  it('Forbidden: says so and leads Home', () => {
    expect(withoutLogo(renderMarkup(<ForbiddenPage />).text)).toMatch(/^Access not Allowed .* Home$/);
  });
  it('the goodbye page leads Home', () => {
    expect(withoutLogo(renderMarkup(<GoodbyePage />).text)).toMatch(/^Goodbye! .* Go to Home$/);
  });
});

describe('§2 Message pages: the generic page', () => {
  it("shows the logo, the title, the body and a primary button that reads 'Go to Home' by default", () => {
    const { html, text } = renderMarkup(<MessagePage title="A title" body="A body" />);
    expect(html).toContain('aria-label="Assay"');
    expect(withoutLogo(text)).toBe('A title A body Go to Home');
  });
  it('shows an illustration when one is named, and none otherwise', () => {
    expect(renderMarkup(<MessagePage icon="welcome" title="A" body="B" />).html).toContain(
      'data-illustration="welcome"',
    );
    expect(renderMarkup(<MessagePage title="A" body="B" />).html).not.toContain('data-illustration');
  });
  it('shows a secondary button when there is one', () => {
    const page = <MessagePage title="A" body="B" secondary={{ label: 'Write to us', onClick: () => {} }} />;
    expect(renderMarkup(page).text).toMatch(/Go to Home Write to us$/);
  });
});
