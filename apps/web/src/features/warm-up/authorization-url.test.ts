import { describe, expect, it } from 'vitest';
import { readAuthorizationUrl } from './authorization-url.ts';

const url = 'https://accounts.test/auth?state=s';
const missing = 'Missing authorizationUrl in response';

describe('§5 Authorize response', () => {
  it.each(['authorizationUrl', 'authorization_url', 'url'])('§5 GOOGLE takes %s', (name) => {
    expect(readAuthorizationUrl({ [name]: url }, 'GOOGLE')).toBe(url);
  });

  it('§5 MICROSOFT takes authorizationUrl and no other', () => {
    expect(readAuthorizationUrl({ authorizationUrl: url }, 'MICROSOFT')).toBe(url);
    expect(() => readAuthorizationUrl({ authorization_url: url }, 'MICROSOFT')).toThrow(missing);
    expect(() => readAuthorizationUrl({ url }, 'MICROSOFT')).toThrow(missing);
  });

  it.each([[null], [{}], ['https://accounts.test'], [[url]], [{ authorizationUrl: '' }], [{ url: 7 }]])(
    '§8 says what is missing: %o',
    (answer) => {
      expect(() => readAuthorizationUrl(answer, 'GOOGLE')).toThrow(missing);
    },
  );

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'ftp://files.test'])(
    'never sends the browser to %s',
    (authorizationUrl) => {
      expect(() => readAuthorizationUrl({ authorizationUrl }, 'GOOGLE')).toThrow(missing);
    },
  );
});
