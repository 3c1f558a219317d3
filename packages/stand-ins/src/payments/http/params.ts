import { invalidRequest } from '../errors.ts';

/**
 * The parameters of one call, such as `items[0][price]=x&expand[0]=y`. Each is read by the type it must have, and
 * `refuseUnread` then turns down the others: like the real API, which answers a misspelt parameter with an error. A
 * parameter of the real API that the stand-in does not act on is turned down too, rather than taken in silence.
 */
export class Params {
  readonly #values: ReadonlyMap<string, string>;
  readonly #unread: Set<string>;
  readonly #path: string;

  constructor(values: Iterable<[string, string]>, parent?: { path: string; unread: Set<string> }) {
    this.#values = new Map(values);
    this.#unread = parent?.unread ?? new Set(this.#values.keys());
    this.#path = parent?.path ?? '';
  }

  has(name: string): boolean {
    return this.#values.has(this.#nameOf(name)) || this.object(name) !== undefined;
  }

  /** Undefined also for an empty text, which removes what it names. */
  text(name: string): string | undefined {
    const key = this.#nameOf(name);
    this.#unread.delete(key);
    return this.#values.get(key) || undefined;
  }

  requiredText(name: string): string {
    return this.#required(name, this.text(name));
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value !== undefined && !/^-?\d{1,15}$/.test(value)) throw this.#invalid(name, 'an integer');
    return value === undefined ? undefined : Number(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.choice(name, ['true', 'false']);
    return value === undefined ? undefined : value === 'true';
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name);
    const choice = choices.find((candidate) => candidate === value);
    if (value !== undefined && choice === undefined) throw this.#invalid(name, choices.join(' or '));
    return choice;
  }

  requiredChoice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    return this.#required(name, this.choice(name, choices));
  }

  /** Parameters of which the stand-in knows only one value, which the call must name. */
  fixed(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) this.requiredChoice(name, [value]);
  }

  /** Undefined also for an empty text. */
  object(name: string): Params | undefined {
    const path = this.#nameOf(name);
    if (this.#values.get(path) === '') this.#unread.delete(path);
    const inside = [...this.#values].filter(([key]) => key.startsWith(`${path}[`));
    return inside.length === 0 ? undefined : new Params(inside, { path, unread: this.#unread });
  }

  requiredObject(name: string): Params {
    return this.#required(name, this.object(name));
  }

  objects(name: string): Params[] {
    return this.#entries(name, (list, index) => list.object(index));
  }

  /** The only object of a list: the stand-in's subscriptions, checkouts and portal flows have one item. */
  oneObject(name: string): Params {
    return this.#required(name, this.object(name)?.object('0'));
  }

  texts(name: string): string[] {
    return this.#entries(name, (list, index) => list.text(index));
  }

  metadata(): Record<string, string> {
    const prefix = `${this.#nameOf('metadata')}[`;
    const fields = [...this.#values].filter(([key]) => key.startsWith(prefix));
    for (const [key] of fields) this.#unread.delete(key);
    return Object.fromEntries(fields.map(([key, text]) => [key.slice(prefix.length, -1), text]));
  }

  refuseUnread(): void {
    const [param] = this.#unread;
    if (param === undefined) return;
    throw invalidRequest(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
  }

  /** The name as an error shows it, such as `items[0][price]`. */
  #nameOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}[${name}]`;
  }

  #entries<Entry>(name: string, read: (list: Params, index: string) => Entry | undefined): Entry[] {
    const list = this.object(name);
    const entries: Entry[] = [];
    for (let entry = list && read(list, '0'); list && entry; entry = read(list, String(entries.length))) {
      entries.push(entry);
    }
    return entries;
  }

  #required<Value>(name: string, value: Value | undefined): Value {
    if (value !== undefined) return value;
    const param = this.#nameOf(name);
    throw invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  }

  #invalid(name: string, expected: string) {
    const param = this.#nameOf(name);
    return invalidRequest(`Invalid ${param}: must be ${expected}`, { param });
  }
}
