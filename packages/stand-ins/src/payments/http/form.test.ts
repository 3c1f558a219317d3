import { describe, expect, it } from 'vitest';
import { parseForm } from './form.ts';
import { Params } from './params.ts';

describe('a form-encoded body', () => {
  it('nests by brackets, and whole numbers or nothing between them make lists', () => {
    const parsed = parseForm(
      'customer=cus_1&items[0][price]=p1&items[1][price]=p2&expand[]=a&expand[]=b&metadata[k]=v%26w',
    );
    expect(JSON.parse(JSON.stringify(parsed))).toEqual({
      customer: 'cus_1',
      items: [{ price: 'p1' }, { price: 'p2' }],
      expand: ['a', 'b'],
      metadata: { k: 'v&w' },
    });
  });

  it('keeps the order of more than ten list entries', () => {
    const body = Array.from({ length: 12 }, (_, index) => `list[${index}]=v${index}`).join('&');
    expect(parseForm(body).list).toEqual(Array.from({ length: 12 }, (_, index) => `v${index}`));
  });

  it('reaches no prototype, and refuses to nest without end', () => {
    parseForm('__proto__[polluted]=yes&a[__proto__][polluted]=yes&constructor[prototype][polluted]=yes');
    expect({} as { polluted?: string }).not.toHaveProperty('polluted');
    expect(() => parseForm(`a${'[b]'.repeat(9)}=c`)).toThrow('nested too deeply');
  });
});

describe('parameters', () => {
  const read = (body: string) => new Params(parseForm(body));

  it('that the call does not know are refused by name, also inside others', () => {
    const params = read('a=1&inner[b]=2');
    params.integer('a');
    expect(() => params.refuseUnread()).toThrow('Received unknown parameter: inner');
    params.object('inner');
    expect(() => params.refuseUnread()).toThrow('Received unknown parameter: inner[b]');
  });

  it('that are empty are missing', () => {
    expect(() => read('name=').requiredText('name')).toThrow('Missing required param: name.');
  });

  it('are checked for their type', () => {
    expect(() => read('n=1.5').integer('n')).toThrow('Invalid n: must be integer');
    expect(() => read('b=yes').boolean('b')).toThrow('Invalid b: must be true or false');
    expect(() => read('c=x').choice('c', ['a', 'b'])).toThrow('must be a or b');
    expect(() => read('o=text').object('o')).toThrow('Invalid o: must be object');
    expect(() => read('l=text').texts('l')).toThrow('Invalid l: must be array');
  });
});
