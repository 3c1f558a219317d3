import { describe, expect, it } from 'vitest';
import { programWords } from './program-words.ts';

describe('programWords', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15';
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 16) ${chrome}`, 'Chrome on Android'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/153.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace('Chrome', 'HeadlessChrome')}`, 'Chrome on Linux'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} EdgA/153.0`, 'Edge on Android'],
    [`${iPhone} CriOS/153.0 Mobile/15E148 Safari/604.1`, 'Chrome on iOS'],
    [`${iPhone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iOS'],
    [`${iPhone} Version/26.0 EdgiOS/153.0 Mobile/15E148 Safari/605.1.15`, 'Edge on iOS'],
    [`${iPhone} Version/26.0 Safari/604.1`, 'Safari on iOS'],
    ['curl/8.14.1', 'curl/8.14.1'],
    ['x'.repeat(300), 'x'.repeat(60)],
    [null, ''],
  ])('%s is %s', (agent, words) => {
    expect(programWords(agent)).toBe(words);
  });
});
