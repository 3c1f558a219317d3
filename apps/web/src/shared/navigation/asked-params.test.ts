import { expect, it } from 'vitest';
import { AskedParams } from './asked-params.ts';

const params = (text: string) => new URLSearchParams(text);

it('a change starts from the one before, although the page does not show it yet', () => {
  const asked = new AskedParams();
  const shown = params('');
  expect(asked.latest(shown)).toBe(shown);
  asked.ask(params('result=VALID'));
  expect(asked.latest(shown).toString()).toBe('result=VALID');
});

it('shows the first of two changes while the second is still under way', () => {
  const asked = new AskedParams();
  asked.ask(params('result=VALID'));
  asked.ask(params('result=VALID&flag=role'));
  const shown = params('result=VALID');
  // Every control of the page hears of it.
  asked.onShown('one', shown);
  asked.onShown('one', shown);
  expect(asked.latest(shown).toString()).toBe('result=VALID&flag=role');
  asked.onShown('two', params('result=VALID&flag=role'));
  const back = params('');
  asked.onShown('three', back);
  expect(asked.latest(back)).toBe(back);
});

it('forgets what was asked when the page goes elsewhere', () => {
  const asked = new AskedParams();
  asked.ask(params('result=VALID'));
  const elsewhere = params('page=2');
  asked.onShown('elsewhere', elsewhere);
  expect(asked.latest(elsewhere)).toBe(elsewhere);
});
