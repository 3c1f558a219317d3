import { describe, expect, it } from 'vitest';
import { Params } from './params.ts';

const read = (body: string) => new Params(new URLSearchParams(body));

describe('parameters', () => {
  it('nest by brackets, and whole numbers between them make lists', () => {
    const params = read('items[0][price]=p1&items[1][price]=p2&expand[0]=a&expand[1]=b&metadata[k]=v%26w');
    expect(params.objects('items').map((item) => item.text('price'))).toEqual(['p1', 'p2']);
    expect(params.texts('expand')).toEqual(['a', 'b']);
    expect(params.metadata()).toEqual({ k: 'v&w' });
    expect(() => params.refuseUnread()).not.toThrow();
  });

  it('that the call does not know are refused by name, also inside others', () => {
    const params = read('a=1&inner[b]=2');
    params.integer('a');
    params.object('inner');
    expect(() => params.refuseUnread()).toThrow('Received unknown parameter: inner[b]');
  });

  it('that are empty are missing', () => {
    expect(() => read('name=').requiredText('name')).toThrow('Missing required param: name.');
  });

  it('are checked for their type', () => {
    expect(() => read('n=1.5').integer('n')).toThrow('Invalid n: must be an integer');
    expect(() => read('b=yes').boolean('b')).toThrow('Invalid b: must be true or false');
    expect(() => read('c=x').choice('c', ['a', 'b'])).toThrow('Invalid c: must be a or b');
    expect(() => read('o=text').requiredObject('o')).toThrow('Missing required param: o.');
  });
});
