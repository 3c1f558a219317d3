import { invalidRequest } from '../errors.ts';
import { type FormFields, type FormValue, isFields } from './form.ts';

/**
 * The parameters of one call. Each is read by the type it must have, and `refuseUnread` then turns down the others: like
 * the real API, which answers a misspelt parameter with an error. A parameter of the real API that the stand-in does not
 * act on is turned down too, rather than taken in silence.
 */
export class Params {
  readonly #fields: FormFields;
  readonly #path: string;
  readonly #read = new Set<string>();
  readonly #children: Params[] = [];

  constructor(fields: FormFields, path = '') {
    this.#fields = fields;
    this.#path = path;
  }

  has(name: string): boolean {
    return name in this.#fields;
  }

  /** Undefined also for an empty text, which removes what it names; so are objects. */
  text(name: string): string | undefined {
    const value = this.#take(name);
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string') throw this.#invalid(name, 'string');
    return value;
  }

  requiredText(name: string): string {
    return this.#required(name, this.text(name));
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value !== undefined && !/^-?\d{1,15}$/.test(value)) throw this.#invalid(name, 'integer');
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

  object(name: string): Params | undefined {
    const value = this.#take(name);
    return value === undefined || value === '' ? undefined : this.#child(name, value);
  }

  requiredObject(name: string): Params {
    return this.#required(name, this.object(name));
  }

  objects(name: string): Params[] {
    return this.#list(name).map((entry, index) => this.#child(`${name}[${index}]`, entry));
  }

  /** A list of exactly one object: the stand-in's subscriptions, checkouts and portal flows have one item. */
  oneObject(name: string): Params {
    const objects = this.objects(name);
    if (objects.length > 1) throw this.#invalid(name, 'list of one item');
    return this.#required(name, objects[0]);
  }

  texts(name: string): string[] {
    return this.#list(name).map(String);
  }

  metadata(): Record<string, string> {
    const { metadata = {} } = this.#fields;
    this.#read.add('metadata');
    if (!isFields(metadata)) throw this.#invalid('metadata', 'object');
    return Object.fromEntries(Object.entries(metadata).map(([key, text]) => [key, String(text)]));
  }

  refuseUnread(): void {
    const unread = Object.keys(this.#fields).find((name) => !this.#read.has(name));
    if (unread !== undefined) {
      const param = this.#nameOf(unread);
      throw invalidRequest(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
    }
    for (const child of this.#children) child.refuseUnread();
  }

  /** The name as an error shows it, such as `items[0][price]`. */
  #nameOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}[${name}]`;
  }

  #take(name: string): FormValue | undefined {
    this.#read.add(name);
    return this.#fields[name];
  }

  #child(name: string, value: FormValue): Params {
    if (!isFields(value)) throw this.#invalid(name, 'object');
    const child = new Params(value, this.#nameOf(name));
    this.#children.push(child);
    return child;
  }

  #list(name: string): FormValue[] {
    const value = this.#take(name) ?? [];
    if (!Array.isArray(value)) throw this.#invalid(name, 'array');
    return value;
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
